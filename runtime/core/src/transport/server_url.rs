//! Addresses with variables, which callers of generated code fill in.

/// Fills in the variables of an address: each with its name, its value, and its documented default.
///
/// Invalid values keep their braces, so that [`ClientBuilder::build`](crate::ClientBuilder::build) refuses the address. A value is invalid
/// if it is empty, or if it contains a space or a character of `/?#@\:%{}` that the default does not have.
pub fn server_url(template: &str, values: &[(&str, &str, &str)]) -> String {
    let mut url = template.to_owned();
    for (name, value, default) in values {
        if is_valid(value, default) {
            url = url.replace(&format!("{{{name}}}"), value);
        }
    }
    url
}

fn is_valid(value: &str, default: &str) -> bool {
    let mut odd = value
        .chars()
        .filter(|c| c.is_whitespace() || c.is_control() || "/?#@\\:%{}".contains(*c));
    (!value.is_empty() || default.is_empty()) && odd.all(|c| default.contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::base_url::BaseUrl;

    #[test]
    fn every_occurrence_of_a_variable_is_filled_in() {
        let values = [("region", "eu", "us"), ("v", "", "")];
        let url = server_url("https://{region}.h/{region}/{v}", &values);
        assert_eq!(url, "https://eu.h/eu/");
        // From a public document.
        let values = [
            ("protocol", "https", "http"),
            ("hostname", "s.example.com", "localhost"),
            ("port", "443", "8108"),
        ];
        let url = server_url("{protocol}://{hostname}:{port}", &values);
        assert_eq!(url, "https://s.example.com:443");
        let values = [("origin", "https://u.example", "https://uploads.example")];
        assert_eq!(server_url("{origin}", &values), "https://u.example");
    }

    #[test]
    fn a_value_that_would_name_another_host_is_not_filled_in() {
        for value in [
            "evil.example/",
            "evil.example#",
            "evil.example?",
            "a@evil.example",
            "evil.example:443",
            "evil.example\\",
            "evil.example%2f",
            "a b",
            "",
            "{region}",
        ] {
            let url = server_url("https://{tenant}.example.com", &[("tenant", value, "me")]);
            let error = BaseUrl::parse(&url, &[]).unwrap_err().to_string();
            assert!(error.contains("variable in braces"), "{value}: {error}");
        }
    }
}

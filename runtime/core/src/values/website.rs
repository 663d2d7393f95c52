//! Websites in one spelling.

use url::Url;

/// Returns a website in the spelling by which it is compared: its host in lower case without `www.`, and its path without a slash at the end.
/// `None` if it is no website, such as an identifier.
///
/// Scheme and default port are left out. What may lead elsewhere stays: another port, the path, the query. Names in other scripts are compared
/// as they are sent in DNS.
///
/// ```
/// use generated_client::values::website;
///
/// for spelling in ["example.com", "www.Example.com", "https://example.com/", "http://example.com:80"] {
///     assert_eq!(website(spelling).as_deref(), Some("example.com"));
/// }
/// assert_eq!(website("example.com/teams").as_deref(), Some("example.com/teams"));
/// assert_eq!(website("b3f1c2"), None);
/// ```
#[must_use]
pub fn website(text: &str) -> Option<String> {
    let text = text.trim();
    if text.contains(['@', '#']) {
        return None;
    }
    let address = match text.split_once("://") {
        Some((scheme, _)) if scheme.eq_ignore_ascii_case("http") => text.to_owned(),
        Some((scheme, _)) if scheme.eq_ignore_ascii_case("https") => text.to_owned(),
        Some(_) => return None,
        None => format!("https://{text}"),
    };
    let url = Url::parse(&address).ok()?;
    let host = url.domain()?.trim_end_matches('.');
    let host = host
        .strip_prefix("www.")
        .filter(|rest| rest.contains('.'))
        .unwrap_or(host);
    if !host.contains('.') {
        return None;
    }
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    let path = url.path().trim_end_matches('/');
    let query = url
        .query()
        .map(|query| format!("?{query}"))
        .unwrap_or_default();
    Some(format!("{host}{port}{path}{query}"))
}

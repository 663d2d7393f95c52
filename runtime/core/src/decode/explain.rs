//! Decode errors in terms of JSON: serde names Rust types, including private ones.

use super::allowance::Allowance;
use super::reader::{Mode, Reader, State};
use crate::secret::quotation::{MESSAGE, escaped};

/// The maximum number of member names in a message.
const NAMES: usize = 3;
/// The maximum length of each, in characters.
const NAME: usize = 40;

/// The beginning of a message about an object that lacks the required members.
pub(crate) const LACKS: &str = "expected an object with ";

/// Explains why a complete body is not the response: the missing members, and those that it has instead. Other messages stay unchanged.
pub(crate) fn of_the_whole(message: String, body: &str) -> String {
    let problem = message.split(" at line ").next().unwrap_or(&message);
    let lacks = match problem.strip_prefix("missing field ") {
        Some(name) => format!("{LACKS}{name}"),
        None if problem.starts_with(LACKS) => problem.to_owned(),
        None => return message,
    };
    let (mut first, mut count) = (Vec::new(), 0);
    let state = State::new(Mode::Strict, Allowance::UNBOUNDED);
    let read = Reader::new(body, state).members(&mut |name, reader| {
        if first.len() < NAMES {
            // Names are quoted completely or not at all.
            first.push(match name.chars().nth(NAME) {
                None => format!("`{}`", escaped(&name, MESSAGE)),
                Some(_) => format!("a name of more than {NAME} characters"),
            });
        }
        count += 1;
        reader.skip()
    });
    match (read, first.as_slice()) {
        (Err(_), _) => message,
        (Ok(()), []) => format!("{lacks}; it is empty"),
        (Ok(()), all) => {
            let more = match count - all.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{lacks}; it has {}{more}", all.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unexpected_members_are_named_but_not_shown() {
        for (body, expected) in [
            ("{}", "expected an object with `data`; it is empty"),
            (
                r#"{"error": "secret"}"#,
                "expected an object with `data`; it has `error`",
            ),
            (
                r#"{"a": 1, "b": [], "c\n": {}, "d": 4, "e": 5}"#,
                r"expected an object with `data`; it has `a`, `b`, `c\n` and 2 more",
            ),
        ] {
            let message = "missing field `data` at line 1 column 2".to_owned();
            assert_eq!(of_the_whole(message, body), expected);
            let message = "expected an object with `data` at line 1 column 2".to_owned();
            assert_eq!(of_the_whole(message, body), expected);
        }
        let long = format!(r#"{{"{}": 1}}"#, "n".repeat(1_000_000));
        let message = of_the_whole("missing field `data`".to_owned(), &long);
        assert!(message.len() < 120, "{message}");
    }

    #[test]
    fn other_messages_stay_unchanged() {
        let message = "trailing characters at line 1 column 3";
        assert_eq!(of_the_whole(message.to_owned(), "{} x"), message);
    }
}

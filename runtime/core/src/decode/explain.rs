//! Decode errors in terms of JSON: serde names Rust types, including private ones.

use std::fmt;

use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};

use crate::secret::quotation::{MESSAGE, escaped};

/// The maximum number of member names in a message.
const NAMES: usize = 3;
/// The maximum length of each, in characters.
const NAME: usize = 40;

/// The beginning of a message about an object that lacks the required members.
pub(crate) const LACKS: &str = "expected an object with ";

/// Rewrites a message of serde without type names and without strings of the response, which may identify people or companies.
pub(crate) fn plain(message: &str) -> String {
    let (message, place) = match message.rfind(" at line ") {
        Some(at) => message.split_at(at),
        None => (message, ""),
    };
    if message.starts_with("data did not match any variant") {
        return format!("the value has none of the documented forms{place}");
    }
    let (found, expected) = match message.rfind(", expected ") {
        Some(at) => message.split_at(at),
        None => (message, ""),
    };
    let found = match found.strip_prefix("invalid type: ") {
        None if found.starts_with("invalid value: string ") => "invalid value: string".to_owned(),
        None => found.to_owned(),
        Some(found) if found.starts_with("string ") => "invalid type: string".to_owned(),
        Some(found) => {
            let kind = match found {
                "sequence" => "array",
                "map" => "object",
                "unit value" => "null",
                found => found,
            };
            format!(
                "invalid type: {}",
                kind.replacen("floating point", "number", 1)
            )
        }
    };
    let is_out_of_range = found.starts_with("invalid value: ");
    let expected = expected.strip_prefix(", expected ").map(|kind| match kind {
        "i8" | "i16" | "i32" | "i64" | "i128" | "u8" | "u16" | "u32" | "u64" | "u128"
            if is_out_of_range =>
        {
            "a whole number within range"
        }
        "i8" | "i16" | "i32" | "i64" | "i128" | "u8" | "u16" | "u32" | "u64" | "u128" => {
            "a whole number"
        }
        "f32" | "f64" => "a number",
        "a sequence" => "an array",
        "a map" => "an object",
        "unit" => "null",
        kind if kind.starts_with("struct ") => "an object",
        kind if kind.starts_with("enum ") => "one of the documented forms",
        kind if kind.starts_with("tuple ") => "an array",
        kind => kind,
    });
    let expected = expected.map_or_else(String::new, |kind| format!(", expected {kind}"));
    format!("{found}{expected}{place}")
}

/// Explains why a complete body is not the response: the missing members, and those that it has instead. Other messages stay unchanged.
pub(crate) fn of_the_whole(message: String, body: &str) -> String {
    let problem = message.split(" at line ").next().unwrap_or(&message);
    let lacks = match problem.strip_prefix("missing field ") {
        Some(name) => format!("{LACKS}{name}"),
        None if problem.starts_with(LACKS) => problem.to_owned(),
        None => return message,
    };
    let mut names = Names::default();
    let read = serde_json::Deserializer::from_str(body).deserialize_map(&mut names);
    match (read, names.first.as_slice()) {
        (Err(_), _) => message,
        (Ok(()), []) => format!("{lacks}; it is empty"),
        (Ok(()), first) => {
            let more = match names.count.saturating_sub(first.len()) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{lacks}; it has {}{more}", first.join(", "))
        }
    }
}

/// The first names of an object's members, and their total number.
#[derive(Default)]
struct Names {
    first: Vec<String>,
    count: usize,
}

impl<'de> Visitor<'de> for &mut Names {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, IgnoredAny)) = map.next_entry::<String, _>()? {
            if self.first.len() < NAMES {
                // Names are quoted completely or not at all.
                self.first.push(match name.chars().nth(NAME) {
                    None => format!("`{}`", escaped(&name, MESSAGE)),
                    Some(_) => format!("a name of more than {NAME} characters"),
                });
            }
            self.count += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_types_become_json_types() {
        for (message, expected) in [
            (
                "invalid type: string \"x\", expected struct NewsArticleWire at line 1 column 9",
                "invalid type: string, expected an object at line 1 column 9",
            ),
            (
                "invalid type: sequence, expected i64",
                "invalid type: array, expected a whole number",
            ),
            (
                "invalid type: map, expected a sequence",
                "invalid type: object, expected an array",
            ),
            (
                "invalid type: floating point `1.5`, expected u8",
                "invalid type: number `1.5`, expected a whole number",
            ),
            (
                "invalid value: integer `300`, expected u8",
                "invalid value: integer `300`, expected a whole number within range",
            ),
            (
                "invalid type: null, expected f64",
                "invalid type: null, expected a number",
            ),
            (
                "data did not match any variant of untagged enum Medium at line 1 column 2",
                "the value has none of the documented forms at line 1 column 2",
            ),
            // Quoted parts of a response are not mistaken for serde's words.
            (
                "invalid type: string \", expected i64\", expected a map",
                "invalid type: string, expected an object",
            ),
            (
                "expected value at line 1 column 1",
                "expected value at line 1 column 1",
            ),
            ("not UTF-8", "not UTF-8"),
        ] {
            assert_eq!(plain(message), expected);
        }
    }

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

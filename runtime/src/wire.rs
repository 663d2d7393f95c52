//! For generated code: `deserialize_with` functions for what services send where a document promises something else.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::credits::Credits;
use crate::word::UnknownWord;

/// Reads `null` as the type's default value: an array or a text that the service leaves out by writing `null`.
///
/// # Errors
///
/// Those of `T`, for anything but `null`.
pub fn null_as_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reads a list without its `null` elements; `null` itself is the empty list.
///
/// # Errors
///
/// Those of `T`, for an element that is neither.
pub fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let elements: Option<Vec<Option<T>>> = Option::deserialize(deserializer)?;
    Ok(elements.into_iter().flatten().flatten().collect())
}

/// Reads a map without the members that are `null`; `null` itself is the empty map.
///
/// # Errors
///
/// Those of `T`, for a member that is neither.
pub fn map<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let members: Option<BTreeMap<String, Option<T>>> = Option::deserialize(deserializer)?;
    Ok(members
        .into_iter()
        .flatten()
        .filter_map(|(key, member)| Some((key, member?)))
        .collect())
}

/// Reads what a call cost, and nothing where there is no sane amount: an answer that was paid for is not lost over its receipt.
///
/// A text, a negative number, one beyond what [`Credits`] can hold, a bool, an array and an object are all `None`.
///
/// # Errors
///
/// Only for text that is not JSON. It reads raw JSON, so it works with serde_json and not inside types that serde buffers.
pub fn credits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Credits>, D::Error> {
    // Raw, because serde_json fails on a number such as 1e999 before any visitor sees it.
    let raw: Box<RawValue> = Deserialize::deserialize(deserializer)?;
    Ok(Credits::from_json(raw.get()))
}

/// Reads one word of an open enumeration, without a copy of a word that is known.
///
/// # Errors
///
/// For anything but a text.
pub fn word<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: for<'w> From<&'w str>,
{
    read_word(deserializer, |word| Ok(T::from(word)))
}

/// Reads one word of a closed list.
///
/// # Errors
///
/// For anything but a text, and for a text that is not on the list.
pub fn known_word<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = UnknownWord>,
{
    read_word(deserializer, str::parse)
}

fn read_word<'de, D, T>(
    deserializer: D,
    read: impl Fn(&str) -> Result<T, UnknownWord>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    struct Word<F>(F);

    impl<T, F: Fn(&str) -> Result<T, UnknownWord>> Visitor<'_> for Word<F> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a word")
        }

        fn visit_str<E: Error>(self, word: &str) -> Result<T, E> {
            (self.0)(word).map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Word(read))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Receipt {
        #[serde(default, deserialize_with = "credits")]
        cost: Option<Credits>,
        #[serde(default, deserialize_with = "null_as_default")]
        notes: Vec<u8>,
    }

    #[test]
    fn what_is_no_amount_is_none_and_never_a_failure() {
        for (cost, expected) in [
            ("2", Some(2_000_000)),
            ("1.5", Some(1_500_000)),
            ("0", Some(0)),
            ("null", None),
            ("\"2\"", None),
            ("-1", None),
            ("1e300", None),
            ("1e999", None),
            ("99999999999999999999", None),
            ("true", None),
            ("[2]", None),
            (r#"{"amount": 2}"#, None),
        ] {
            let receipt: Receipt = serde_json::from_str(&format!(r#"{{"cost": {cost}}}"#)).unwrap();
            assert_eq!(receipt.cost.map(Credits::micros), expected, "{cost}");
        }
        let receipt: Receipt = serde_json::from_str("{}").unwrap();
        assert_eq!(receipt.cost, None);
        assert!(serde_json::from_str::<Receipt>(r#"{"cost": 1..2}"#).is_err());
    }

    #[test]
    fn null_is_the_default_and_a_wrong_type_still_fails() {
        for (notes, expected) in [("null", vec![]), ("[]", vec![]), ("[1]", vec![1])] {
            let receipt: Receipt =
                serde_json::from_str(&format!(r#"{{"notes": {notes}}}"#)).unwrap();
            assert_eq!(receipt.notes, expected, "{notes}");
        }
        assert!(serde_json::from_str::<Receipt>(r#"{"notes": 1}"#).is_err());
    }

    #[test]
    fn a_word_is_a_text_and_nothing_else() {
        #[derive(Debug, PartialEq)]
        struct Shout(String);

        impl From<&str> for Shout {
            fn from(word: &str) -> Self {
                Self(word.to_uppercase())
            }
        }

        impl FromStr for Shout {
            type Err = UnknownWord;

            fn from_str(word: &str) -> Result<Self, UnknownWord> {
                match word {
                    "a" => Ok(Self::from(word)),
                    _ => Err(UnknownWord::new(word, &["a", "b"])),
                }
            }
        }

        let open = |json| word::<_, Shout>(&mut serde_json::Deserializer::from_str(json));
        // An escape, which cannot be borrowed from the text.
        assert_eq!(open(r#""\u0061""#).unwrap(), Shout("A".to_owned()));
        assert!(open("1").is_err());
        let closed = |json| known_word::<_, Shout>(&mut serde_json::Deserializer::from_str(json));
        assert_eq!(closed(r#""a""#).unwrap(), Shout("A".to_owned()));
        let refusal = closed(r#""c""#).unwrap_err().to_string();
        assert!(refusal.contains("`c` is none of a, b"), "{refusal}");
    }

    #[test]
    fn nulls_inside_of_lists_and_maps_are_left_out() {
        let read = |json| list::<_, u8>(&mut serde_json::Deserializer::from_str(json));
        for (json, expected) in [("[1,null,2]", vec![1, 2]), ("null", vec![]), ("[]", vec![])] {
            assert_eq!(read(json).unwrap(), expected, "{json}");
        }
        assert!(read(r#"["a"]"#).is_err());
        let read = |json| map::<_, u8>(&mut serde_json::Deserializer::from_str(json));
        for (json, expected) in [
            (r#"{"a":1,"b":null}"#, vec![("a".to_owned(), 1)]),
            ("null", vec![]),
        ] {
            assert!(read(json).unwrap().into_iter().eq(expected), "{json}");
        }
        assert!(read(r#"{"a":"b"}"#).is_err());
    }
}

//! Values of enumerations.

use std::fmt;
use std::str::FromStr;

use serde::Deserializer;
use serde::de::{Error, Visitor};

use crate::decode::enums::ParseEnumError;

/// Reads one value of an open enumeration, without a copy of a known one.
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

/// Reads one value of a closed enumeration.
///
/// # Errors
///
/// For anything but a text, and for a text that is not on the list.
pub fn known_word<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = ParseEnumError>,
{
    read_word(deserializer, str::parse)
}

fn read_word<'de, D, T>(
    deserializer: D,
    read: impl Fn(&str) -> Result<T, ParseEnumError>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    struct Word<F>(F);

    impl<T, F: Fn(&str) -> Result<T, ParseEnumError>> Visitor<'_> for Word<F> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
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
            type Err = ParseEnumError;

            fn from_str(word: &str) -> Result<Self, ParseEnumError> {
                match word {
                    "a" => Ok(Self::from(word)),
                    _ => Err(ParseEnumError::new(word, &["a", "b"])),
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
}

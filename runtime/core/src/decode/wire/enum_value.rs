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
pub fn enum_value<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: for<'w> From<&'w str>,
{
    read_enum_value(deserializer, |value| Ok(T::from(value)))
}

/// Reads one value of a closed enumeration.
///
/// # Errors
///
/// For anything but a text, and for a text that is not on the list.
pub fn known_enum_value<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = ParseEnumError>,
{
    read_enum_value(deserializer, str::parse)
}

fn read_enum_value<'de, D, T>(
    deserializer: D,
    read: impl Fn(&str) -> Result<T, ParseEnumError>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    struct Text<F>(F);

    impl<T, F: Fn(&str) -> Result<T, ParseEnumError>> Visitor<'_> for Text<F> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: Error>(self, value: &str) -> Result<T, E> {
            (self.0)(value).map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Text(read))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_enum_value_is_a_text_and_nothing_else() {
        #[derive(Debug, PartialEq)]
        struct Shout(String);

        impl From<&str> for Shout {
            fn from(value: &str) -> Self {
                Self(value.to_uppercase())
            }
        }

        impl FromStr for Shout {
            type Err = ParseEnumError;

            fn from_str(value: &str) -> Result<Self, ParseEnumError> {
                match value {
                    "a" => Ok(Self::from(value)),
                    _ => Err(ParseEnumError::new(value, &["a", "b"])),
                }
            }
        }

        let open = |json| enum_value::<_, Shout>(&mut serde_json::Deserializer::from_str(json));
        // An escape, which cannot be borrowed from the text.
        assert_eq!(open(r#""\u0061""#).unwrap(), Shout("A".to_owned()));
        assert!(open("1").is_err());
        let closed =
            |json| known_enum_value::<_, Shout>(&mut serde_json::Deserializer::from_str(json));
        assert_eq!(closed(r#""a""#).unwrap(), Shout("A".to_owned()));
        let refusal = closed(r#""c""#).unwrap_err().to_string();
        assert!(refusal.contains("`c` is none of a, b"), "{refusal}");
    }
}

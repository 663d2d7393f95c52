//! A value of another crate's type, sent as a string, or the value that was sent instead.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[cfg(any(feature = "chrono", feature = "jiff"))]
use super::TextDate;
use super::string_or_json::StringOrJson;
use crate::decode::failure::Failure;
use crate::decode::read::Read;
use crate::decode::reader::Reader;
use crate::document::shape::{Shape, Shaped};

/// A type that strings of one format are parsed as: an instant, a date, a UUID.
///
/// ```
/// use generated_client::values::{Format, Native, ParseNativeError};
///
/// #[derive(Debug, PartialEq)]
/// struct Year(i16);
///
/// impl Format for Year {
///     const EXPECTED: &'static str = "a year";
///
///     fn read(text: &str) -> Option<Self> {
///         text.parse().ok().map(Self)
///     }
///
///     fn write(&self) -> String {
///         self.0.to_string()
///     }
/// }
///
/// let sent: Native<Year> = Year(2024).into();
/// assert_eq!((sent.as_str(), sent.get()), ("2024", Some(&Year(2024))));
/// let other: Native<Year> = serde_json::from_str(r#""soon""#)?;
/// assert_eq!((other.as_str(), other.get()), ("soon", None));
/// let wrong: Result<Native<Year>, ParseNativeError> = "soon".parse();
/// assert_eq!(wrong.unwrap_err().to_string(), "`soon` is not a year");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub trait Format: Sized {
    /// The expected format, for messages.
    const EXPECTED: &'static str;

    /// Parses a string; `None` if it has another format.
    fn read(text: &str) -> Option<Self>;

    /// Writes a value in the format.
    fn write(&self) -> String;
}

/// The error for a string that is not a valid value of the type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {expected}")]
pub struct ParseNativeError {
    text: String,
    expected: &'static str,
}

/// A value of type `T`, sent as a string, or the value that was sent instead.
///
/// Decoding never fails: a value of another form is kept, [`get`](Self::get) returns `None` for it, and it is written back unchanged.
/// Callers make one from a `T` or by parsing. An argument that is not a valid `T` is refused before anything is sent. Two values are equal
/// if their JSON is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Native<T> {
    sent: StringOrJson,
    value: Option<T>,
}

impl<T> Native<T> {
    /// Returns the value; `None` if a value of another form was sent.
    pub fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// Returns the value, or the one that was sent instead.
    ///
    /// # Errors
    ///
    /// The string that was sent; the JSON of another kind of value.
    pub fn into_value(self) -> Result<T, String> {
        let sent = self.sent;
        self.value.ok_or_else(|| sent.into_string())
    }

    /// Returns whether a string was sent.
    pub fn is_text(&self) -> bool {
        self.sent.is_text()
    }

    /// Returns the string that was sent, or the JSON of another kind of value.
    pub fn as_str(&self) -> &str {
        self.sent.as_str()
    }
}

impl<T: Format> Native<T> {
    fn of(sent: StringOrJson) -> Self {
        let value = sent.is_text().then(|| T::read(sent.as_str())).flatten();
        Self { sent, value }
    }
}

impl<T: Format> From<T> for Native<T> {
    fn from(value: T) -> Self {
        Self {
            sent: StringOrJson::text(value.write()),
            value: Some(value),
        }
    }
}

impl<T: Clone> From<&Self> for Native<T> {
    fn from(other: &Self) -> Self {
        other.clone()
    }
}

/// Makes an empty string, which is not a valid value.
impl<T> Default for Native<T> {
    fn default() -> Self {
        Self {
            sent: StringOrJson::default(),
            value: None,
        }
    }
}

impl<T: Format> std::str::FromStr for Native<T> {
    type Err = ParseNativeError;

    fn from_str(text: &str) -> Result<Self, ParseNativeError> {
        let read = Self::of(StringOrJson::text(text.to_owned()));
        if read.value.is_some() {
            Ok(read)
        } else {
            Err(ParseNativeError {
                text: text.to_owned(),
                expected: T::EXPECTED,
            })
        }
    }
}

impl<T: Format> Shaped for Native<T> {
    const SHAPE: &'static Shape = &Shape::Text;
}

impl<T: Format> Read for Native<T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        StringOrJson::read(reader).map(Self::of)
    }
}

impl<'de, T: Format> Deserialize<'de> for Native<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StringOrJson::deserialize(deserializer).map(Self::of)
    }
}

/// Writes the value unchanged.
impl<T> Serialize for Native<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.sent.serialize(serializer)
    }
}

/// Shows the value that was sent.
impl<T> std::fmt::Debug for Native<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.sent.fmt(f)
    }
}

/// Writes a string without quotes; anything else as JSON.
impl<T> std::fmt::Display for Native<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// Implements the format for a type with conversions from and to [`TextDate`].
#[cfg(any(feature = "chrono", feature = "jiff"))]
macro_rules! of_dates {
    ($alias:ident, $type:ty, $expected:literal, $feature:literal, $read:expr) => {
        #[doc = concat!("With the feature `", $feature, "`: ", $expected, ", or what was sent instead.")]
        pub type $alias = Native<$type>;

        impl Format for $type {
            const EXPECTED: &'static str = $expected;

            fn read(text: &str) -> Option<Self> {
                $read(&TextDate::from(text))
            }

            fn write(&self) -> String {
                TextDate::from(*self).to_string()
            }
        }
    };
}

#[cfg(feature = "jiff")]
of_dates!(
    JiffDate,
    jiff::civil::Date,
    "a date",
    "jiff",
    |text: &TextDate| text.is_date_only().then(|| text.to_jiff_date()).flatten()
);
#[cfg(feature = "jiff")]
of_dates!(
    JiffTimestamp,
    jiff::Timestamp,
    "an instant",
    "jiff",
    TextDate::to_jiff_timestamp
);
#[cfg(feature = "chrono")]
of_dates!(
    ChronoDate,
    chrono::NaiveDate,
    "a date",
    "chrono",
    |text: &TextDate| text.is_date_only().then(|| text.to_chrono_date()).flatten()
);
#[cfg(feature = "chrono")]
of_dates!(
    ChronoDateTime,
    chrono::DateTime<chrono::FixedOffset>,
    "an instant",
    "chrono",
    TextDate::to_chrono_zoned
);

/// A UUID, or the value that was sent instead. Requires the feature `uuid`.
#[cfg(feature = "uuid")]
pub type NativeUuid = Native<uuid::Uuid>;

#[cfg(feature = "uuid")]
impl Format for uuid::Uuid {
    const EXPECTED: &'static str = "a UUID";

    fn read(text: &str) -> Option<Self> {
        super::TextUuid::from(text).to_uuid()
    }

    fn write(&self) -> String {
        self.to_string()
    }
}

#[cfg(all(test, feature = "jiff", feature = "chrono", feature = "uuid"))]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_the_format_is_parsed_and_another_is_kept() {
        let read = |json: &str| -> JiffTimestamp { serde_json::from_str(json).unwrap() };
        let instant = read(r#""2024-05-06T07:08:09+02:00""#);
        let expected: jiff::Timestamp = "2024-05-06T05:08:09Z".parse().unwrap();
        assert_eq!(instant.get(), Some(&expected));
        assert_eq!(instant.as_str(), "2024-05-06T07:08:09+02:00");
        for json in [
            r#""soon""#,
            r#""""#,
            "null",
            "17",
            r#"{"a":[1]}"#,
            r#""2024-05-06""#,
        ] {
            let other = read(json);
            assert_eq!(other.get(), None, "{json}");
            assert_eq!(serde_json::to_string(&other).unwrap(), json);
        }
    }

    #[test]
    fn a_value_of_the_caller_is_written_in_the_format() {
        let date: chrono::NaiveDate = "2024-05-06".parse().unwrap();
        assert_eq!(ChronoDate::from(date).to_string(), "2024-05-06");
        let uuid = uuid::Uuid::from_u128(7);
        let written = NativeUuid::from(uuid);
        assert_eq!(written.as_str(), "00000000-0000-0000-0000-000000000007");
        assert_eq!(written.into_value(), Ok(uuid));
        let refused = "not a uuid".parse::<NativeUuid>().unwrap_err();
        assert_eq!(refused.to_string(), "`not a uuid` is not a UUID");
        let offset = "2024-05-06T07:08:09+02:00"
            .parse::<ChronoDateTime>()
            .unwrap();
        let again = ChronoDateTime::from(*offset.get().unwrap());
        assert_eq!(again, offset);
        assert!("2024-05-06T07:08".parse::<JiffDate>().is_err());
    }
}

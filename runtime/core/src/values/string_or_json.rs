//! The value of a documented string: the string, or the JSON that was sent instead.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::decode::bridge::deserialize;
use crate::decode::failure::Failure;
use crate::decode::read::Read;
use crate::decode::reader::Reader;

/// A string, or the original JSON of any other value, with all digits of a number.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StringOrJson {
    text: String,
    is_json: bool,
}

impl StringOrJson {
    pub(super) fn text(text: String) -> Self {
        Self {
            text,
            is_json: false,
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn into_string(self) -> String {
        self.text
    }

    pub(super) fn is_text(&self) -> bool {
        !self.is_json
    }

    /// Returns the string without the spaces around it; `None` for another kind of value.
    pub(super) fn trimmed(&self) -> Option<&str> {
        self.is_text().then(|| self.text.trim())
    }
}

impl PartialEq<str> for StringOrJson {
    fn eq(&self, text: &str) -> bool {
        self.is_text() && self.text == text
    }
}

impl Read for StringOrJson {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        // A string with half of a surrogate pair is valid JSON, but not a Rust string.
        if let Some(text) = reader.text_if_string()? {
            return Ok(Self::text(text));
        }
        Ok(Self {
            text: reader.raw()?.to_owned(),
            is_json: true,
        })
    }
}

impl<'de> Deserialize<'de> for StringOrJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl Serialize for StringOrJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.is_text() {
            return serializer.serialize_str(&self.text);
        }
        let raw: &RawValue = serde_json::from_str(&self.text).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl fmt::Debug for StringOrJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_text() {
            write!(f, "{:?}", self.text)
        } else {
            f.write_str(&self.text)
        }
    }
}

/// Implements the conversions and comparisons of a type around the sent value.
macro_rules! string_type {
    ($type:ident) => {
        impl $type {
            /// Returns whether a string was sent.
            pub fn is_text(&self) -> bool {
                self.0.is_text()
            }
        }

        impl $crate::document::Shaped for $type {
            const SHAPE: &'static $crate::document::Shape = &$crate::document::Shape::Text;
        }

        impl $crate::wire::Read for $type {
            fn read(reader: &mut $crate::wire::Reader<'_>) -> Result<Self, $crate::wire::Failure> {
                $crate::wire::Read::read(reader).map(Self)
            }
        }

        impl From<&str> for $type {
            fn from(text: &str) -> Self {
                Self::from(text.to_owned())
            }
        }

        impl From<String> for $type {
            fn from(text: String) -> Self {
                Self($crate::values::string_or_json::StringOrJson::text(text))
            }
        }

        impl From<&String> for $type {
            fn from(text: &String) -> Self {
                Self::from(text.as_str())
            }
        }

        impl From<&Self> for $type {
            fn from(other: &Self) -> Self {
                other.clone()
            }
        }

        /// Only strings can be equal to a string.
        impl PartialEq<str> for $type {
            fn eq(&self, text: &str) -> bool {
                self.0 == *text
            }
        }

        impl PartialEq<&str> for $type {
            fn eq(&self, text: &&str) -> bool {
                self.0 == **text
            }
        }
    };
}

pub(super) use string_type;

//! The common parts of types that keep a JSON value: access to it, and its serialization.

/// Implements a type around a JSON value that usually is a string.
macro_rules! value_type {
    ($type:ident) => {
        impl $type {
            /// Returns the value that was sent.
            pub fn into_value(self) -> serde_json::Value {
                self.0
            }

            /// Returns the string that was sent; `None` for another kind of value.
            pub fn as_str(&self) -> Option<&str> {
                self.0.as_str()
            }
        }

        impl $crate::wire::Read for $type {
            fn read(reader: &mut $crate::wire::Reader<'_>) -> Result<Self, $crate::wire::Failure> {
                $crate::wire::Read::read(reader).map(Self)
            }
        }

        /// Makes an empty string.
        impl Default for $type {
            fn default() -> Self {
                Self::from("")
            }
        }

        impl From<serde_json::Value> for $type {
            fn from(value: serde_json::Value) -> Self {
                Self(value)
            }
        }

        /// Writes a string without quotes; anything else as JSON.
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match &self.0 {
                    serde_json::Value::String(text) => f.pad(text),
                    other => f.pad(&other.to_string()),
                }
            }
        }

        impl From<&str> for $type {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $type {
            fn from(text: String) -> Self {
                Self(text.into())
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

        impl PartialEq<str> for $type {
            fn eq(&self, text: &str) -> bool {
                self.as_str() == Some(text)
            }
        }

        impl PartialEq<&str> for $type {
            fn eq(&self, text: &&str) -> bool {
                self.as_str() == Some(text)
            }
        }
    };
}

pub(super) use value_type;

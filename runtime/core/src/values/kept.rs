//! What all values have in common: access to what was sent, and writing it out again.

/// A type around the JSON value that was sent, for what is usually a text.
macro_rules! kept_text {
    ($type:ident) => {
        impl $type {
            /// What was sent, of whatever kind.
            pub fn as_value(&self) -> &serde_json::Value {
                &self.0
            }

            /// What was sent, by value.
            pub fn into_value(self) -> serde_json::Value {
                self.0
            }

            /// The text that was sent; `None` when it was another kind of value.
            pub fn as_str(&self) -> Option<&str> {
                self.0.as_str()
            }
        }

        /// An empty text.
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

        /// A text as it was sent, without quotes; anything else as JSON.
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

pub(super) use kept_text;

//! The accessors of a documented string that may be shown.

/// Implements the accessors of types that may be shown.
macro_rules! shown_string {
    ($type:ident) => {
        impl $type {
            /// Returns the string that was sent, or the JSON of another kind of value.
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl AsRef<str> for $type {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl From<$type> for String {
            fn from(text: $type) -> Self {
                text.0.into_string()
            }
        }

        impl From<&$type> for String {
            fn from(text: &$type) -> Self {
                text.as_str().to_owned()
            }
        }

        /// Writes a string without quotes; anything else as JSON.
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

pub(super) use shown_string;

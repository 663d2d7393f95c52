//! Closed enumerations.

/// A text that is none of the values of a closed enumeration.
///
/// ```
/// use generated_client::error::ParseEnumError;
///
/// // As the `FromStr` of a closed enumeration makes it.
/// let error = ParseEnumError::new("tall", &["small", "large"]);
/// assert_eq!((error.value(), error.known()), ("tall", ["small", "large"].as_slice()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is none of {}", .known.join(", "))]
pub struct ParseEnumError {
    value: String,
    known: &'static [&'static str],
}

impl ParseEnumError {
    /// For generated code.
    pub fn new(value: &str, known: &'static [&'static str]) -> Self {
        Self {
            value: value.to_owned(),
            known,
        }
    }

    /// The text.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// The values of the enumeration.
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

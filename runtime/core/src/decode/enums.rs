//! Closed enumerations.

/// The error for a string that is not a value of a closed enumeration.
///
/// ```
/// use generated_client::error::ParseEnumError;
///
/// // Made by the `FromStr` of a closed enumeration.
/// let error = ParseEnumError::new("tall", &["small", "large"]);
/// assert_eq!((error.value(), error.known()), ("tall", ["small", "large"].as_slice()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid value `{value}`: expected one of `{}`", .known.join("`, `"))]
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

    /// Returns the string.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns the values of the enumeration.
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

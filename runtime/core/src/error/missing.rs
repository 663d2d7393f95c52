/// A response lacks a value that the next call needs.
///
/// ```
/// use generated_client::error::MissingValue;
///
/// let error = MissingValue::new("Book", "id");
/// assert_eq!(error.to_string(), "`Book` has no `id`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{of}` has no `{property}`")]
pub struct MissingValue {
    of: &'static str,
    property: &'static str,
}

impl MissingValue {
    /// Makes the error. For generated code.
    pub const fn new(of: &'static str, property: &'static str) -> Self {
        Self { of, property }
    }

    /// Returns the name of the property in the document.
    pub const fn property(&self) -> &'static str {
        self.property
    }
}

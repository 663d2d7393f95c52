//! Bounds of values.

/// Bounds of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// Least value.
    pub minimum: Option<serde_json::Number>,
    /// Greatest value.
    pub maximum: Option<serde_json::Number>,
    /// Least number of characters.
    pub min_length: Option<u64>,
    /// Greatest number of characters.
    pub max_length: Option<u64>,
    /// A number that values have to be above.
    pub above: Option<serde_json::Number>,
    /// A number that values have to be below.
    pub below: Option<serde_json::Number>,
    /// Numbers that values are multiples of.
    pub multiples_of: Vec<serde_json::Number>,
    /// The format of each string.
    pub format: Option<TextFormat>,
    /// Patterns that occur in each string.
    pub patterns: Vec<String>,
    /// Least number of elements of a list.
    pub min_items: Option<u64>,
    /// Greatest number of elements of a list.
    pub max_items: Option<u64>,
    /// True if no element of a list occurs twice.
    pub unique_items: bool,
}

/// A format of strings that a client checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    /// A date.
    Date,
    /// A date with a time of day.
    DateTime,
    /// A UUID.
    Uuid,
}

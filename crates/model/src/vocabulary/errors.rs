//! Payloads of an operation's error responses, by their status codes.

use super::place::Place;

/// The documented errors of an operation: one schema, or several that an enum distinguishes.
#[derive(Clone, Debug, PartialEq)]
pub struct Errors {
    /// The enum, among the types; `None` for one schema. Operations with equal schemas share it.
    pub enumeration: Option<String>,
    /// The schemas, each once, by the names of their variants.
    pub variants: Vec<ErrorVariant>,
}

/// A schema of error responses.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorVariant {
    /// Its variant of the enum.
    pub name: String,
    /// The schema.
    pub schema: Place,
    /// The status codes, ranges such as `4XX`, or `default`, in the order of the document.
    pub statuses: Vec<String>,
}

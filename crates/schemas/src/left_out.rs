//! Operations that a client does not have.

/// An operation of the document that the crate does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// HTTP method, as sent.
    pub method: String,
    /// Path template.
    pub path: String,
    /// Reason, as one sentence.
    pub reason: String,
    /// JSON Pointer of the operation.
    pub pointer: String,
}

impl LeftOut {
    /// Creates a row. `reason` is a clause without a capital and a full stop.
    pub fn new(method: &str, path: &str, reason: &str, pointer: &str) -> Self {
        let mut characters = reason.chars();
        let first = characters.next().into_iter().flat_map(char::to_uppercase);
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            reason: first.chain(characters).chain(['.']).collect(),
            pointer: pointer.to_owned(),
        }
    }
}

//! Operations that a client does not have.

/// An operation of the document that the crate does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// HTTP method, as sent.
    pub method: String,
    /// Path template.
    pub path: String,
    /// Reason, as a clause without a capital and a full stop.
    pub reason: String,
    /// JSON Pointer of the operation.
    pub pointer: String,
}

impl LeftOut {
    /// Creates a row.
    pub fn new(method: &str, path: &str, reason: impl Into<String>, pointer: &str) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            reason: reason.into(),
            pointer: pointer.to_owned(),
        }
    }

    /// Returns the reason as a sentence.
    pub fn sentence(&self) -> String {
        let mut characters = self.reason.chars();
        let first = characters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(characters).chain(['.']).collect()
    }

    /// Returns the message of the warning about it.
    pub fn message(&self) -> String {
        format!(
            "`{} {}` is left out: {}",
            self.method, self.path, self.reason
        )
    }
}

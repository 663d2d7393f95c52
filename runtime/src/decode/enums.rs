//! The words of a closed list.

/// A text that is none of the words that it had to be one of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is none of {}", .known.join(", "))]
pub struct ParseEnumError {
    word: String,
    known: &'static [&'static str],
}

impl ParseEnumError {
    /// For generated code.
    pub fn new(word: &str, known: &'static [&'static str]) -> Self {
        Self {
            word: word.to_owned(),
            known,
        }
    }

    /// The text.
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The words that it could have been.
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

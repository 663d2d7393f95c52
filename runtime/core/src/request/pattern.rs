//! Patterns of texts, in the part of ECMA-262's syntax that is matched in linear time. The generator leaves the others out.

use std::sync::OnceLock;

use regex_lite::Regex;

/// A pattern of a document, compiled when it is first used. Declare it as a `static`.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern as the document writes it.
    pub const fn new(source: &'static str) -> Self {
        Self {
            source,
            compiled: OnceLock::new(),
        }
    }

    /// The pattern as the document writes it.
    pub(crate) fn source(&self) -> &'static str {
        self.source
    }

    /// Whether it occurs in a text. One that cannot be compiled occurs in every text, for it says nothing.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let compiled = self.compiled.get_or_init(|| Regex::new(self.source).ok());
        compiled.as_ref().is_none_or(|regex| regex.is_match(text))
    }
}

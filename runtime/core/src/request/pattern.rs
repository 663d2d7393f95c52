//! Patterns of strings, in the part of ECMA-262's syntax that is matched in linear time. The generator leaves the others out.

use std::sync::OnceLock;

use regex_lite::Regex;

/// A documented pattern, compiled on first use. Declare it as a `static`.
#[derive(Debug)]
pub struct Pattern {
    source: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// Makes a pattern from its source in the document.
    pub const fn new(source: &'static str) -> Self {
        Self {
            source,
            compiled: OnceLock::new(),
        }
    }

    /// Returns the pattern as the document writes it.
    pub(crate) fn source(&self) -> &'static str {
        self.source
    }

    /// Returns whether the pattern occurs in a string. A pattern that cannot be compiled occurs in every string.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let compiled = self.compiled.get_or_init(|| Regex::new(self.source).ok());
        compiled.as_ref().is_none_or(|regex| regex.is_match(text))
    }
}

//! The findings of the reader: what stops the document or takes an extension back, and what the model leaves out.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use openapi_document::finding::{Finding, keep};
use openapi_document::source::Source;
use openapi_schemas::LeftOut;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A document, and the findings about it.
pub(super) struct Notes<'d> {
    pub(super) source: &'d Source,
    pub(super) findings: Vec<Finding>,
    pub(super) warnings: Vec<Finding>,
    pub(super) left_out: Vec<LeftOut>,
    /// Hashes of the warnings: many operations may refer to one place, and a document may have a million.
    warned: HashSet<u64>,
}

impl<'d> Notes<'d> {
    pub(super) fn new(source: &'d Source) -> Self {
        Self {
            source,
            findings: Vec::new(),
            warnings: Vec::new(),
            left_out: Vec::new(),
            warned: HashSet::new(),
        }
    }

    /// Notes what is less than the document has.
    pub(super) fn warn(
        &mut self,
        rule: &'static str,
        at: &str,
        message: impl Into<String>,
        help: &str,
    ) {
        let message: String = message.into();
        let mut hasher = DefaultHasher::new();
        (rule, at, &message).hash(&mut hasher);
        if !self.warned.insert(hasher.finish()) {
            return;
        }
        let finding = self.source.finding(rule, at, message, help);
        keep(&mut self.warnings, finding.warning());
    }

    /// Notes what stops the document, or an extension that is not read.
    pub(super) fn wrong(
        &mut self,
        rule: &'static str,
        at: &str,
        message: impl Into<String>,
        help: &str,
    ) {
        let finding = self.source.finding(rule, at, message, help);
        self.findings.push(finding);
    }

    /// Leaves an operation out, with a warning at the place of the reason.
    pub(super) fn leave_out(
        &mut self,
        rule: &'static str,
        at: &str,
        operation: LeftOut,
        help: &str,
    ) {
        self.warn(rule, at, operation.message(), help);
        self.left_out.push(operation);
    }

    /// Returns the extension `key` of the object at `pointer`, if it exists and has the right form.
    pub(super) fn extension<T: DeserializeOwned>(
        &mut self,
        pointer: &str,
        object: &Value,
        key: &str,
    ) -> Option<T> {
        let value = object.get(key)?;
        match serde_path_to_error::deserialize(value) {
            Ok(read) => Some(read),
            Err(error) => {
                let message = format!("`{key}` at `{}`: {}", error.path(), error.inner());
                let at = format!("{pointer}/{key}");
                let help = "correct it where it is written";
                self.wrong("extension-form", &at, message, help);
                None
            }
        }
    }
}

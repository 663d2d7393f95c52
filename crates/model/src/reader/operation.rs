//! The operation that is read, with notes.

use std::collections::BTreeMap;

use openapi_document::finding::{Finding, keep};
use openapi_document::source::Source;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::extension;
use super::ids::Ids;
use super::json::{is_true, text_of};
use super::schemas::SchemaRegistry;
use super::titles::Titles;
use crate::Place;

/// Reads one operation.
pub(super) struct Reader<'r, 'd> {
    pub(super) source: &'d Source,
    pub(super) registry: &'r mut SchemaRegistry<'d>,
    pub(super) findings: &'r mut Vec<Finding>,
    pub(super) warnings: &'r mut Vec<Finding>,
    pub(super) ids: &'r mut Ids<'d>,
    pub(super) titles: &'r mut Titles,
    /// Ids without their tails.
    pub(super) cuts: &'r BTreeMap<String, String>,
    /// The schemas of error responses that were read, by their places.
    pub(super) error_places: &'r mut BTreeMap<String, Place>,
    pub(super) path: &'r str,
    /// The location of the path item, references followed.
    pub(super) item_pointer: String,
    pub(super) pointer: String,
}

impl Reader<'_, '_> {
    /// Returns an extension of the operation.
    pub(super) fn extension<T: DeserializeOwned>(&mut self, value: &Value, key: &str) -> Option<T> {
        extension::read(self.source, &self.pointer, value, key, self.findings)
    }

    /// Notes what is less than the document has.
    pub(super) fn warn(
        &mut self,
        pointer: &str,
        rule: &'static str,
        message: impl Into<String>,
        help: &str,
    ) {
        let finding = self.source.finding(rule, pointer, message, help);
        keep(self.warnings, finding.warning());
    }

    /// Notes what stops the document.
    pub(super) fn wrong(&mut self, pointer: &str, rule: &'static str, message: impl Into<String>) {
        self.findings.push(self.source.finding(
            rule,
            pointer,
            message,
            "change the operation in an override, or remove it there",
        ));
    }
}

pub(super) fn texts(value: &Value, keys: &[&str]) -> Vec<String> {
    keys.iter()
        .filter_map(|key| text_of(value, key))
        .map(|text| text.trim().to_owned())
        .collect()
}

/// Returns the deprecation notice of an operation or a parameter.
pub(super) fn deprecated(value: &Value) -> Option<String> {
    is_true(value, "deprecated").then(|| "Deprecated by the provider.".to_owned())
}

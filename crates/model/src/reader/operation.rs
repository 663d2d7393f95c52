//! The operation that is read, with notes.

use std::collections::BTreeMap;

use openapi_document::json::{is_true, text_of};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::notes::Notes;
use super::schemas::SchemaRegistry;
use super::titles::Titles;
use crate::Place;

/// Reads one operation.
pub(super) struct Reader<'r, 'd> {
    pub(super) notes: &'r mut Notes<'d>,
    pub(super) registry: &'r mut SchemaRegistry<'d>,
    pub(super) ids: &'r BTreeMap<(&'d str, String), String>,
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
        self.notes.extension(&self.pointer, value, key)
    }
}

/// The help of a finding about an operation.
pub(super) const CHANGE: &str = "change the operation in an override, or remove it there";

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

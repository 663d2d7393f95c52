//! The features by which callers choose operations: their names, and the items that need them.

use std::collections::BTreeMap;

use openapi_model::Model;

use super::item::{Item, Kind};
use super::places;
use crate::emit;

/// The features of the crate; none when it is not split.
pub(super) fn features(model: &Model) -> Vec<Item> {
    let groups = &model.groups;
    let all = (!groups.is_empty()).then_some(emit::ALL_OPERATIONS);
    let names = groups.iter().map(|group| group.feature.as_str()).chain(all);
    names
        .map(|name| Item::new(Kind::Feature, "", name, format!("feature {name}")))
        .collect()
}

/// The features that types, builders and methods need, by their paths.
pub(super) fn needed(model: &Model) -> BTreeMap<String, String> {
    let schemas = model.schemas.iter();
    let mut features: BTreeMap<String, String> = schemas
        .filter_map(|one| Some((format!("types::{}", one.name), one.feature.clone()?)))
        .collect();
    for operation in &model.operations {
        if let Some(feature) = model.feature(operation) {
            let builder = &operation.type_name;
            for path in [
                format!("operations::{builder}"),
                format!("operations::{builder}Output"),
                format!("operations::{builder}Error"),
                places::method(model, operation),
            ] {
                features.insert(path, feature.to_owned());
            }
        }
    }
    features
}

/// Sets the feature that types, builders and methods need. Members follow their type.
pub(super) fn attribute(items: &mut [Item], needed: &BTreeMap<String, String>) {
    for item in items {
        if matches!(item.kind, Kind::Type | Kind::Function) {
            item.feature = needed.get(&item.path).cloned();
        }
    }
}

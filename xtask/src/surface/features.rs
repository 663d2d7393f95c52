//! The features by which callers choose operations: which there are, and what needs one.

use std::collections::BTreeMap;

use super::item::{Item, Kind};
use crate::emit::{self, Code};

/// The features of the crate; none when it is not split.
pub(super) fn features(code: &Code) -> Vec<Item> {
    let groups = &code.model.groups;
    let all = (!groups.is_empty()).then_some(emit::ALL_OPERATIONS);
    let names = groups.iter().map(|group| group.feature.as_str()).chain(all);
    names
        .map(|name| Item::new(Kind::Feature, "", name, format!("feature {name}")))
        .collect()
}

/// Says of types, builders and methods which feature they need. Members follow their type.
pub(super) fn attribute(items: &mut [Item], code: &Code) {
    let types = emit::features_of_types(code);
    let mut features: BTreeMap<String, &str> = types
        .iter()
        .map(|(name, feature)| (format!("types::{name}"), feature.as_str()))
        .collect();
    for operation in &code.model.operations {
        if let Some(feature) = code.model.feature(operation) {
            features.insert(format!("operations::{}", operation.type_name), feature);
            features.insert(
                format!("operations::{}Output", operation.type_name),
                feature,
            );
            features.insert(format!("Client::{}", operation.rust_name), feature);
        }
    }
    for item in items {
        if matches!(item.kind, Kind::Type | Kind::Function) {
            item.feature = features
                .get(&item.path)
                .map(|feature| (*feature).to_owned());
        }
    }
}

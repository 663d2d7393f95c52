//! Operations behind handles: those of a large document, by their first tag.
//!
//! A handle is a method of the client. Its methods have the names that operations have without handles, so that each is found by its id.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::json::text_of;
use openapi_document::source::Source;
use serde_json::Value;

use super::groups;
use super::titles::{CLIENT, PRELUDE};
use crate::extensions::Features;
use crate::{Handle, Model, names};

/// A document with more operations has handles, unless it decides. With this many methods, the list of the client no longer fits on two
/// screens.
const LARGE: usize = 40;

/// Puts the operations with a tag behind handles, and returns these by name; none if the client has all methods itself.
pub(super) fn handles(model: &mut Model, source: &Source) -> Vec<Handle> {
    for operation in &mut model.operations {
        let value = source.value.pointer(&operation.pointer);
        let usable = value.and_then(|value| groups::usable(&source.value, value));
        (operation.tag, operation.module) = match usable {
            Some((tag, name)) => (Some(tag.to_owned()), Some(name)),
            None => (None, None),
        };
    }
    if !is_wanted(model) {
        return Vec::new();
    }
    let mut names = Names::of(model);
    let mut handles: BTreeMap<String, Handle> = BTreeMap::new();
    for operation in &mut model.operations {
        let Some(tag) = &operation.tag else {
            continue;
        };
        let Some(name) = groups::name(groups::tag_name(&source.value, tag)) else {
            continue;
        };
        let handle = handles.entry(name).or_insert_with_key(|name| {
            let (name, type_name) = names.take(name);
            Handle {
                name,
                type_name,
                tags: Vec::new(),
                description: description(source, tag),
            }
        });
        if !handle.tags.contains(tag) {
            handle.tags.push(tag.clone());
        }
        operation.handle = Some(handle.name.clone());
    }
    let mut handles: Vec<Handle> = handles.into_values().collect();
    handles.sort_by(|one, other| one.name.cmp(&other.name));
    handles
}

/// Returns whether tags are in names of a crate with this `x-rust-package` and number of operations: it has a handle or a feature for each.
pub fn has_names_of_tags(package: Option<&Value>, operations: usize) -> bool {
    let chosen =
        ["handles", "features"].map(|member| package.and_then(|package| text_of(package, member)));
    chosen.contains(&Some("tags")) || chosen.contains(&None) && operations > LARGE
}

fn is_wanted(model: &Model) -> bool {
    match model.package.handles {
        Some(Features::None) => false,
        Some(Features::Tags) => true,
        None => model.operations.len() > LARGE,
    }
}

fn description(source: &Source, tag: &str) -> Option<String> {
    let declared = groups::declared(&source.value, tag)?;
    let text = text_of(declared, "description")?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The names that handles cannot have.
struct Names {
    methods: BTreeSet<String>,
    types: BTreeSet<String>,
}

impl Names {
    fn of(model: &Model) -> Self {
        let flat = model.operations.iter().filter(|one| one.tag.is_none());
        let flat = flat.map(|one| one.rust_name.clone());
        Self {
            methods: flat.chain(CLIENT.map(str::to_owned)).collect(),
            types: PRELUDE.map(str::to_owned).into(),
        }
    }

    /// The method and the type of a handle that would like this name.
    fn take(&mut self, wanted: &str) -> (String, String) {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while self.methods.contains(&name) || self.types.contains(&names::pascal(&name)) {
            name = match number {
                1 => format!("{wanted}_api"),
                number => format!("{wanted}_api_{number}"),
            };
            number += 1;
        }
        let ty = names::pascal(&name);
        self.methods.insert(name.clone());
        self.types.insert(ty.clone());
        (name, ty)
    }
}

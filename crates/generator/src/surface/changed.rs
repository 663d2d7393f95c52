//! Reduces two models to the parts whose Rust may differ, so that the rest is not generated. These are the parts that differ, and those
//! that lead to them. A part is a schema or an operation. The comparison covers everything that the emitters read of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use openapi_model::{Model, Operation, Place};

use super::item::Item;
use crate::operations::shared_charge;

/// Parts of two models, by their names in Rust.
pub(super) struct Changed {
    schemas: BTreeSet<String>,
    operations: BTreeSet<String>,
}

/// The parts that may differ; `None` if data differs that any part may read.
pub(super) fn changed(old: &Model, new: &Model) -> Option<Changed> {
    if of_all(old) != of_all(new) {
        return None;
    }
    let links = [Links::of(old), Links::of(new)];
    let mut changed = differing(texts(old), texts(new));
    for links in &links {
        let mut waiting: Vec<&str> = changed.iter().map(String::as_str).collect();
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            let above = links.above.get(name).into_iter().flatten();
            waiting.extend(above.filter(|name| reached.insert(name)));
        }
        changed.extend(reached.into_iter().map(str::to_owned).collect::<Vec<_>>());
    }
    let mut operations = BTreeMap::new();
    for (links, model) in links.iter().zip([old, new]) {
        for (operation, schemas) in model.operations.iter().zip(&links.operations) {
            let is_changed = schemas.iter().any(|name| changed.contains(*name));
            let texts: &mut Vec<Option<String>> =
                operations.entry(&operation.rust_name).or_default();
            texts.push((!is_changed).then(|| format!("{operation:?}")));
        }
    }
    let operations = operations.into_iter().filter(
        |(_, texts)| !matches!(texts.as_slice(), [Some(before), Some(after)] if before == after),
    );
    Some(Changed {
        operations: operations.map(|(name, _)| name.clone()).collect(),
        schemas: changed,
    })
}

impl Changed {
    /// The model of what may differ, and of all that this leads to.
    pub(super) fn part_of(&self, model: &Model) -> Model {
        let links = Links::of(model);
        let is_changed = |one: &&Operation| self.operations.contains(&one.rust_name);
        let mut kept: BTreeSet<&str> = BTreeSet::new();
        let mut waiting: Vec<&str> = self.schemas.iter().map(String::as_str).collect();
        for (operation, schemas) in model.operations.iter().zip(&links.operations) {
            if is_changed(&operation) {
                waiting.extend(schemas);
            }
        }
        while let Some(name) = waiting.pop() {
            if kept.insert(name) {
                waiting.extend(links.below.get(name).into_iter().flatten());
            }
        }
        let schemas = model.schemas.iter();
        let schemas = schemas.filter(|one| kept.contains(one.name.as_str()));
        let operations = model.operations.iter().filter(is_changed);
        model.with(schemas.cloned().collect(), operations.cloned().collect())
    }

    /// Returns whether an item belongs to a schema that the part contains only for others.
    pub(super) fn is_companion(&self, part: &Model, item: &Item) -> bool {
        let of = |path: &'_ str| {
            let name = path.strip_prefix("types::")?.split("::").next()?;
            Some(part.schema(name).is_some() && !self.schemas.contains(name))
        };
        of(&item.owner)
            .or_else(|| of(&item.path))
            .unwrap_or_default()
    }
}

/// Returns the data that all parts may read.
fn of_all(model: &Model) -> String {
    format!(
        "{:?}",
        (
            &model.package.name,
            &model.package.environment,
            &model.package.derives,
            &model.auth,
            &model.servers,
            &model.handles,
            &model.webhooks,
            &model.conversions,
            &model.pages,
            &model.waits,
            shared_charge(model),
        )
    )
}

/// Returns the names whose parts differ, or that one side lacks.
fn differing(old: BTreeMap<&str, String>, new: BTreeMap<&str, String>) -> BTreeSet<String> {
    let is_new = |name: &&&str| !old.contains_key(**name);
    let added = new.keys().filter(is_new);
    let differs = |(name, text): &(&&str, &String)| new.get(**name) != Some(*text);
    let differing = old.iter().filter(differs).map(|(name, _)| name);
    added
        .chain(differing)
        .map(|name| (*name).to_owned())
        .collect()
}

/// The schemas that each part of a model leads to.
struct Links<'m> {
    /// The schemas that a schema refers to.
    below: HashMap<&'m str, Vec<&'m str>>,
    /// The schemas that refer to a schema.
    above: HashMap<&'m str, Vec<&'m str>>,
    /// The schemas that each operation refers to, in the order of the model.
    operations: Vec<Vec<&'m str>>,
}

impl<'m> Links<'m> {
    fn of(model: &'m Model) -> Self {
        let mut below: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut above: HashMap<&str, Vec<&str>> = HashMap::new();
        for schema in &model.schemas {
            let names = schema.place.references();
            for name in &names {
                above.entry(name).or_default().push(&schema.name);
            }
            below.insert(&schema.name, names);
        }
        let schemas = |operation: &'m Operation| {
            let all = operation.sent().chain(operation.received());
            all.flat_map(Place::references).collect()
        };
        Self {
            below,
            above,
            operations: model.operations.iter().map(schemas).collect(),
        }
    }
}

/// Returns all that the emitters read of each schema.
fn texts(model: &Model) -> BTreeMap<&str, String> {
    let schemas = model.schemas.iter();
    schemas
        .map(|schema| (schema.name.as_str(), format!("{schema:?}")))
        .collect()
}

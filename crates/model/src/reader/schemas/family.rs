//! A parent and its children: the schemas that a discriminator chooses beside the alternatives that its object lists.

use std::collections::{BTreeMap, HashMap, HashSet};

use openapi_document::json::members_of;
use openapi_document::pointer;
use openapi_schemas::reading::component_schemas;
use serde_json::Value;

use super::forms::{Choice, Form, Formed};
use super::gather::gather;
use super::kind::Kind;
use super::written::Written;
use crate::Schema;

/// The children of a schema.
pub(super) struct Family<'d> {
    /// The discriminator that chooses them.
    pub(super) discriminator: &'d Value,
    /// The name of the parent in the document: a schema without a name may be one of them, too.
    pub(super) name: Option<String>,
    /// The children, the nearest first.
    children: Vec<Child<'d>>,
}

/// A child, references followed.
struct Child<'d> {
    schema: &'d Value,
    /// Its name in the document.
    name: Option<String>,
}

impl<'d> Family<'d> {
    /// Returns the children of a schema, if it has any.
    pub(super) fn read(written: &Written<'d>, parent: &'d Value) -> Option<Self> {
        // Most children have none themselves.
        if parent.get("discriminator").is_none()
            && written.component(parent).is_some()
            && written.document.borrow().descendants(parent).is_empty()
        {
            return None;
        }
        let reading = written.reading(parent);
        let found = reading.children;
        let discriminator = found.first()?.discriminator?;
        let name = reading.parts.into_iter().find_map(|part| {
            let name = written.component(part)?;
            let own = written.reading(part).children;
            let mut chosen = own.iter().filter_map(|one| one.discriminator);
            let is_parent = chosen.any(|one| std::ptr::eq(one, discriminator));
            is_parent.then(|| name.to_owned())
        });
        let mut children = Vec::new();
        let mut seen = HashSet::from([std::ptr::from_ref(parent)]);
        for one in found.iter().flat_map(|choice| &choice.alternatives) {
            let schema = written.resolve(one).schema;
            if seen.insert(schema) {
                let name = pointer::split_last(&written.pointer(one)).map(|(_, name)| name);
                children.push(Child { schema, name });
            }
        }
        (!children.is_empty()).then_some(Self {
            discriminator,
            name,
            children,
        })
    }

    /// Returns the children as alternatives beside their parent. Each that is a parent, too, is there without its own children.
    pub(super) fn alternatives(&self, written: &Written<'d>) -> Vec<Choice<'d>> {
        let children = self.children.iter().filter_map(|child| {
            let schema = child.schema;
            let is_object =
                Self::read(written, schema).is_none() && written.kind(schema) == Kind::Object;
            (is_object || itself(written, schema).is_some()).then(|| Choice {
                schema,
                name: child.name.clone(),
                is_itself: !is_object,
                chosen_by: Some(self.discriminator),
                nested_by: None,
                union: None,
                within: None,
            })
        });
        children.collect()
    }
}

/// Returns the object that a schema is without its children, and with the members of all its alternatives.
pub(super) fn itself<'d>(written: &Written<'d>, schema: &'d Value) -> Option<Formed<'d>> {
    let mut gathered = gather(written, schema);
    let groups = std::mem::take(&mut gathered.choices);
    let is_object = matches!(gathered.kind, None | Some("object"))
        && written.merge(&mut gathered, groups.into_iter().flatten().collect());
    is_object.then_some(Formed {
        gathered,
        form: Form::Object,
    })
}

/// Returns the addresses of the schemas that a component names in its mapping: each is a type, even if it adds nothing to its parent.
pub(super) fn chosen_by_parents(written: &Written<'_>) -> HashSet<*const Value> {
    let components = component_schemas(&written.source.value);
    let mut chosen = HashSet::new();
    for (_, parent) in components {
        let discriminator = parent.get("discriminator").unwrap_or(&Value::Null);
        let targets = members_of(discriminator, "mapping");
        let document = written.document.borrow();
        let schemas = targets.filter_map(|(_, target)| document.schema_named(target.as_str()?));
        let others = schemas.filter(|schema| !std::ptr::eq(*schema, parent));
        chosen.extend(others.map(std::ptr::from_ref));
    }
    chosen
}

/// Gives each parent without its children the name of its schema, if nothing refers to all of them.
pub(in crate::reader) fn name_parents(parents: &BTreeMap<String, String>, schemas: &mut [Schema]) {
    let taken: HashSet<&str> = schemas.iter().map(|schema| schema.name.as_str()).collect();
    let free = parents
        .iter()
        .filter(|(_, name)| !taken.contains(name.as_str()));
    let free: HashMap<String, String> = free
        .map(|(alone, name)| (alone.clone(), name.clone()))
        .collect();
    for schema in &mut *schemas {
        schema.place.rename(&free);
        if let Some(name) = free.get(&schema.name) {
            schema.name.clone_from(name);
            if let Some(at) = schema.pointer.strip_suffix("/discriminator") {
                schema.pointer = at.to_owned();
            }
        }
    }
    // A schema is found by its name.
    schemas.sort_by(|a, b| a.name.cmp(&b.name));
}

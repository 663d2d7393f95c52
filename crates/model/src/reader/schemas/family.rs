//! A parent and its children: the schemas that a discriminator chooses beside the alternatives that its object lists.

use std::collections::{BTreeMap, HashSet};

use openapi_document::pointer;
use openapi_schemas::reading::{Site, read};
use serde_json::Value;

use super::forms::{Choice, Form, Formed};
use super::gather::gather;
use super::kind::Kind;
use super::registry::COMPONENTS;
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
    pointer: String,
    /// Its name in the document.
    name: Option<String>,
}

impl<'d> Family<'d> {
    /// Returns the children of the schema at a pointer, if it has any.
    pub(super) fn read(written: &Written<'d>, at: &str) -> Option<Self> {
        let parent = written.source.value.pointer(at)?;
        let mut document = written.document.borrow_mut();
        // Most children have none themselves.
        if parent.get("discriminator").is_none()
            && document.component_of(parent).is_some()
            && document.descendants(parent).is_empty()
        {
            return None;
        }
        let reading = read(&mut document, &Site::new(Some(parent), parent));
        let found = reading.children;
        let discriminator = found.first()?.discriminator?;
        let name = reading.parts.into_iter().find_map(|part| {
            let name = document.component_of(part)?;
            let own = read(&mut document, &Site::new(Some(part), part)).children;
            let mut chosen = own.iter().filter_map(|one| one.discriminator);
            let is_parent = chosen.any(|one| std::ptr::eq(one, discriminator));
            is_parent.then(|| name.to_owned())
        });
        let mut children = Vec::new();
        let mut seen = HashSet::from([at.to_owned()]);
        for schema in found.iter().flat_map(|choice| &choice.alternatives) {
            let at_name = |name: &str| (pointer::join(COMPONENTS, name), *schema);
            let component = document.component_of(schema).map(at_name);
            let Some((own, schema)) = component.or_else(|| mapped(written, discriminator, schema))
            else {
                continue;
            };
            let resolved = written.resolve(schema, &own);
            if seen.insert(resolved.pointer.clone()) {
                children.push(Child {
                    schema: resolved.schema,
                    pointer: resolved.pointer,
                    name: pointer::split_last(&own).map(|(_, name)| name),
                });
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
            let (schema, pointer) = (child.schema, &child.pointer);
            let is_object = Self::read(written, pointer).is_none()
                && written.kind(schema, pointer) == Kind::Object;
            (is_object || itself(written, schema, pointer).is_some()).then(|| Choice {
                schema,
                pointer: pointer.clone(),
                name: child.name.clone(),
                is_itself: !is_object,
                chosen_by: Some(self.discriminator),
                within: None,
            })
        });
        children.collect()
    }
}

/// Returns the object that a schema is without its children, and with the members of all its alternatives.
pub(super) fn itself<'s, 'd: 's>(
    written: &Written<'d>,
    schema: &'s Value,
    at: &str,
) -> Option<Formed<'s>> {
    let mut gathered = gather(written, schema, at);
    let groups = std::mem::take(&mut gathered.choices);
    let is_object = matches!(gathered.kind, None | Some("object"))
        && written.merge(&mut gathered, groups.into_iter().flatten().collect());
    is_object.then_some(Formed {
        gathered,
        form: Form::Object,
    })
}

/// Returns the schema of a mapping's value, with its pointer.
fn mapped<'d>(
    written: &Written<'d>,
    discriminator: &Value,
    schema: &Value,
) -> Option<(String, &'d Value)> {
    let mapping = discriminator.get("mapping")?.as_object()?;
    let targets = mapping.values().filter_map(Value::as_str);
    let mut targets = targets.filter_map(|target| written.target(target));
    targets.find(|(_, target)| std::ptr::eq(*target, schema))
}

/// Returns the locations of the components that a parent names in its mapping: each is a type, even if it adds nothing to its parent.
pub(super) fn chosen_by_parents(written: &Written<'_>) -> HashSet<String> {
    let components = written.source.value.pointer(COMPONENTS);
    let components = components.and_then(Value::as_object).into_iter().flatten();
    let mut chosen = HashSet::new();
    for (key, parent) in components {
        let is_listed = ["oneOf", "anyOf"]
            .iter()
            .any(|list| parent.get(list).is_some());
        let mapping = parent
            .get("discriminator")
            .and_then(|one| one.get("mapping"));
        let targets = mapping.and_then(Value::as_object).filter(|_| !is_listed);
        let document = written.document.borrow();
        for target in targets.into_iter().flat_map(serde_json::Map::values) {
            let schema = target.as_str().and_then(|text| document.schema_named(text));
            let name = schema.and_then(|schema| document.component_of(schema));
            chosen.extend(
                name.filter(|name| name != key)
                    .map(|name| pointer::join(COMPONENTS, name)),
            );
        }
    }
    chosen
}

/// Gives each parent without its children the name of its schema, if nothing refers to all of them.
pub(in crate::reader) fn name_parents(parents: &BTreeMap<String, String>, schemas: &mut [Schema]) {
    let taken: HashSet<String> = schemas.iter().map(|schema| schema.name.clone()).collect();
    let free_name = |alone: &str| {
        let name = parents.get(alone)?;
        (!taken.contains(name)).then(|| name.clone())
    };
    for schema in schemas {
        schema.place.rename(&free_name);
        if let Some(name) = free_name(&schema.name) {
            schema.name = name;
            if let Some(at) = schema.pointer.strip_suffix("/discriminator") {
                schema.pointer = at.to_owned();
            }
        }
    }
}

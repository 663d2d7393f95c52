//! Gives every object, enumeration and composition of a document a named schema of its own, under its Rust name.
//! All facts stay on the schemas; only references are rewritten.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::finding::Finding;
use crate::names;
use crate::openapi::resolve;
use crate::pointer;
use crate::source::Source;

/// A schema under its Rust name, with where it stands in the document.
#[derive(Clone, Debug)]
pub(super) struct Hoisted {
    pub(super) name: String,
    pub(super) pointer: String,
    pub(super) value: Value,
}

/// What belongs to the property and not to the type when an inline schema gets a name.
const OF_THE_PLACE: [&str; 7] = [
    "description",
    "deprecated",
    "nullable",
    "default",
    "example",
    "x-rust-name",
    "x-rust-type",
];

const COMPONENTS: &str = "/components/schemas";

pub(super) struct Hoister<'d> {
    source: &'d Source,
    /// Pointer of a component schema → its Rust name, aliases resolved.
    names: BTreeMap<String, String>,
    taken: BTreeSet<String>,
    pub(super) schemas: Vec<Hoisted>,
    pub(super) findings: Vec<Finding>,
}

impl<'d> Hoister<'d> {
    /// Names all components and hoists what lies in them.
    pub(super) fn new(source: &'d Source) -> Self {
        let mut hoister = Self {
            source,
            names: BTreeMap::new(),
            taken: BTreeSet::new(),
            schemas: Vec::new(),
            findings: Vec::new(),
        };
        let components = source.value.pointer(COMPONENTS).and_then(Value::as_object);
        let own: Vec<(&String, &Value)> = components
            .into_iter()
            .flatten()
            .filter(|(_, schema)| schema.get("$ref").is_none())
            .collect();
        for (key, schema) in &own {
            let pointer = pointer::join(COMPONENTS, key);
            let name = names::pascal(rust_name(schema).unwrap_or(key));
            hoister.take(&name, &pointer);
            hoister.names.insert(pointer, name);
        }
        for (key, schema) in components.into_iter().flatten() {
            let pointer = pointer::join(COMPONENTS, key);
            if schema.get("$ref").is_some()
                && let Some((target, _)) = resolve(&source.value, &pointer)
                && let Some(name) = hoister.names.get(&target).cloned()
            {
                hoister.names.insert(pointer, name);
            }
        }
        for (key, schema) in own {
            let pointer = pointer::join(COMPONENTS, key);
            let name = hoister.names.get(&pointer).cloned().unwrap_or_default();
            let value = hoister.inside(schema, &name, &pointer);
            hoister.schemas.push(Hoisted {
                name,
                pointer,
                value,
            });
        }
        hoister
    }

    /// The value of a named schema.
    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        let mut schemas = self.schemas.iter();
        schemas.find(|one| one.name == name).map(|one| &one.value)
    }

    fn take(&mut self, name: &str, pointer: &str) {
        if !self.taken.insert(name.to_owned()) {
            self.findings.push(self.source.finding(
                "type-name",
                pointer,
                format!("two schemas become the Rust type `{name}`"),
                "rename one with `x-rust-name` in an override under overrides/generator/",
            ));
        }
    }

    /// A place that takes a schema: comes back as a reference or as a plain type.
    /// `hint` is the Rust name that an inline schema gets.
    pub(super) fn place(&mut self, schema: &Value, hint: &str, pointer: &str) -> Value {
        let Some(map) = schema.as_object() else {
            return Value::Object(Map::new());
        };
        if map.contains_key("$ref") {
            return self.reference(schema, pointer);
        }
        if let Some(wrapped) = only_wraps_a_reference(map) {
            let mut outer = map.clone();
            outer.shift_remove("allOf");
            outer.extend(wrapped.clone());
            return self.reference(&Value::Object(outer), &format!("{pointer}/allOf/0"));
        }
        if map.contains_key("x-rust-type") || !wants_a_name(map) {
            return self.inside(schema, hint, pointer);
        }
        let name = names::pascal(hint);
        self.take(&name, pointer);
        let mut value = self.inside(schema, &name, pointer);
        let mut reference = Map::new();
        reference.insert(
            "$ref".to_owned(),
            format!("#{}", pointer::join(COMPONENTS, &name)).into(),
        );
        if let Some(map) = value.as_object_mut() {
            for key in OF_THE_PLACE {
                if let Some(of_place) = map.get(key).cloned() {
                    reference.insert(key.to_owned(), of_place);
                }
            }
            map.shift_remove("x-rust-name");
            if map.get("x-aliases").is_some_and(Value::is_array)
                && let Some(aliases) = map.shift_remove("x-aliases")
            {
                reference.insert("x-aliases".to_owned(), aliases);
            }
        }
        self.schemas.push(Hoisted {
            name,
            pointer: pointer.to_owned(),
            value,
        });
        Value::Object(reference)
    }

    fn reference(&mut self, schema: &Value, pointer: &str) -> Value {
        let mut schema = schema.clone();
        let reference = schema.get("$ref").and_then(Value::as_str).unwrap_or("");
        let name = pointer::from_fragment(reference).and_then(|target| self.names.get(target));
        match name {
            Some(name) => {
                let target = format!("#{}", pointer::join(COMPONENTS, name));
                if let Some(slot) = schema.get_mut("$ref") {
                    *slot = target.into();
                }
            }
            None => self.findings.push(self.source.finding(
                "schema-reference",
                pointer,
                format!("`{reference}` is not a schema below {COMPONENTS}"),
                "move the schema there, or correct the reference, in an override",
            )),
        }
        schema
    }

    /// The same schema with everything below it hoisted.
    fn inside(&mut self, schema: &Value, name: &str, at: &str) -> Value {
        let Some(map) = schema.as_object() else {
            return Value::Object(Map::new());
        };
        let mut out = map.clone();
        for (key, value) in &mut out {
            let at = pointer::join(at, key);
            match (key.as_str(), &mut *value) {
                ("properties", Value::Object(properties)) => {
                    for (property, schema) in properties {
                        let hint = format!("{name}{}", names::pascal(property));
                        *schema = self.place(schema, &hint, &pointer::join(&at, property));
                    }
                }
                ("items", items) => *items = self.place(items, &format!("{name}Item"), &at),
                ("additionalProperties", Value::Object(_)) => {
                    *value = self.place(value, &format!("{name}Value"), &at);
                }
                ("allOf" | "oneOf" | "anyOf", Value::Array(parts)) => {
                    for (index, part) in parts.iter_mut().enumerate() {
                        let at = format!("{at}/{index}");
                        *part = if part.get("$ref").is_some() {
                            self.reference(part, &at)
                        } else {
                            self.inside(part, name, &at)
                        };
                    }
                }
                _ => {}
            }
        }
        Value::Object(out)
    }
}

fn rust_name(schema: &Value) -> Option<&str> {
    schema.get("x-rust-name").and_then(Value::as_str)
}

/// `allOf: [{$ref}]` beside annotations: how OpenAPI 3.0 documents describe a referenced property.
fn only_wraps_a_reference(map: &Map<String, Value>) -> Option<&Map<String, Value>> {
    let [Value::Object(part)] = map.get("allOf")?.as_array()?.as_slice() else {
        return None;
    };
    let structural = ["type", "properties", "items", "enum", "oneOf", "anyOf"];
    (part.contains_key("$ref") && !structural.iter().any(|key| map.contains_key(*key)))
        .then_some(part)
}

fn wants_a_name(map: &Map<String, Value>) -> bool {
    let has_properties = map
        .get("properties")
        .and_then(Value::as_object)
        .is_some_and(|properties| !properties.is_empty());
    let is_words = map
        .get("enum")
        .and_then(Value::as_array)
        .is_some_and(|enum_values| enum_values.iter().any(Value::is_string));
    has_properties
        || is_words
        || ["allOf", "oneOf", "anyOf"]
            .iter()
            .any(|key| map.contains_key(*key))
}

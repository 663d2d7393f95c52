//! The values of a schema that a client has to distinguish.

mod random;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::Document;
use crate::draw::Draw;
use crate::scalars::{LONG, may_be, numbers, texts};
use crate::schema::allows;

/// Number of states of a nested value.
const INNER: usize = 12;

/// Direction of values: a `readOnly` property is in responses only, a `writeOnly` one in requests only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the service.
    Request,
    /// From the service to the client.
    Response,
}

/// Source of values for the schemas of a document, the same at each run.
pub struct Values<'d> {
    document: &'d Document,
    direction: Direction,
    /// States of named schemas, by remaining depth.
    known: BTreeMap<(String, u8), Vec<Value>>,
    draw: Draw,
}

impl<'d> Values<'d> {
    /// Creates a source of values for a direction.
    pub fn new(document: &'d Document, direction: Direction) -> Self {
        Self {
            document,
            direction,
            known: BTreeMap::new(),
            draw: Draw(0x5eed),
        }
    }

    /// Returns one value for each state of each location. Of an object: all properties, only the required ones, and each property absent,
    /// null, and in each of its states. Of a list: empty, and each state of an element. Of a union or enumeration: each member. Each value
    /// fits the schema.
    pub fn states(&mut self, schema: &Value) -> Vec<Value> {
        let all = self.within(schema, 6);
        self.allowed(schema, all)
    }

    /// Returns at most this many random values that the schema allows.
    pub fn random(&mut self, schema: &Value, count: usize) -> Vec<Value> {
        let all = (0..count).filter_map(|_| self.any(schema, 5)).collect();
        self.allowed(schema, all)
    }

    fn allowed(&self, schema: &Value, all: Vec<Value>) -> Vec<Value> {
        let mut allowed: Vec<Value> = Vec::new();
        for value in all {
            if allows(self.document, schema, &value) && !allowed.contains(&value) {
                allowed.push(value);
            }
        }
        allowed
    }

    fn within(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        let Some(inner) = depth.checked_sub(1) else {
            // An object has its constants at any depth.
            return self.constant(schema).into_iter().collect();
        };
        let name = schema.get("$ref").and_then(Value::as_str);
        let key = name.map(|name| (name.to_owned(), depth));
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return known.clone();
        }
        let flat = self.document.flat(schema, 8);
        let mut found = self.of_flat(&flat, inner);
        let children = self.document.chosen(schema);
        // With the tag of a child, a value is one of the child.
        found.retain(|value| !children.iter().any(|child| self.is_tagged(child, value)));
        for child in children {
            let states = self.within(&child, inner);
            found.extend(self.allowed(&child, states));
        }
        if let Some(key) = key {
            self.known.insert(key, found.clone());
        }
        found
    }

    /// Returns whether a value has the tag of a child, which is the last part of it.
    fn is_tagged(&self, child: &Value, value: &Value) -> bool {
        let parts = child.get("allOf").and_then(Value::as_array);
        let tag = parts.and_then(|parts| parts.last());
        value.is_object() && tag.is_some_and(|tag| allows(self.document, tag, value))
    }

    /// Returns the first states of a nested value, and its last, which is null if it is nullable.
    fn inner(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        let mut all = self.within(schema, depth);
        let last = all.last().filter(|_| all.len() > INNER).cloned();
        all.truncate(INNER);
        all.extend(last);
        all
    }

    fn of_flat(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        let mut found = Vec::new();
        if let Some(only) = schema.get("const") {
            found.push(only.clone());
        } else if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            found.extend(values.iter().cloned());
        } else if let Some(members) = members(schema) {
            let has = |name: &str| {
                let mut all = members.iter().map(|one| self.document.flat(one, 8));
                all.any(|one| may_be(&one, name))
            };
            found.extend((has("integer") && has("number")).then(|| json!(LONG)));
            for member in members {
                let states = self.within(&member, depth);
                found.extend(self.allowed(&member, states));
            }
        } else if may_be(schema, "object") || schema.get("properties").is_some() {
            found.extend(self.objects(schema, depth));
        } else if may_be(schema, "array") {
            found.extend(self.lists(schema, depth));
        }
        if may_be(schema, "boolean") && found.is_empty() {
            found.extend([json!(true), json!(false)]);
        }
        if found.is_empty() {
            found.extend(numbers(schema));
            if may_be(schema, "string") {
                found.extend(texts(schema));
            }
        }
        if may_be(schema, "null") || schema.get("nullable") == Some(&json!(true)) {
            found.push(Value::Null);
        }
        found
    }

    fn lists(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        if let Some(elements) = schema.get("prefixItems").and_then(Value::as_array) {
            let first = |element| self.inner(element, depth).into_iter().next();
            let all: Option<Vec<Value>> = elements.iter().map(first).collect();
            return all.map(Value::from).into_iter().collect();
        }
        let items = schema.get("items").map(|items| self.inner(items, depth));
        let items = items.unwrap_or_default();
        let least = schema
            .get("minItems")
            .and_then(Value::as_u64)
            .unwrap_or(1)
            .max(1);
        let mut found = vec![json!([])];
        for (index, _) in items.iter().enumerate() {
            let around = items.iter().cycle().skip(index);
            found.push(around.take(least as usize).cloned().collect());
        }
        if items.len() > 1 {
            found.push(items.iter().take(3).cloned().collect());
        }
        found
    }

    /// Returns the properties of this direction, each with true if it is always present.
    fn properties<'s>(&self, schema: &'s Value) -> Vec<(&'s String, &'s Value, bool)> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        // An alias of a property is not another property.
        let is_alias = |name: &String| {
            let mut all = properties.into_iter().flatten();
            all.any(|(_, property)| {
                let aliases = property.get("x-aliases").and_then(Value::as_array);
                aliases.is_some_and(|aliases| aliases.iter().any(|alias| alias == name))
            })
        };
        let all = properties
            .into_iter()
            .flatten()
            .filter(|(name, _)| !is_alias(name))
            .filter_map(|(name, property)| {
                let flat = self.document.flat(property, 8);
                let other_way = match self.direction {
                    Direction::Request => "readOnly",
                    Direction::Response => "writeOnly",
                };
                if flat.get(other_way) == Some(&json!(true)) {
                    return None;
                }
                // A client always sends a constant.
                let is_constant = self.constant(property).is_some();
                let is_required = required.is_some_and(|all| all.iter().any(|one| one == name));
                Some((name, property, is_constant || is_required))
            });
        all.collect()
    }

    /// Returns the only value of a schema, beside null.
    fn constant(&self, schema: &Value) -> Option<Value> {
        let flat = self.document.flat(self.document.but_null(schema), 8);
        let listed = flat.get("enum").and_then(Value::as_array);
        let only = listed.filter(|values| values.len() == 1);
        let only = only.and_then(|values| values.first());
        flat.get("const").or(only).cloned()
    }

    fn objects(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        let properties = self.properties(schema);
        let all: Vec<(&String, Vec<Value>, bool)> = properties
            .into_iter()
            .map(|(name, property, is_required)| (name, self.inner(property, depth), is_required))
            .collect();
        let first = |is_wanted: &dyn Fn(bool) -> bool| -> Map<String, Value> {
            let wanted = all
                .iter()
                .filter(|(_, _, is_required)| is_wanted(*is_required));
            let first = wanted
                .filter_map(|(name, states, _)| Some(((*name).clone(), states.first()?.clone())));
            first.collect()
        };
        let (whole, least) = (first(&|_| true), first(&|is_required| is_required));
        let mut found = vec![whole.clone().into(), least.into()];
        for (name, states, is_required) in &all {
            if !is_required {
                let mut without = whole.clone();
                without.remove(*name);
                found.push(without.into());
            }
            for state in states {
                let mut with = whole.clone();
                with.insert((*name).clone(), state.clone());
                found.push(with.into());
            }
        }
        let states = match schema.get("additionalProperties") {
            Some(Value::Object(others)) if !others.is_empty() => self.inner(&json!(others), depth),
            Some(Value::Object(_) | Value::Bool(true)) => {
                vec![json!(7), json!({"text": "a", "list": [1.5, null]})]
            }
            _ => Vec::new(),
        };
        for state in states {
            let mut with = whole.clone();
            with.insert("another one".to_owned(), state);
            found.push(with.into());
        }
        found
    }
}

/// Returns the members of a union, merged with the keywords beside it and with the discriminator value that selects them.
fn members(schema: &Value) -> Option<Vec<Value>> {
    let key = ["oneOf", "anyOf"]
        .into_iter()
        .find(|key| schema.get(key).is_some_and(Value::is_array))?;
    let mut beside = schema.as_object()?.clone();
    let all = beside.remove(key)?;
    let discriminator = beside.remove("discriminator");
    for annotation in ["nullable", "default", "example", "title", "description"] {
        beside.remove(annotation);
    }
    let property = discriminator
        .as_ref()
        .and_then(|one| one.get("propertyName"))
        .and_then(Value::as_str);
    let mapping = discriminator
        .as_ref()
        .and_then(|one| one.get("mapping"))
        .and_then(Value::as_object);
    let members = all.as_array()?.iter().map(|member| {
        let mut parts = vec![member.clone()];
        let target = member.get("$ref").and_then(Value::as_str);
        if let (Some(property), Some(target)) = (property, target) {
            let name = target.rsplit('/').next().unwrap_or_default();
            let mapped = mapping
                .into_iter()
                .flatten()
                .find(|(_, to)| *to == target || *to == name);
            let tag = mapped.map_or(name, |(tag, _)| tag.as_str());
            parts.push(json!({"required": [property], "properties": {property: {"enum": [tag]}}}));
        }
        let mut whole = beside.clone();
        match (whole.is_empty(), parts.len()) {
            (true, 1) => member.clone(),
            _ => {
                whole.insert("allOf".to_owned(), parts.into());
                whole.into()
            }
        }
    });
    Some(members.collect())
}

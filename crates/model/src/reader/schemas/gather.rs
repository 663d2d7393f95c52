//! Writes out all parts of a schema's `allOf`.

use std::collections::{HashMap, HashSet};

use openapi_document::json::members_of;
use openapi_document::keywords::Role::{Annotation, Words};
use openapi_document::keywords::has_role;
use openapi_schemas::reading::{choices, leads_on};
use serde_json::{Map, Value};

use super::beside::{contradict, has_others, is_specific, says_more};
use super::written::{Written, leaves_open};

/// A property with the schemas of its value.
#[derive(Clone)]
pub(super) struct Member<'d> {
    pub(super) name: &'d str,
    /// One, or the alternatives.
    pub(super) schemas: Vec<&'d Value>,
    /// Schemas of other parts that describe the value, too: objects or lists of them with other members, and enumerations of other values.
    pub(super) beside: Vec<&'d Value>,
    /// True if two parts give it different types or values, so that none fits both.
    pub(super) is_contradicted: bool,
}

impl<'d> Member<'d> {
    fn new(name: &'d str) -> Self {
        Self {
            name,
            schemas: Vec::new(),
            beside: Vec::new(),
            is_contradicted: false,
        }
    }

    /// Returns whether no schema of another part says more.
    pub(super) fn covers(&self, written: &Written<'d>, other: &Self) -> bool {
        let mut others = other.schemas.iter();
        others.all(|one| self.schemas.iter().any(|own| !says_more(written, one, own)))
    }

    /// Adds a schema of another part. The most specific schema wins, that with the fewest values most of all; of two equals, the later.
    /// Objects with different members are one with all of them, and enumerations one with the values of both.
    fn add(&mut self, written: &Written<'d>, schema: &'d Value) {
        let known = &self.schemas;
        self.is_contradicted |= known.iter().any(|one| contradict(written, one, schema));
        if known.iter().any(|one| is_specific(written, one, schema)) {
            return;
        }
        let earlier = std::mem::replace(&mut self.schemas, vec![schema]);
        let earlier = earlier.into_iter().chain(self.beside.drain(..));
        self.beside = earlier
            .filter(|one| has_others(written, one, schema))
            .collect();
    }
}

/// The merged keywords of a schema and the parts of its `allOf`.
#[derive(Clone, Default)]
pub(super) struct Gathered<'d> {
    pub(super) kind: Option<&'d str>,
    pub(super) members: Vec<Member<'d>>,
    by_name: HashMap<&'d str, usize>,
    pub(super) required: Vec<&'d str>,
    /// Those of `required` that no part of the schema promises.
    pub(super) assumed: Vec<&'d str>,
    /// `additionalProperties` and its equivalents, as a member without a name.
    pub(super) others: Option<Member<'d>>,
    /// The elements of a list, as a member without a name.
    pub(super) items: Option<Member<'d>>,
    pub(super) prefix: Vec<&'d Value>,
    /// Each `oneOf` and `anyOf`.
    pub(super) choices: Vec<Vec<&'d Value>>,
    pub(super) discriminator: Option<&'d Value>,
    /// True if a part has a discriminator, with or without alternatives.
    pub(super) is_tagged: bool,
    /// The values that each `enum` lists; those of the last, if they have none in common.
    pub(super) values: Option<Vec<&'d Value>>,
    /// All else.
    pub(super) keywords: Map<String, Value>,
}

/// Writes out a schema with the parts of its `allOf`.
pub(super) fn gather<'d>(written: &Written<'d>, schema: &'d Value) -> Gathered<'d> {
    let mut gathered = Gathered::default();
    gathered.add(written, schema);
    gathered
}

impl<'d> Gathered<'d> {
    fn add(&mut self, written: &Written<'d>, schema: &'d Value) {
        let parts = written.parts(schema);
        let addresses: HashSet<*const Value> =
            parts.iter().map(|part| std::ptr::from_ref(*part)).collect();
        for part in &parts {
            let is_part = !std::ptr::eq(*part, schema);
            for list in choices(part) {
                // A part with another part among its alternatives is a parent that lists its children, of which this is one.
                let mut schemas = list.iter().map(|one| written.resolve(one).schema);
                if !(is_part && schemas.any(|one| addresses.contains(&std::ptr::from_ref(one)))) {
                    self.choices.push(list.iter().collect());
                    self.discriminator = part.get("discriminator").or(self.discriminator);
                }
            }
            if let Value::Object(map) = part {
                self.own(written, map, is_part);
            }
        }
        for schema in parts.into_iter().flat_map(conditional) {
            for part in written.parts(written.resolve(schema).schema) {
                for (name, schema) in members_of(part, "properties") {
                    if !self.has(name) {
                        self.member(written, name, schema);
                    }
                }
            }
        }
    }

    fn own(&mut self, written: &Written<'d>, map: &'d Map<String, Value>, is_part: bool) {
        let mut others = Vec::new();
        self.is_tagged |= map.contains_key("discriminator");
        for (key, value) in map {
            match (key.as_str(), value) {
                ("enum", Value::Array(values)) => self.list(values),
                ("type", Value::String(kind)) => self.kind = Some(kind),
                ("properties", Value::Object(properties)) => {
                    for (name, schema) in properties {
                        self.member(written, name, schema);
                    }
                }
                ("required", Value::Array(names)) => {
                    let all_assumed = is_assumed(map, "required");
                    for name in names.iter().filter_map(Value::as_str) {
                        self.require(name, all_assumed || is_assumed(map, name));
                    }
                }
                // A part that is closed would allow none of the others.
                ("additionalProperties" | "unevaluatedProperties", Value::Bool(false)) => {}
                ("additionalProperties" | "unevaluatedProperties", _) => others.push(value),
                ("patternProperties", Value::Object(patterns)) => others.extend(patterns.values()),
                ("items", Value::Object(_)) => {
                    let items = self.items.get_or_insert_with(|| Member::new(""));
                    items.add(written, value);
                }
                ("items", Value::Array(list)) | ("prefixItems", Value::Array(list)) => {
                    self.prefix(list);
                }
                ("properties" | "required" | "items" | "prefixItems" | "patternProperties", _) => {}
                (key, _) if leads_on(key) || is_part && describes(key) => {}
                (_, _) => {
                    self.keywords.insert(key.clone(), value.clone());
                }
            }
        }
        if let [only] = others.as_slice() {
            let known = self.others.get_or_insert_with(|| Member::new(""));
            known.add(written, only);
        } else if !others.is_empty() {
            let mut several = Member::new("");
            several.schemas = others;
            self.others = Some(several);
        }
    }

    /// Restricts the values to those of another list.
    fn list(&mut self, values: &'d [Value]) {
        let known = self.values.take().unwrap_or_default();
        let mut common: Vec<&'d Value> = values.iter().collect();
        common.retain(|value| known.contains(value));
        if common.is_empty() {
            common.extend(values);
        }
        self.values = Some(common);
    }

    /// Notes the first elements of a list. At each position, the later schema wins, unless it leaves the element open.
    fn prefix(&mut self, list: &'d [Value]) {
        for (index, schema) in list.iter().enumerate() {
            match self.prefix.get_mut(index) {
                Some(known) if !leaves_open(schema) => *known = schema,
                Some(_) => {}
                None => self.prefix.push(schema),
            }
        }
    }

    /// Adds the keywords of another schema, which describes both.
    pub(super) fn extend(&mut self, written: &Written<'d>, schema: &'d Value) {
        self.keywords.retain(|key, _| !describes(key));
        self.add(written, schema);
    }

    /// Returns the required properties that are not only assumed.
    pub(super) fn promised(&self) -> Vec<&'d str> {
        let required = self.required.iter().copied();
        required
            .filter(|name| !self.assumed.contains(name))
            .collect()
    }

    /// Notes a required property. One part that promises it is enough.
    pub(super) fn require(&mut self, name: &'d str, is_assumed: bool) {
        let is_new = !self.required.contains(&name);
        if is_new {
            self.required.push(name);
        }
        if !is_assumed {
            self.assumed.retain(|known| *known != name);
        } else if is_new {
            self.assumed.push(name);
        }
    }

    fn member(&mut self, written: &Written<'d>, name: &'d str, schema: &'d Value) {
        let index = *self.by_name.entry(name).or_insert_with(|| {
            self.members.push(Member::new(name));
            self.members.len() - 1
        });
        if let Some(member) = self.members.get_mut(index) {
            member.add(written, schema);
        }
    }

    /// Notes a property of an alternative: its value is one of those that the alternatives allow.
    pub(super) fn alternative(&mut self, base: usize, member: Member<'d>) {
        match self.by_name.get(member.name) {
            None => {
                self.by_name.insert(member.name, self.members.len());
                self.members.push(member);
            }
            // A schema that all of them share is the most specific.
            Some(index) if *index < base => {}
            Some(index) => {
                if let Some(known) = self.members.get_mut(*index) {
                    // One type for all of them has no members of one alone.
                    known.beside.clear();
                    for schema in member.schemas {
                        if !known.schemas.contains(&schema) {
                            known.schemas.push(schema);
                        }
                    }
                }
            }
        }
    }

    /// Returns whether values are lists of exactly the listed elements, of two to twelve.
    pub(super) fn is_tuple(&self) -> bool {
        let count = self.prefix.len();
        let others = self.items.as_ref().and_then(|items| items.schemas.first());
        let others = others.and_then(|items| items.get("not"));
        let most = self.keywords.get("maxItems").and_then(Value::as_u64);
        (2..=12).contains(&count)
            && (others.is_some_and(leaves_open)
                || most.is_some_and(|most| usize::try_from(most) == Ok(count)))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Returns the member of this name.
    pub(super) fn named(&self, name: &str) -> Option<&Member<'d>> {
        self.members.get(*self.by_name.get(name)?)
    }
}

/// Returns the schemas whose members an object has under a condition.
fn conditional(schema: &Value) -> impl Iterator<Item = &Value> {
    let branches = ["then", "else"].into_iter();
    let branches = branches.filter_map(|key| schema.get(key));
    branches.chain(members_of(schema, "dependentSchemas").map(|(_, schema)| schema))
}

/// Returns whether `x-assumed` lists a required property, or `required` for all of them.
fn is_assumed(schema: &Map<String, Value>, name: &str) -> bool {
    let assumed = schema.get("x-assumed").and_then(Value::as_array);
    assumed.is_some_and(|assumed| assumed.iter().any(|one| one == name))
}

/// Returns whether a keyword describes a schema and stays with it.
fn describes(key: &str) -> bool {
    key.starts_with("x-") || has_role(key, &[Words, Annotation])
}

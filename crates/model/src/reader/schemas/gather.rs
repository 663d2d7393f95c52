//! Writes out all parts of a schema's `allOf`.

use std::collections::{HashMap, HashSet};

use openapi_document::json::members_of;
use openapi_document::keywords::Role::{Annotation, Words};
use openapi_document::keywords::has_role;
use openapi_schemas::decimal::Key;
use openapi_schemas::reading::{choices, leads_on};
use serde_json::{Map, Value};

use super::type_name::CHOSEN;
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

    /// Adds a schema of another part. The most specific schema wins, that with the fewest values most of all; of two equals, the later.
    /// Objects with different members are one with all of them, and enumerations one with the values of both.
    fn add(&mut self, written: &Written<'d>, schema: &'d Value) {
        let known = &self.schemas;
        self.is_contradicted |= known.iter().any(|one| contradict(written, one, schema));
        let says_less = leaves_open(schema) && !known.is_empty()
            || known
                .iter()
                .any(|one| lists_fewer(written, one, schema) || names_more(written, one, schema));
        if says_less {
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
                    self.prefix = list.iter().collect();
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

/// Returns the values beside null that an enumeration lists.
fn listed<'d>(written: &Written<'d>, schema: &'d Value) -> Option<HashSet<Key<'d>>> {
    let values = written.reading(schema).enum_values?;
    let values = values.iter().map(|one| one.value);
    Some(
        values
            .filter(|value| !value.is_null())
            .map(Key::of)
            .collect(),
    )
}

/// Returns whether a schema lists values, and another one allows more.
fn lists_fewer<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let others = listed(written, other);
    listed(written, one).is_some_and(|own| match others {
        Some(others) => own.len() < others.len() && own.is_subset(&others),
        None => !contradict(written, one, other),
    })
}

/// Returns whether two schemas list strings, and each some of those of the other.
fn list_common<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let both = listed(written, one).zip(listed(written, other));
    both.is_some_and(|(own, others)| {
        let mut common = own.intersection(&others).peekable();
        common.peek().is_some()
            && common.all(|key| matches!(key, Key::Other(Value::String(_))))
            && !others.is_subset(&own)
    })
}

/// Returns whether the objects or elements of one schema have all members of the other, and more.
fn names_more<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let both = named(written, one).zip(named(written, other));
    both.is_some_and(|(more, less)| {
        more.in_list == less.in_list
            && more.names.len() > less.names.len()
            && more.names.is_superset(&less.names)
    })
}

/// Returns whether no value has the types of both schemas, or is listed by both.
fn contradict<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let values = listed(written, one).zip(listed(written, other));
    let (one, other) = (written.reading(one), written.reading(other));
    let are_other_values = values.is_some_and(|(own, others)| own.is_disjoint(&others));
    (one.types & other.types == 0 || are_other_values) && !(one.null && other.null)
}

/// Returns whether a schema restricts another one: it lists other strings, or an object or the elements of a list have members that the
/// other one lacks.
fn has_others<'d>(written: &Written<'d>, one: &'d Value, other: &'d Value) -> bool {
    let (own, others) = (named(written, one), named(written, other));
    let has_more = match (&own, &others) {
        (Some(own), Some(others)) => {
            own.in_list == others.in_list && !own.names.is_subset(&others.names)
        }
        // A map of further members.
        (None, Some(others)) => {
            !others.in_list && has_further(written, one) && !has_further(written, other)
        }
        _ => list_common(written, one, other),
    };
    has_more && is_plain(written, one) && is_plain(written, other)
}

fn has_further<'d>(written: &Written<'d>, schema: &'d Value) -> bool {
    let further = written.resolve(schema).schema.get("additionalProperties");
    further.is_some_and(|further| *further != Value::Bool(false))
}

/// Returns whether a schema or its elements have neither a type of the runtime, nor alternatives or children.
fn is_plain<'d>(written: &Written<'d>, schema: &'d Value) -> bool {
    let schema = written.resolve(schema).schema;
    let schema = schema.get("items").unwrap_or(schema);
    let schema = written.resolve(schema).schema;
    let keys = [CHOSEN, "discriminator"];
    keys.iter().all(|key| schema.get(key).is_none()) && choices(schema).next().is_none()
}

/// Names of the members of an object and its alternatives.
struct Named<'d> {
    names: HashSet<&'d str>,
    /// True if the object is the element of a list.
    in_list: bool,
}

/// Returns the names of the members of a schema or its elements; `None` if it has none, or parts.
fn named<'d>(written: &Written<'d>, schema: &'d Value) -> Option<Named<'d>> {
    let schema = written.resolve(schema).schema;
    let items = schema.get("items");
    let object = items.map_or(schema, |items| written.resolve(items).schema);
    let alternatives = choices(object).flatten();
    let alternatives = alternatives.map(|one| written.resolve(one).schema);
    let mut names = HashSet::new();
    for one in alternatives.chain([object]) {
        if written.parts(one).len() > 1 {
            return None;
        }
        names.extend(members_of(one, "properties").map(|(name, _)| name.as_str()));
    }
    let in_list = items.is_some();
    (!names.is_empty()).then_some(Named { names, in_list })
}

/// Returns whether a keyword describes a schema and stays with it.
fn describes(key: &str) -> bool {
    key.starts_with("x-") || has_role(key, &[Words, Annotation])
}

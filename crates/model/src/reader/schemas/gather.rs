//! Writes out all parts of a schema's `allOf`.

use std::collections::{HashMap, HashSet};

use openapi_document::keywords::Role::{
    self, Annotation, Choice, Content, Part, Reference, Type, Values, Words,
};
use openapi_document::keywords::{has_role, says};
use openapi_document::pointer;
use serde_json::{Map, Value};

use super::type_name::CHOSEN;
use super::written::Written;

/// Compositions that lead to each other; more than people write.
const DEEPEST: usize = 64;

/// A schema, with its location.
pub(super) type Located<'s> = (&'s Value, String);

/// A property with the schemas of its value.
#[derive(Clone)]
pub(super) struct Member<'s> {
    pub(super) name: &'s str,
    /// One, or the alternatives.
    pub(super) schemas: Vec<Located<'s>>,
}

/// The merged keywords of a schema and the parts of its `allOf`.
#[derive(Clone, Default)]
pub(super) struct Gathered<'s> {
    pub(super) kind: Option<&'s str>,
    pub(super) members: Vec<Member<'s>>,
    by_name: HashMap<&'s str, usize>,
    pub(super) required: Vec<&'s str>,
    /// Those of `required` that no part of the schema promises.
    pub(super) assumed: Vec<&'s str>,
    /// `additionalProperties` and its equivalents.
    pub(super) others: Vec<Located<'s>>,
    pub(super) items: Option<Located<'s>>,
    pub(super) prefix: Vec<Located<'s>>,
    /// Each `oneOf` and `anyOf`.
    pub(super) choices: Vec<Vec<Located<'s>>>,
    pub(super) discriminator: Option<&'s Value>,
    /// True if a part has a discriminator, with or without alternatives.
    pub(super) is_tagged: bool,
    /// `enum`.
    pub(super) values: Option<&'s Vec<Value>>,
    /// All else.
    pub(super) keywords: Map<String, Value>,
}

/// Writes out a schema with the parts of its `allOf`.
pub(super) fn gather<'s, 'd: 's>(
    written: &Written<'d>,
    schema: &'s Value,
    at: &str,
) -> Gathered<'s> {
    let mut gathered = Gathered::default();
    let mut seen = HashSet::new();
    gather_part(written, schema, at, &mut gathered, &mut seen, 0);
    gathered
}

fn gather_part<'s, 'd: 's>(
    written: &Written<'d>,
    schema: &'s Value,
    at: &str,
    into: &mut Gathered<'s>,
    seen: &mut HashSet<String>,
    depth: usize,
) {
    let Some(map) = schema.as_object() else {
        return;
    };
    // A part that is known adds nothing, which also ends cycles.
    if depth > DEEPEST || !seen.insert(at.to_owned()) {
        return;
    }
    if let Some(Value::String(reference)) = map.get("$ref")
        && let Some((pointer, target)) = written.target(reference)
    {
        gather_part(written, target, &pointer, into, seen, depth + 1);
    }
    let parts = map.get("allOf").and_then(Value::as_array);
    for (index, part) in parts.into_iter().flatten().enumerate() {
        let at = format!("{at}/allOf/{index}");
        gather_part(written, part, &at, into, seen, depth + 1);
    }
    for key in ["oneOf", "anyOf"] {
        let Some(alternatives) = map.get(key).and_then(Value::as_array) else {
            continue;
        };
        let alternatives: Vec<Located<'s>> = alternatives
            .iter()
            .enumerate()
            .map(|(index, one)| (one, format!("{at}/{key}/{index}")))
            .collect();
        // A parent that lists its children among its alternatives is part of each child.
        let is_parent = depth > 0
            && alternatives
                .iter()
                .any(|(one, at)| seen.contains(&written.resolve(one, at).pointer));
        if !is_parent && !alternatives.is_empty() {
            into.choices.push(alternatives);
            into.discriminator = map.get("discriminator").or(into.discriminator);
        }
    }
    into.own(written, map, at, depth > 0);
}

impl<'s> Gathered<'s> {
    fn own<'d: 's>(
        &mut self,
        written: &Written<'d>,
        map: &'s Map<String, Value>,
        at: &str,
        is_part: bool,
    ) {
        let mut composed = Vec::new();
        self.is_tagged |= map.contains_key("discriminator");
        for (key, value) in map {
            let below = || pointer::join(at, key);
            match (key.as_str(), value) {
                ("$ref" | "allOf" | "oneOf" | "anyOf" | "discriminator" | "nullable", _) => {}
                ("enum", Value::Array(values)) => self.values = Some(values),
                ("type", Value::String(kind)) => self.kind = Some(kind),
                ("properties", Value::Object(properties)) => {
                    let at = below();
                    for (name, schema) in properties {
                        self.member(written, name, (schema, pointer::join(&at, name)));
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
                ("additionalProperties", _) => self.others = vec![(value, below())],
                ("unevaluatedProperties", _) => composed.push((value, below())),
                ("patternProperties", Value::Object(patterns)) => {
                    let at = below();
                    let patterns = patterns.iter();
                    composed
                        .extend(patterns.map(|(name, schema)| (schema, pointer::join(&at, name))));
                }
                ("items", Value::Object(_)) => self.items = Some((value, below())),
                ("items", Value::Array(list)) | ("prefixItems", Value::Array(list)) => {
                    let at = below();
                    let list = list.iter().enumerate();
                    self.prefix = list
                        .map(|(index, one)| (one, format!("{at}/{index}")))
                        .collect();
                }
                ("properties" | "required" | "items" | "prefixItems" | "patternProperties", _) => {}
                (key, _) if is_part && describes(key) => {}
                (_, _) => {
                    self.keywords.insert(key.clone(), value.clone());
                }
            }
        }
        if !composed.is_empty() && !map.contains_key("additionalProperties") {
            self.others = composed;
        }
    }

    /// Adds the keywords of another schema, which describes both.
    pub(super) fn extend<'d: 's>(&mut self, written: &Written<'d>, schema: &'s Value, at: &str) {
        self.keywords.retain(|key, _| !describes(key));
        gather_part(written, schema, at, self, &mut HashSet::new(), 1);
        let described = schema.as_object().into_iter().flatten();
        let described = described.filter(|(key, _)| describes(key));
        self.keywords
            .extend(described.map(|(key, value)| (key.clone(), value.clone())));
    }

    /// Notes a required property. One part that promises it is enough.
    fn require(&mut self, name: &'s str, is_assumed: bool) {
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

    /// Notes a property. The most specific schema wins, a constant most of all; of two equals, the later.
    fn member<'d: 's>(&mut self, written: &Written<'d>, name: &'s str, schema: Located<'s>) {
        let index = *self.by_name.entry(name).or_insert_with(|| {
            self.members.push(Member {
                name,
                schemas: Vec::new(),
            });
            self.members.len() - 1
        });
        if let Some(member) = self.members.get_mut(index) {
            let is_narrowed = member.schemas.iter().any(|(known, _)| has_one_value(known));
            let says_less = is_narrowed && !has_one_value(schema.0)
                || says_nothing(schema.0) && !member.schemas.is_empty()
                || member
                    .schemas
                    .iter()
                    .any(|(known, _)| names_more(written, known, schema.0));
            if !says_less {
                member.schemas = vec![schema];
            }
        }
    }

    /// Notes a property of an alternative: its value is one of those that the alternatives allow.
    pub(super) fn alternative(&mut self, base: usize, member: Member<'s>) {
        match self.by_name.get(member.name) {
            None => {
                self.by_name.insert(member.name, self.members.len());
                self.members.push(member);
            }
            // A schema that all of them share is the most specific.
            Some(index) if *index < base => {}
            Some(index) => {
                if let Some(known) = self.members.get_mut(*index) {
                    for (schema, at) in member.schemas {
                        if !known.schemas.iter().any(|(other, _)| *other == schema) {
                            known.schemas.push((schema, at));
                        }
                    }
                }
            }
        }
    }

    /// Returns whether values are lists of exactly the listed elements, of two to twelve.
    pub(super) fn is_tuple(&self) -> bool {
        let count = self.prefix.len();
        let is_last = |(items, _): &Located<'s>| items.get("not").is_some_and(says_nothing);
        let most = self.keywords.get("maxItems").and_then(Value::as_u64);
        (2..=12).contains(&count)
            && (self.items.as_ref().is_some_and(is_last)
                || most.is_some_and(|most| usize::try_from(most) == Ok(count)))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
}

/// Returns whether `x-assumed` lists a required property, or `required` for all of them.
fn is_assumed(schema: &Map<String, Value>, name: &str) -> bool {
    let assumed = schema.get("x-assumed").and_then(Value::as_array);
    assumed.is_some_and(|assumed| assumed.iter().any(|one| one == name))
}

fn has_one_value(schema: &Value) -> bool {
    let values = schema.get("enum").and_then(Value::as_array);
    values.is_some_and(|values| values.len() == 1)
}

/// Returns whether the objects or elements of one schema have all members of the other, and more.
fn names_more<'s, 'd: 's>(written: &Written<'d>, one: &'s Value, other: &'s Value) -> bool {
    let named = |schema: &'s Value| {
        let schema = written.resolve(schema, "").schema;
        let items = schema.get("items");
        let object = items.map_or(schema, |items| written.resolve(items, "").schema);
        let choices = ["oneOf", "anyOf"]
            .into_iter()
            .filter_map(|key| object.get(key));
        let choices = choices.filter_map(Value::as_array).flatten();
        let choices = choices.map(|choice| written.resolve(choice, "").schema);
        let all: Vec<&Value> = choices.chain([object]).collect();
        let properties = all
            .iter()
            .filter_map(|one| one.get("properties")?.as_object());
        let names: HashSet<&str> = properties.flat_map(Map::keys).map(String::as_str).collect();
        let is_known = all.iter().all(|one| one.get("allOf").is_none());
        (is_known && !names.is_empty()).then_some((items.is_some(), names))
    };
    let both = named(one).zip(named(other));
    both.is_some_and(|((in_list, more), (is_list, less))| {
        in_list == is_list && more.len() > less.len() && more.is_superset(&less)
    })
}

/// Returns whether a keyword describes a schema and stays with it.
fn describes(key: &str) -> bool {
    key.starts_with("x-") || has_role(key, &[Words, Annotation])
}

/// Keywords that determine the form of a value.
const OF_A_FORM: &[Role] = &[Reference, Type, Values, Part, Choice, Content];

/// Returns whether a schema leaves the form of a value open: it only describes or restricts it.
pub(in crate::reader) fn says_nothing(schema: &Value) -> bool {
    let map = schema.as_object();
    map.is_none_or(|map| !map.contains_key(CHOSEN) && !says(map, OF_A_FORM))
}

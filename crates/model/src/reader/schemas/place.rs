//! Reads the schema of a place: as a reference, a scalar, a list, a map or anything.

use openapi_document::keywords::Role::{Annotation, Direction, Presence, Type, Words};
use openapi_document::keywords::has_role;
use openapi_schemas::reading::{Followed, choices, leads_on};
use serde_json::{Map, Value};

use super::annotations::{self, OPTIONAL};
use super::bounds::bounds;
use super::form::enumerated;
use super::forms::{Alternative, Form, Formed};
use super::gather::Gathered;
use super::named::named_inline;
use super::naming;
use super::registry::SchemaRegistry;
use super::type_name::CHOSEN;
use super::written::leaves_open;
use crate::{Place, Scalar, Shape, names};

/// Keywords that stay at the place when an inline schema gets a name.
const OF_THE_PLACE: [&str; 3] = ["x-rust-name", OPTIONAL, CHOSEN];

/// The depth of nested lists and maps. The compiler recurses into their types, in the crates of callers too, and fails at 128 steps.
const DEEPEST: usize = 24;

/// The number of types for objects that several schemas describe.
const MOST_WHOLES: usize = 1_000;

/// The shape of a place, with the keywords that describe it.
#[derive(Default)]
struct Placed {
    shape: Shape,
    keywords: Map<String, Value>,
}

impl Placed {
    fn of(shape: Shape) -> Self {
        Self {
            shape,
            ..Self::default()
        }
    }

    fn into_place(self) -> Place {
        annotations::place(self.shape, &self.keywords)
    }
}

impl<'d> SchemaRegistry<'d> {
    /// Returns the normal form of a place. The schemas that it refers to wait to be read.
    pub(super) fn put(&mut self, schema: &'d Value, hint: &str) -> Place {
        let resolved = self.written.resolve(schema);
        self.put_resolved(schema, &resolved, hint)
    }

    /// Returns the normal form of a place that refers to a schema.
    pub(super) fn put_referred(&mut self, schema: &'d Value, hint: &str) -> Place {
        let mut resolved = self.written.resolve(schema);
        resolved.is_referred = true;
        self.put_resolved(schema, &resolved, hint)
    }

    fn put_resolved(&mut self, schema: &'d Value, resolved: &Followed<'d>, hint: &str) -> Place {
        let mut place = self.placed(schema, resolved, hint).into_place();
        let reading = self.written.reading(schema);
        place.bounds = bounds(&reading);
        place.nullable = reading.is_nullable();
        self.formats.apply(place, false)
    }

    fn placed(&mut self, schema: &'d Value, resolved: &Followed<'d>, hint: &str) -> Placed {
        if schema.is_object() && resolved.schema.is_null() {
            self.warn(
                "schema-reference",
                &self.written.pointer(schema),
                "this reference leads nowhere, or back to itself; its values are any JSON",
                "correct the reference in an override",
            );
        }
        let known = self.written.name(resolved.schema).map(str::to_owned);
        let mut placed = if self.is_of_the_runtime(resolved.schema) {
            self.inline(resolved, hint)
        } else if let Some(name) = known {
            Placed::of(self.refer(name, resolved.schema))
        } else if let Some(name) = named_inline(self, resolved.schema) {
            let mut placed = Placed::of(self.refer(name, resolved.schema));
            placed.keywords.extend(of_the_place(resolved.schema));
            placed
        } else {
            self.inline(resolved, hint)
        };
        around(&mut placed.keywords, resolved);
        placed
    }

    /// Returns whether values have a type of the runtime, which needs no name in the document. A UUID with a name is an identifier type.
    fn is_of_the_runtime(&self, schema: &'d Value) -> bool {
        let format = annotations::text_format(schema);
        format.is_some_and(|format| !format.is_uuid())
            && matches!(self.written.form(schema).form, Form::Scalar(Scalar::Text))
    }

    /// A reference to a schema that has a name.
    fn refer(&mut self, name: String, schema: &'d Value) -> Shape {
        if self.known.insert(name.clone()) {
            self.waiting.push_back((name.clone(), schema));
        }
        Shape::Reference(name)
    }

    fn inline(&mut self, resolved: &Followed<'d>, hint: &str) -> Placed {
        let schema = resolved.schema;
        let pointer = &self.written.pointer(schema);
        let formed = self.written.form(schema);
        self.warn_if_untyped(&formed.form, schema);
        if let Form::One(one) = formed.form {
            return self.placed(one, &self.written.resolve(one), hint);
        }
        if !formed.form.is_named() {
            // A list of itself has no name that could end it.
            if self.expanding.contains(&std::ptr::from_ref(schema)) {
                self.warn(
                    "schema-cycle",
                    pointer,
                    "this list or map contains itself; its values are any JSON",
                    "give it a name below /components/schemas in an override",
                );
                return Placed::default();
            }
            if self.expanding.len() >= DEEPEST {
                self.warn(
                    "schema-nesting",
                    pointer,
                    format!("this is a list or map within {DEEPEST} others; its values are any JSON"),
                    "put an object between them, which has a name, or correct the schema in an override",
                );
                return Placed::default();
            }
            self.expanding.push(schema);
            let Formed { gathered, form, .. } = formed;
            let (shape, keywords) = self.described(gathered, form, hint, pointer);
            self.expanding.pop();
            return Placed { shape, keywords };
        }
        let name = if resolved.is_referred {
            let name = self.name_referred(pointer);
            self.finish(&name, formed, pointer);
            name
        } else {
            let title = schema.get("title").and_then(Value::as_str);
            self.finish_inline(formed, pointer, pointer, hint, title)
        };
        Placed {
            shape: Shape::Reference(name),
            keywords: of_the_place(schema).collect(),
        }
    }

    /// Reads a schema without a name, and returns the name that it has until all are read. Equal unions of one title are one type if no part of
    /// them could change alone.
    fn finish_inline(
        &mut self,
        formed: Formed<'d>,
        key: &str,
        pointer: &str,
        hint: &str,
        title: Option<&str>,
    ) -> String {
        let title = formed.form.title().or(title);
        let parts = title.and_then(|title| self.union_parts(&formed.form, title));
        if let Some(known) = parts.as_ref().and_then(|parts| self.unions.get(parts)) {
            return known.clone();
        }
        let name = self.name_inline(key, hint, title);
        self.finish(&name, formed, pointer);
        self.unions.extend(parts.map(|parts| (parts, name.clone())));
        name
    }

    /// Returns the title and the parts of a union of scalars and schemas with a name.
    fn union_parts(&self, form: &Form<'d>, title: &str) -> Option<String> {
        let Form::Union(union) = form else {
            return None;
        };
        let parts = union.alternatives.iter().map(|one| match one {
            Alternative::Scalar(scalar) => Some(format!("{scalar:?}")),
            Alternative::Schema(schema) => match self.written.form(schema).form {
                Form::Scalar(_) => Some(schema.to_string()),
                _ => self.written.name(schema).map(str::to_owned),
            },
            _ => None,
        });
        let parts: Vec<String> = parts.collect::<Option<_>>()?;
        Some(format!("{title} {parts:?} {:?}", union.tag))
    }

    /// Names a schema deep in the document, to which a reference leads.
    fn name_referred(&mut self, pointer: &str) -> String {
        let wanted = naming::hint(pointer);
        let name = self.written.naming.give_unique(pointer, &wanted);
        if name != names::pascal(&wanted) {
            self.renamed(pointer, &wanted, &name);
        }
        self.known.insert(name.clone());
        name
    }

    /// Warns of a schema that is more specific than its type.
    pub(super) fn warn_if_untyped(&mut self, form: &Form<'d>, schema: &'d Value) {
        // A schema that allows anything has the right type.
        let mut parts = self.written.parts(schema);
        parts.retain(|part| !std::ptr::eq(*part, schema));
        let parts_are_open = !parts.is_empty() && parts.into_iter().all(leaves_open);
        let is_open = leaves_open(schema)
            || choices(schema).flatten().any(leaves_open)
            || self.written.is_null(schema)
            || parts_are_open;
        if matches!(form, Form::Any) && !is_open {
            self.warn(
                "untyped",
                &self.written.pointer(schema),
                "no type can be made for this schema; its values are any JSON",
                "simplify the schema in an override, keeping the wire format",
            );
        }
    }

    /// A place of an object that several schemas describe, each with other members, or of a list of such objects.
    pub(super) fn put_whole(
        &mut self,
        schema: &'d Value,
        beside: &[&'d Value],
        hint: &str,
        at: &str,
    ) -> Place {
        let resolved = self.written.resolve(schema);
        let parts = beside.iter().rev().copied();
        let parts = parts.map(|part| self.written.resolve(part).schema);
        let parts: Vec<&'d Value> = parts.chain([resolved.schema]).collect();
        let addresses: Vec<*const Value> =
            parts.iter().map(|part| std::ptr::from_ref(*part)).collect();
        let shape = match self.wholes.get(&addresses) {
            Some(name) => Shape::Reference(name.clone()),
            None if self.expanding.len() >= DEEPEST || self.wholes.len() >= MOST_WHOLES => {
                self.warn(
                    "schema-nesting",
                    at,
                    "too many objects here are described by several schemas; the members of the others are not read",
                    "write the members into one schema in an override",
                );
                return self.put(schema, hint);
            }
            None => {
                let mut gathered = Gathered::default();
                for part in parts {
                    gathered.extend(&self.written, part);
                }
                let is_list = gathered.items.is_some() && gathered.kind != Some("object");
                let form = enumerated(&gathered).unwrap_or(Form::Object);
                self.expanding.push(schema);
                let shape = if is_list {
                    self.described(gathered, Form::List, hint, at).0
                } else {
                    let name = self.name_inline(&format!("{at}#{hint}"), hint, None);
                    self.wholes.insert(addresses, name.clone());
                    self.finish(&name, Formed { gathered, form }, at);
                    Shape::Reference(name)
                };
                self.expanding.pop();
                shape
            }
        };
        let mut placed = Placed {
            shape,
            keywords: of_the_place(resolved.schema).collect(),
        };
        around(&mut placed.keywords, &resolved);
        let reading = self.written.reading(schema);
        let mut place = placed.into_place();
        place.bounds = bounds(&reading);
        place.nullable = reading.is_nullable();
        place
    }

    /// A place that is one of several schemas.
    pub(super) fn put_one_of(&mut self, group: &[&'d Value], hint: &str, at: &str) -> Place {
        if let [schema] = group {
            return self.put(schema, hint);
        }
        let form = self.written.one_of(group, None);
        let formed = Formed {
            gathered: Default::default(),
            form,
        };
        let mut place = match &formed.form {
            Form::One(schema) => self.put(schema, hint),
            form if form.is_named() => {
                let key = format!("{at}#{hint}");
                let name = self.finish_inline(formed, &key, at, hint, None);
                Place::of(Shape::Reference(name))
            }
            _ => {
                let (shape, _) = self.described(formed.gathered, formed.form, hint, at);
                Place::of(shape)
            }
        };
        let mut readings = group.iter().map(|one| self.written.reading(one));
        place.nullable |= readings.any(|one| one.is_nullable());
        place
    }
}

/// Returns the keywords of an inline schema that are about its place.
fn of_the_place(schema: &Value) -> impl Iterator<Item = (String, Value)> {
    let keys = schema.as_object().into_iter().flatten();
    keys.filter(|(key, value)| {
        OF_THE_PLACE.contains(&key.as_str())
            || key.as_str() == "x-aliases" && value.is_array()
            || has_role(key, &[Words, Annotation, Direction])
    })
    .map(|(key, value)| (key.clone(), value.clone()))
}

/// Collects the annotation keywords along the reference path, up to the first schema that is shared. The shared schema determines the Rust
/// type of its values, at each reference.
fn around(keywords: &mut Map<String, Value>, resolved: &Followed<'_>) {
    for (key, value) in resolved.around.iter().copied().flatten() {
        if !leads_on(key) && !has_role(key, &[Type, Presence]) {
            keywords.insert(key.clone(), value.clone());
        }
    }
    for map in &resolved.behind {
        if let Some(chosen) = map.get(CHOSEN) {
            keywords.entry(CHOSEN).or_insert_with(|| chosen.clone());
        }
    }
}

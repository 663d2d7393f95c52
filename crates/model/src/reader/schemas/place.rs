//! Reads the schema of a place: as a reference, a scalar, a list, a map or anything.

use openapi_document::keywords::Role::{
    self, Annotation, Choice, Direction, Null, Part, Presence, Reference, Tag, Type, Words,
};
use openapi_document::keywords::has_role;
use serde_json::{Map, Value};

use super::annotations::{self, OPTIONAL};
use super::bounds::bounds;
use super::forms::{Form, Formed};
use super::gather::{Located, says_nothing};
use super::named::named_inline;
use super::naming;
use super::registry::SchemaRegistry;
use super::resolve::{Resolved, is_null};
use super::type_name::CHOSEN;
use super::written::reading;
use crate::names;
use crate::{Place, Scalar, Shape};

/// Keywords that stay at the place when an inline schema gets a name.
const OF_THE_PLACE: [&str; 3] = ["x-rust-name", OPTIONAL, CHOSEN];

/// The depth of nested lists and maps. The compiler recurses into their types, in the crates of callers too, and fails at 128 steps.
const DEEPEST: usize = 24;

/// Keywords that determine the schema at a place.
const OF_THE_SCHEMA: &[Role] = &[Reference, Type, Null, Part, Choice, Tag, Presence];

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

impl SchemaRegistry<'_> {
    /// Returns the normal form of a place. The schemas that it refers to wait to be read.
    pub(super) fn put(&mut self, schema: &Value, hint: &str, pointer: &str) -> Place {
        let mut place = self.placed(schema, hint, pointer).into_place();
        if let Some(reading) = reading(&self.written, pointer) {
            place.bounds = bounds(&reading);
            place.nullable = reading.is_nullable();
        }
        self.formats.apply(place)
    }

    fn placed(&mut self, schema: &Value, hint: &str, pointer: &str) -> Placed {
        let resolved = self.written.resolve(schema, pointer);
        if schema.is_object() && resolved.schema.is_null() {
            self.warn(
                "schema-reference",
                pointer,
                "this reference leads nowhere, or back to itself; its values are any JSON",
                "correct the reference in an override",
            );
        }
        let known = self.written.naming.of(&resolved.pointer).map(str::to_owned);
        let mut placed = if self.is_of_the_runtime(&resolved) {
            self.inline(&resolved, hint)
        } else if let Some(name) = known {
            Placed::of(self.refer(name, &resolved.pointer))
        } else if let Some(name) = named_inline(self, &resolved) {
            let mut placed = Placed::of(self.refer(name, &resolved.pointer));
            placed.keywords.extend(of_the_place(resolved.schema));
            placed
        } else {
            self.inline(&resolved, hint)
        };
        around(&mut placed.keywords, &resolved);
        placed
    }

    /// Returns whether values have a type of the runtime, which needs no name in the document. A UUID with a name is an identifier type.
    fn is_of_the_runtime(&self, resolved: &Resolved<'_>) -> bool {
        let format = annotations::text_format(resolved.schema);
        format.is_some_and(|format| !format.is_uuid())
            && matches!(
                self.written.form(resolved.schema, &resolved.pointer).form,
                Form::Scalar(Scalar::Text)
            )
    }

    /// A reference to a schema that has a name.
    fn refer(&mut self, name: String, pointer: &str) -> Shape {
        if self.known.insert(name.clone()) {
            self.waiting.push_back((name.clone(), pointer.to_owned()));
        }
        Shape::Reference(name)
    }

    fn inline(&mut self, resolved: &Resolved<'_>, hint: &str) -> Placed {
        let Resolved {
            schema, pointer, ..
        } = resolved;
        let formed = self.written.form(schema, pointer);
        self.warn_if_untyped(&formed.form, schema, pointer);
        if let Form::One((one, at)) = &formed.form {
            return self.placed(one, hint, at);
        }
        if !formed.form.is_named() {
            // A list of itself has no name that could end it.
            if self.expanding.contains(pointer) {
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
            self.expanding.push(pointer.clone());
            let Formed { gathered, form, .. } = formed;
            let (shape, keywords) = self.described(gathered, form, hint, pointer);
            self.expanding.pop();
            return Placed { shape, keywords };
        }
        let name = match resolved.referred {
            true => self.name_referred(pointer),
            false => {
                let title = schema.get("title").and_then(Value::as_str);
                self.name_inline(pointer, hint, formed.form.title().or(title))
            }
        };
        self.finish(&name, formed, pointer);
        Placed {
            shape: Shape::Reference(name),
            keywords: of_the_place(schema).collect(),
        }
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
    pub(super) fn warn_if_untyped(&mut self, form: &Form<'_>, schema: &Value, pointer: &str) {
        let list = |key| schema.get(key).and_then(Value::as_array);
        let mut alternatives = ["oneOf", "anyOf"].into_iter().filter_map(list).flatten();
        // A schema that allows anything has the right type.
        let mut parts = list("allOf").into_iter().flatten().peekable();
        let parts_are_open = parts.peek().is_some() && parts.all(says_nothing);
        let is_open = says_nothing(schema)
            || alternatives.any(says_nothing)
            || parts_are_open
            || is_null(schema);
        if matches!(form, Form::Any) && !is_open {
            self.warn(
                "untyped",
                pointer,
                "no type can be made for this schema; its values are any JSON",
                "simplify the schema in an override, keeping the wire format",
            );
        }
    }

    /// A place that is one of several schemas.
    pub(super) fn put_one_of(&mut self, group: &[Located<'_>], hint: &str, at: &str) -> Place {
        if let [(schema, at)] = group {
            return self.put(schema, hint, at);
        }
        let form = self.written.one_of(group, None);
        let formed = Formed {
            gathered: Default::default(),
            form,
        };
        let mut place = match &formed.form {
            Form::One((schema, at)) => self.put(schema, hint, at),
            form if form.is_named() => {
                let key = format!("{at}#{hint}");
                let name = self.name_inline(&key, hint, form.title());
                self.finish(&name, formed, at);
                Place::of(Shape::Reference(name))
            }
            _ => {
                let (shape, _) = self.described(formed.gathered, formed.form, hint, at);
                Place::of(shape)
            }
        };
        let mut readings = group
            .iter()
            .filter_map(|(_, at)| reading(&self.written, at));
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
fn around(keywords: &mut Map<String, Value>, resolved: &Resolved<'_>) {
    let mut is_shared = false;
    for map in &resolved.around {
        for (key, value) in *map {
            match is_shared {
                false if !has_role(key, OF_THE_SCHEMA) => {
                    keywords.insert(key.clone(), value.clone());
                }
                true if key == "x-rust-type" => {
                    keywords.entry(key).or_insert_with(|| value.clone());
                }
                _ => {}
            }
        }
        is_shared |= map.contains_key("$ref");
    }
}

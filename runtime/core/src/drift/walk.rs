//! Compares the bytes of a response with its documented shape. It reads raw JSON, so that numbers that fit no type are harmless, and
//! descends only into values that the document describes.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::{Drift, DriftKind};
use crate::decode::decode::without_mark;
use crate::decode::pointer::escape;
use crate::decode::read::whole;
use crate::document::api::Operation;
use crate::document::shape::{Literal, Shape};
use crate::secret::conceal::concealed;
use crate::secret::quotation::{POINTER, cut, escaped};

/// The maximum depth; serde_json decodes nothing deeper.
const DEEPEST: usize = 128;
/// The white space around a body.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
/// The maximum length of a quoted enum value, in characters.
const LONGEST_VALUE: usize = 64;

/// Returns all drift of a body, in order of occurrence; nothing for an empty or invalid body.
pub(crate) fn drift(body: &[u8], operation: &'static Operation) -> Vec<Drift> {
    let mut walk = Walk {
        operation: operation.id,
        ..Walk::default()
    };
    if let Ok(body) = str::from_utf8(without_mark(body)) {
        walk.value(body.trim_matches(SPACE), vec![operation.response]);
    }
    walk.found
}

#[derive(Default)]
struct Walk {
    operation: &'static str,
    found: Vec<Drift>,
    /// The index in `found` of each difference, to count repetitions.
    known: BTreeMap<(Vec<Option<String>>, DriftKind), usize>,
    path: Vec<Step>,
}

enum Step {
    /// A field, by its name in the response.
    Field(String),
    /// A member whose name is data.
    Key(String),
    Index(usize),
}

/// The documented form of a member's name.
pub(super) enum Known {
    Field,
    Alias(&'static str, &'static str),
    Key,
}

impl Walk {
    fn value(&mut self, value: &str, shapes: Vec<&'static Shape>) {
        let shapes = alternatives(shapes);
        let Some(sent) = json_type(value) else {
            return;
        };
        if self.path.len() > DEEPEST || shapes.iter().any(|shape| matches!(shape, Shape::Any)) {
            return;
        }
        if !shapes.iter().any(|shape| allows(shape, sent)) {
            // Deeper levels notice invalid JSON themselves.
            if self.path.is_empty() && serde_json::from_str::<IgnoredAny>(value).is_err() {
                return;
            }
            self.wrong_type(sent, &shapes);
            return;
        }
        match sent {
            "object" => self.members(value, &shapes),
            "array" => self.elements(value, &shapes),
            "string" => self.text(value, &shapes),
            _ => {}
        }
    }

    fn members(&mut self, object: &str, shapes: &[&'static Shape]) {
        let is_object = |shape: &&Shape| matches!(shape, Shape::Object { .. });
        let members = serde_json::from_str::<BTreeMap<String, &RawValue>>(object);
        let (true, Ok(members)) = (shapes.iter().any(is_object), members) else {
            return;
        };
        let has_value = |name: &str| {
            let value = members.get(name);
            value.is_some_and(|value| json_type(value.get()).is_some())
        };
        let without_value = absent(shapes, has_value);
        let missing = absent(shapes, |name| members.contains_key(name));
        for (name, value) in members {
            let value = value.get();
            let (known, inside): (Vec<_>, Vec<_>) = shapes
                .iter()
                .filter_map(|shape| member(shape, &name))
                .unzip();
            let is_key = !known.is_empty() && known.iter().all(|one| matches!(one, Known::Key));
            let Some(sent_type) = json_type(value) else {
                // A null field counts as absent, under any name.
                if is_key {
                    self.path.push(Step::Key(name));
                    self.null(inside);
                    self.path.pop();
                }
                continue;
            };
            self.path.push(if is_key {
                Step::Key(name)
            } else {
                Step::Field(name)
            });
            match known.as_slice() {
                [] => self.note(DriftKind::UnknownProperty, sent_type),
                [Known::Alias(sent, documented), rest @ ..]
                    if rest.iter().all(|one| matches!(one, Known::Alias(..))) =>
                {
                    self.note(DriftKind::Alias { sent, documented }, sent_type);
                }
                _ => {}
            }
            if !inside.is_empty() {
                self.value(value, inside);
            }
            self.path.pop();
        }
        for name in without_value {
            let kind = if missing.contains(&name) {
                DriftKind::Missing
            } else {
                DriftKind::Null
            };
            self.path.push(Step::Field(name.to_owned()));
            self.note(kind, "null");
            self.path.pop();
        }
    }

    fn elements(&mut self, array: &str, shapes: &[&'static Shape]) {
        let inside = elements(shapes);
        let elements: Vec<&RawValue> = serde_json::from_str(array).unwrap_or_default();
        for (index, element) in elements.into_iter().enumerate() {
            self.path.push(Step::Index(index));
            match json_type(element.get()) {
                Some(_) => self.value(element.get(), inside.clone()),
                None => self.null(inside.clone()),
            }
            self.path.pop();
        }
    }

    /// Notes a null element or member, which is left out of the decoded list or map unless the document has it.
    fn null(&mut self, shapes: Vec<&'static Shape>) {
        let shapes = alternatives(shapes);
        let is_allowed =
            |shape: &&Shape| matches!(shape, Shape::Any | Shape::Null | Shape::Loose(_));
        if !shapes.is_empty() && !shapes.iter().any(is_allowed) {
            self.wrong_type("null", &shapes);
        }
    }

    fn wrong_type(&mut self, sent: &'static str, shapes: &[&'static Shape]) {
        let documented = shapes.iter().filter_map(|shape| shape.json_type());
        let documented: BTreeSet<_> = documented.collect();
        let documented = documented.into_iter().collect();
        self.note(DriftKind::WrongType { sent, documented }, sent);
    }

    fn text(&mut self, text: &str, shapes: &[&'static Shape]) {
        if shapes.iter().any(|shape| matches!(shape, Shape::Text)) {
            return;
        }
        let Ok(text) = serde_json::from_str::<String>(text) else {
            return;
        };
        let mut is_listed = false;
        let mut alias = None;
        for shape in shapes {
            match shape {
                Shape::Enum { known, .. } if known.contains(&text.as_str()) => return,
                Shape::Constant(Literal::Text(known)) if *known == text => return,
                Shape::Constant(Literal::Text(_)) => is_listed = true,
                Shape::Enum { aliases, .. } => {
                    is_listed = true;
                    alias = alias.or(aliases.iter().find(|(sent, _)| *sent == text));
                }
                _ => {}
            }
        }
        if let Some((sent, documented)) = alias {
            self.note(DriftKind::Alias { sent, documented }, "string");
        } else if is_listed && !text.is_empty() {
            let value = cut(concealed(&text).into_owned(), LONGEST_VALUE);
            self.note(DriftKind::UnknownEnumValue(value), "string");
        }
    }

    /// Adds a difference at the current place, or increments its count.
    fn note(&mut self, kind: DriftKind, json_type: &'static str) {
        let place = self.path.iter().map(|step| match step {
            Step::Field(name) => Some(name.clone()),
            Step::Key(_) | Step::Index(_) => None,
        });
        let next = self.found.len();
        let index = *self
            .known
            .entry((place.collect(), kind.clone()))
            .or_insert(next);
        match self.found.get_mut(index) {
            Some(drift) => drift.count += 1,
            None => self.found.push(Drift {
                kind,
                pointer: escaped(&self.pointer(), POINTER),
                operation: self.operation,
                json_type,
                count: 1,
            }),
        }
    }

    fn pointer(&self) -> String {
        let steps = self.path.iter().map(|step| match step {
            Step::Field(name) | Step::Key(name) => escape(name),
            Step::Index(index) => index.to_string(),
        });
        steps.fold(String::new(), |pointer, step| pointer + "/" + &step)
    }
}

/// Returns the shapes of the elements of a list.
pub(super) fn elements(shapes: &[&'static Shape]) -> Vec<&'static Shape> {
    let inside = shapes.iter().filter_map(|shape| match shape {
        Shape::List(element) => Some(element()),
        Shape::Loose(_) => Some(*shape),
        _ => None,
    });
    inside.collect()
}

/// Returns the shapes with all their nested alternatives.
pub(super) fn alternatives(mut shapes: Vec<&'static Shape>) -> Vec<&'static Shape> {
    let mut next = 0;
    while let Some(shape) = shapes.get(next).copied() {
        let parts = match shape {
            Shape::OneOf(parts) => parts,
            Shape::Loose(one) => std::slice::from_ref(one),
            _ => &[],
        };
        for part in parts.iter().map(|part| part()) {
            // Shapes may contain themselves.
            if !shapes.iter().any(|known| std::ptr::eq(*known, part)) {
                shapes.push(part);
            }
        }
        next += 1;
    }
    shapes
}

/// Returns the fields that all object shapes require, but the object lacks under any name.
fn absent(shapes: &[&'static Shape], has: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut objects = shapes
        .iter()
        .filter(|shape| matches!(shape, Shape::Object { .. }));
    let Some(first) = objects.next() else {
        return Vec::new();
    };
    let names = first.properties().iter().filter(|one| one.is_required);
    let names = names.map(|one| one.name);
    names
        .filter(|name| objects.clone().all(|object| requires(object, name)))
        .filter(|name| !has(name) && !has_alias(shapes, name, &has))
        .collect()
}

fn requires(object: &Shape, name: &str) -> bool {
    let mut properties = object.properties().iter();
    properties.any(|one| one.name == name && one.is_required)
}

/// Returns whether an object has a field under another name of it.
fn has_alias(shapes: &[&Shape], name: &str, has: impl Fn(&str) -> bool) -> bool {
    let properties = shapes.iter().flat_map(|shape| shape.properties());
    let mut same = properties.filter(|one| one.name == name);
    same.any(|one| one.aliases.iter().any(|alias| has(alias)))
}

/// Returns how an object shape knows a name, and the shape of its value.
pub(super) fn member(shape: &'static Shape, name: &str) -> Option<(Known, &'static Shape)> {
    let Shape::Object { properties, others } = shape else {
        return None;
    };
    if let Some(property) = properties.iter().find(|one| one.name == name) {
        return Some((Known::Field, (property.shape)()));
    }
    for property in *properties {
        if let Some(alias) = property.aliases.iter().find(|alias| **alias == name) {
            return Some((Known::Alias(alias, property.name), (property.shape)()));
        }
    }
    others.map(|other| (Known::Key, other()))
}

fn allows(shape: &Shape, sent: &str) -> bool {
    match shape {
        Shape::Loose(_) => true,
        Shape::Number => sent == "number" || sent == "integer",
        shape => shape.json_type() == Some(sent),
    }
}

/// Returns the type of a value; `None` for null.
fn json_type(text: &str) -> Option<&'static str> {
    match text.bytes().next()? {
        b'n' => None,
        b'{' => Some("object"),
        b'[' => Some("array"),
        b'"' => Some("string"),
        b't' | b'f' => Some("boolean"),
        _ if text.bytes().all(|b| b == b'-' || b.is_ascii_digit()) => Some("integer"),
        // The spelling does not matter: `37.0` and `1e2` decode as whole numbers.
        _ if text.parse().ok().and_then(whole).is_some() => Some("integer"),
        _ => Some("number"),
    }
}

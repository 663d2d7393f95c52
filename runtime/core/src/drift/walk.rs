//! Walks the bytes of a response beside the shape that the document gives it. It reads raw JSON, so that a number which no type can hold
//! stops nothing, and looks into a value only where the document knows something of it.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::{Drift, DriftKind};
use crate::decode::decode::without_mark;
use crate::decode::decoder::whole;
use crate::decode::pointer::escape;
use crate::document::api::Operation;
use crate::document::shape::Shape;
use crate::secret::conceal::concealed;
use crate::secret::quotation::{POINTER, escaped};

/// Deeper values are not looked at; serde_json decodes none that is deeper.
const DEEPEST: usize = 128;
/// What may stand around a body.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
/// Longest quotation of an enum value, in characters.
const LONGEST_VALUE: usize = 64;

/// All drift of a body, in the order in which it is met; none for a body that is empty or no JSON.
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
    /// Where in `found` something stands that may be met again.
    known: BTreeMap<(Vec<Option<String>>, DriftKind), usize>,
    /// The way to the value that is being looked at.
    path: Vec<Step>,
}

enum Step {
    /// A field, by the name that it has in the response.
    Field(String),
    /// A member whose name is data.
    Key(String),
    Index(usize),
}

/// How the document knows the name of a member.
enum Known {
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
            // What looks into a body finds out by itself that it is no JSON.
            if self.path.is_empty() && serde_json::from_str::<IgnoredAny>(value).is_err() {
                return;
            }
            let mut documented: Vec<_> = shapes
                .iter()
                .filter_map(|shape| shape.json_type())
                .collect();
            documented.sort_unstable();
            documented.dedup();
            self.note(DriftKind::WrongType { sent, documented }, sent);
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
        let missing = missing(shapes, |name| {
            members
                .get(name)
                .is_some_and(|value| json_type(value.get()).is_some())
        });
        for (name, value) in members {
            // A null says as little as a member that is not there, under whatever name.
            let value = value.get();
            let Some(sent_type) = json_type(value) else {
                continue;
            };
            let (known, inside): (Vec<_>, Vec<_>) = shapes
                .iter()
                .filter_map(|shape| member(shape, &name))
                .unzip();
            let is_key = !known.is_empty() && known.iter().all(|one| matches!(one, Known::Key));
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
        for name in missing {
            self.path.push(Step::Field(name.to_owned()));
            self.note(DriftKind::Missing, "null");
            self.path.pop();
        }
    }

    fn elements(&mut self, array: &str, shapes: &[&'static Shape]) {
        let inside: Vec<&Shape> = shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::List(element) => Some(*element),
                Shape::Loose(_) => Some(*shape),
                _ => None,
            })
            .collect();
        let elements: Vec<&RawValue> = serde_json::from_str(array).unwrap_or_default();
        for (index, element) in elements.into_iter().enumerate() {
            self.path.push(Step::Index(index));
            self.value(element.get(), inside.clone());
            self.path.pop();
        }
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
            let value = beginning(&concealed(&text));
            self.note(DriftKind::UnknownEnumValue(value), "string");
        }
    }

    /// Adds what was met at the current place, or counts it once more.
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

/// The shapes, and all that they are made of.
fn alternatives(mut shapes: Vec<&'static Shape>) -> Vec<&'static Shape> {
    let mut next = 0;
    while let Some(shape) = shapes.get(next).copied() {
        let parts = match shape {
            Shape::OneOf(parts) => parts,
            Shape::Loose(one) => std::slice::from_ref(one),
            _ => &[],
        };
        for part in parts {
            // Shapes may contain themselves.
            if !shapes.contains(part) {
                shapes.push(part);
            }
        }
        next += 1;
    }
    shapes
}

/// The fields that an object lacks under all of their names, although each object among the shapes requires them.
fn missing(shapes: &[&'static Shape], has: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut objects = shapes.iter().filter_map(|shape| match shape {
        Shape::Object {
            required, aliases, ..
        } => Some((*required, *aliases)),
        _ => None,
    });
    let Some((first, _)) = objects.next() else {
        return Vec::new();
    };
    let others: Vec<_> = objects.map(|(required, _)| required).collect();
    let has_alias = |name: &str| {
        shapes.iter().any(|shape| match shape {
            Shape::Object { aliases, .. } => aliases
                .iter()
                .any(|(sent, documented)| *documented == name && has(sent)),
            _ => false,
        })
    };
    let names = first.iter().copied();
    names
        .filter(|name| others.iter().all(|required| required.contains(name)))
        .filter(|name| !has(name) && !has_alias(name))
        .collect()
}

/// How an object of this shape knows a name, and what it says of the value.
fn member(shape: &'static Shape, name: &str) -> Option<(Known, &'static Shape)> {
    let Shape::Object {
        fields,
        aliases,
        others,
        ..
    } = shape
    else {
        return None;
    };
    let field = |name: &str| fields.iter().find(|(field, _)| *field == name);
    if let Some((_, inside)) = field(name) {
        return Some((Known::Field, inside));
    }
    if let Some((sent, documented)) = aliases.iter().find(|(sent, _)| *sent == name)
        && let Some((_, inside)) = field(documented)
    {
        return Some((Known::Alias(sent, documented), inside));
    }
    others.map(|inside| (Known::Key, inside))
}

fn allows(shape: &Shape, sent: &str) -> bool {
    match shape {
        Shape::Loose(_) => true,
        Shape::Number => sent == "number" || sent == "integer",
        shape => shape.json_type() == Some(sent),
    }
}

/// The type of a value; `None` for null.
fn json_type(text: &str) -> Option<&'static str> {
    match text.bytes().next()? {
        b'n' => None,
        b'{' => Some("object"),
        b'[' => Some("array"),
        b'"' => Some("string"),
        b't' | b'f' => Some("boolean"),
        _ if text.bytes().all(|b| b == b'-' || b.is_ascii_digit()) => Some("integer"),
        // However it is spelled: `37.0` and `1e2` decode as whole numbers.
        _ if text.parse().ok().and_then(whole).is_some() => Some("integer"),
        _ => Some("number"),
    }
}

fn beginning(value: &str) -> String {
    match value.char_indices().nth(LONGEST_VALUE) {
        None => value.to_owned(),
        Some(_) => value.chars().take(LONGEST_VALUE - 1).chain(['…']).collect(),
    }
}

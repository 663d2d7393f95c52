//! Resolves references in every notation: a JSON Pointer, percent-encoded or through other references, an anchor, or the
//! `$id` of a schema. References to other files are pointers already: [`crate::source::document`] reads these files.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use serde_json::Value;

use crate::pointer;
use crate::source::texts;

/// Keywords that refer. A dynamic reference is followed if only one schema has its anchor.
pub const REFERRING: [&str; 2] = ["$ref", "$dynamicRef"];

/// Maximum number of references in the resolution path of one pointer; a longer one is circular.
const LONGEST: usize = 64;

/// A value of a document, with its location.
#[derive(Clone, Debug, PartialEq)]
pub struct Target<'d> {
    /// JSON Pointer from the root of the document.
    pub pointer: String,
    /// The value at the pointer.
    pub value: &'d Value,
}

impl<'d> Target<'d> {
    /// Returns the members or elements below a member of an object.
    pub fn below(&self, key: &str) -> impl Iterator<Item = Self> + use<'d> {
        let at = pointer::join(&self.pointer, key);
        let holder = self.value.get(key);
        let members = holder.and_then(Value::as_object).into_iter().flatten();
        let members = members.map(|(key, value)| (key.clone(), value));
        let list = holder.and_then(Value::as_array).into_iter().flatten();
        let list = list.enumerate();
        let all = members.chain(list.map(|(index, value)| (index.to_string(), value)));
        all.map(move |(key, value)| Self {
            pointer: pointer::join(&at, &key),
            value,
        })
    }
}

/// Locations by the names in a document; `None` for a name that several have.
#[derive(Default)]
struct Names<'d> {
    /// Locations by `$anchor` and `$dynamicAnchor`.
    anchors: HashMap<&'d str, Option<Target<'d>>>,
    /// Locations by `$id`.
    ids: HashMap<&'d str, Option<Target<'d>>>,
}

/// Resolves the references of one document.
pub struct Resolver<'d> {
    root: &'d Value,
    /// Locations by the names that the document gives them.
    names: OnceCell<Names<'d>>,
    /// Ends of resolution paths, by the address of the referring value. `None` if there is no end, and during resolution.
    ends: RefCell<HashMap<usize, Option<Target<'d>>>>,
}

impl<'d> Resolver<'d> {
    /// Creates a resolver, without reading the document yet.
    pub fn new(root: &'d Value) -> Self {
        Self {
            root,
            names: OnceCell::new(),
            ends: RefCell::default(),
        }
    }

    /// Returns the target of a reference, which may refer again; `None` if it is outside the document or does not exist.
    pub fn target(&self, reference: &str) -> Option<Target<'d>> {
        self.step(reference, &mut LONGEST.clone())
    }

    /// Returns the target of a reference at a location. A pointer that leads nowhere in the document is one in the nearest schema around
    /// it with an `$id`. One to `$defs` may mean those of any schema around it: pydantic writes it for a schema that is a document.
    fn target_from(&self, at: &str, reference: &str) -> Option<Target<'d>> {
        let pointer = reference.strip_prefix('#').unwrap_or_default();
        let in_document = self.target(reference);
        if in_document.is_some() || !pointer.starts_with('/') {
            return in_document;
        }
        let mut holder = at;
        while let Some((parent, _)) = holder.rsplit_once('/') {
            holder = parent;
            let has = |key| {
                self.root
                    .pointer(holder)
                    .is_some_and(|one| one.get(key).is_some())
            };
            if has("$id") || pointer.starts_with("/$defs/") && has("$defs") {
                let found = self.target(&format!("#{holder}{pointer}"));
                if has("$id") || found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Returns the next target of a reference at a location that can be resolved; `None` if it leads nowhere or in a circle.
    pub fn lasting(&self, at: &str, reference: &str) -> Option<Target<'d>> {
        let target = self.target_from(at, reference)?;
        self.end(target.clone()).is_some().then_some(target)
    }

    /// Follows references from a location to a value that is not one; `None` if they leave the document, lead nowhere or in a circle.
    pub fn end(&self, from: Target<'d>) -> Option<Target<'d>> {
        let (mut at, mut passed) = (from, Vec::new());
        let end = loop {
            let Some(text) = reference(at.value) else {
                break Some(at);
            };
            let address = std::ptr::from_ref(at.value).addr();
            if let Some(known) = self.ends.borrow().get(&address) {
                break known.clone();
            }
            let Some(next) = self.target_from(&at.pointer, text) else {
                // A dynamic reference without a fixed target resolves to itself.
                break at.value.get("$ref").is_none().then_some(at);
            };
            // A path of one step is not worth caching.
            if reference(next.value).is_none() {
                break Some(next);
            }
            self.ends.borrow_mut().insert(address, None);
            passed.push(address);
            at = next;
        };
        let passed = passed.into_iter().map(|address| (address, end.clone()));
        self.ends.borrow_mut().extend(passed);
        end
    }

    /// Follows one reference, and those in its path. `left` bounds the total number.
    fn step(&self, reference: &str, left: &mut usize) -> Option<Target<'d>> {
        *left = left.checked_sub(1)?;
        let (base, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let own = self.root.get("$self").and_then(Value::as_str);
        let base = if base.is_empty() || own == Some(base) {
            Target {
                pointer: String::new(),
                value: self.root,
            }
        } else {
            self.names().ids.get(base)?.clone()?
        };
        if fragment.is_empty() || fragment.starts_with('/') {
            self.below(base, fragment, left)
        } else {
            self.names().anchors.get(fragment)?.clone()
        }
    }

    /// Returns the location, or the target of its decoded pointer through the references in its path.
    fn below(&self, base: Target<'d>, at: &str, left: &mut usize) -> Option<Target<'d>> {
        if let Some(value) = base.value.pointer(at) {
            let pointer = base.pointer + at;
            return Some(Target { pointer, value });
        }
        let mut here = base;
        for token in pointer::tokens(&pointer::percent_decoded(at)) {
            let below = pointer::join("", &token);
            here = loop {
                if let Some(value) = here.value.pointer(&below) {
                    let pointer = here.pointer + &below;
                    break Target { pointer, value };
                }
                here = self.step(reference(here.value)?, left)?;
            };
        }
        Some(here)
    }

    fn names(&self) -> &Names<'d> {
        self.names.get_or_init(|| names(self.root))
    }
}

/// Collects all names of locations in a document.
fn names(document: &Value) -> Names<'_> {
    let mut names = Names::default();
    texts(document, &mut |at, keyword, text, value| {
        let known = match keyword {
            "$anchor" | "$dynamicAnchor" => &mut names.anchors,
            "$id" => &mut names.ids,
            _ => return,
        };
        let pointer = at.pointer();
        known
            .entry(text)
            .and_modify(|place| drop(place.take_if(|place| place.pointer != pointer)))
            .or_insert_with(|| Some(Target { pointer, value }));
    });
    names
}

/// Returns the reference of an object.
pub fn reference(value: &Value) -> Option<&str> {
    REFERRING
        .iter()
        .find_map(|keyword| value.get(keyword)?.as_str())
}

/// Returns the reference of an object that is not a schema. Only a schema has a dynamic one.
pub fn object_reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()
}

/// Returns the target of one reference, as [`Resolver::target`] does.
pub fn target<'d>(root: &'d Value, reference: &str) -> Option<Target<'d>> {
    Resolver::new(root).target(reference)
}

/// Returns the next target of a value's reference.
pub fn referred<'d>(root: &'d Value, value: &Value) -> Option<&'d Value> {
    target(root, reference(value)?).map(|target| target.value)
}

/// Follows references from a location to a value that is not one, as [`Resolver::end`] does.
pub fn resolve<'d>(root: &'d Value, pointer: &str) -> Option<(String, &'d Value)> {
    let pointer = pointer.to_owned();
    let value = root.pointer(&pointer)?;
    let end = Resolver::new(root).end(Target { pointer, value })?;
    Some((end.pointer, end.value))
}

/// Follows references from a value, which may be outside the document, to a value that is not one.
pub fn meant<'d>(root: &'d Value, value: &'d Value) -> Option<&'d Value> {
    let pointer = String::new();
    let end = Resolver::new(root).end(Target { pointer, value })?;
    Some(end.value)
}

/// Follows references as [`meant`] does. A value whose references lead nowhere is returned itself.
pub fn followed<'d>(root: &'d Value, value: &'d Value) -> &'d Value {
    meant(root, value).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reference_leads_to_one_place_however_it_is_written() {
        let root = json!({
            "$self": "https://example.com/api",
            "a b": {"c/d": {"$ref": "#/way/e"}},
            "way": {"e": {"$ref": "#/other"}},
            "other": {"f": {"$anchor": "name"}, "g": {"$id": "https://example.com/g", "h": 1}},
            "twice": [{"$anchor": "two"}, {"$anchor": "two"}],
            "example": {"$anchor": "data"},
            "x-bundled-files": {"more.yaml": {"i": {"$anchor": "far"}}},
        });
        for (reference, expected) in [
            ("#/other/f", Some("/other/f")),
            ("#/a%20b/c~1d", Some("/a b/c~1d")),
            ("#/a%20b/c~1d/f", Some("/other/f")),
            ("https://example.com/api#/other/f", Some("/other/f")),
            ("https://example.com/g#/h", Some("/other/g/h")),
            ("#name", Some("/other/f")),
            ("#far", Some("/x-bundled-files/more.yaml/i")),
            ("#two", None),
            ("#data", None),
            ("#/none", None),
            ("more.yaml", None),
        ] {
            let found = target(&root, reference).map(|target| target.pointer);
            assert_eq!(found.as_deref(), expected, "{reference}");
        }
    }

    #[test]
    fn chains_end_however_long_they_are_and_circles_do_not() {
        let mut root = json!({"last": true, "a": {"$ref": "#/b"}, "b": {"$ref": "#/a"}, "c": {"$ref": "#/c/d"}});
        let long = 20_000;
        for index in 0..long {
            let next = if index + 1 == long {
                "#/last".to_owned()
            } else {
                format!("#/{}", index + 1)
            };
            root[index.to_string()] = json!({ "$ref": next });
        }
        let resolver = Resolver::new(&root);
        let end = |pointer: &str| {
            let value = root.pointer(pointer).unwrap();
            let pointer = pointer.to_owned();
            resolver.end(Target { pointer, value })
        };
        for index in 0..long {
            assert_eq!(end(&format!("/{index}")).unwrap().pointer, "/last");
        }
        assert_eq!(["/a", "/b", "/c"].map(end), [None, None, None]);
    }
}

//! Compares a guarded value of the old document with the value at the matched place of the new one. It is fail-closed: values are equal if
//! their JSON is, except for the equalities of this table. Anything else is another value.
//!
//! | equal | reason |
//! |---|---|
//! | keys in another order; `required`, `enum`, `type`, alternatives, parameters and demands of security in another order | the order has no meaning |
//! | a reference, and one to the new name of its target | the target is no part of the value |
//! | a reference, and its target written out; a schema, and wrappers or parts that say the same | both say the same of a value |
//! | null, the only value, and an excluded bound in the keywords of 3.0 and of 3.1 | both say the same of a value |
//! | descriptions, summaries, titles and examples within the value | they are for people |
//! | a path parameter under the name that its path has now | the name is in no message |

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::keywords::{Takes, has_order, is_data, is_map_of_names, is_words, keyword};
use openapi_document::pointer;
use openapi_document::resolver::{object_reference, target};
use openapi_schemas::reading::{Document, LIMIT};
use serde_json::{Map, Value};

use super::correspondence::Correspondence;

/// The kind of a value. It decides on the meaning of its keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A schema, or a list of them.
    Schema,
    /// Schemas by name.
    Schemas,
    /// Other objects of OpenAPI by name, or a list of them.
    Names,
    /// Another object of OpenAPI.
    Object,
    /// Any JSON.
    Data,
}

impl Kind {
    /// Returns the kind of a member.
    pub(super) fn below(self, key: &str) -> Self {
        match self {
            Self::Schemas => Self::Schema,
            Self::Schema => match keyword(key).map(|row| row.takes) {
                Some(Takes::NamedSchemas) => Self::Schemas,
                Some(Takes::Schema | Takes::SchemaOrBool | Takes::Schemas) => Self::Schema,
                Some(Takes::Discriminator) => Self::Object,
                _ => Self::Data,
            },
            Self::Object if matches!(key, "schema" | "itemSchema") => Self::Schema,
            Self::Object if key == "schemas" => Self::Schemas,
            Self::Object if is_data(key) => Self::Data,
            Self::Object if is_map_of_names(key) => Self::Names,
            Self::Names if key.starts_with("x-") => Self::Data,
            Self::Names | Self::Object => Self::Object,
            Self::Data => Self::Data,
        }
    }

    /// Returns the kind of the elements of a list.
    pub(super) fn element(self) -> Self {
        match self {
            Self::Names => Self::Object,
            other => other,
        }
    }

    /// Returns whether a key is documentation for people.
    fn is_words(self, key: &str) -> bool {
        matches!(self, Self::Schema | Self::Object) && is_words(key)
    }
}

/// Compares values of two documents.
pub(super) struct Equality<'e> {
    to: &'e Correspondence<'e>,
    pub(super) old: Document<'e>,
    pub(super) new: Document<'e>,
    /// New names of path parameters by the old ones.
    names: BTreeMap<String, String>,
    /// Pairs of schemas that are equal if all others are: a schema may contain itself.
    pub(super) assumed: Vec<Pair>,
    /// Number of schemas that may still be compared.
    pub(super) left: usize,
}

/// Addresses of the schemas of two sites, and whether null is allowed around them.
#[derive(PartialEq)]
pub(super) struct Pair {
    pub(super) old: (Vec<*const Value>, bool),
    pub(super) new: (Vec<*const Value>, bool),
}

impl<'e> Equality<'e> {
    /// Creates the comparison of two states of the documents. `at` is the location of the values in the old one.
    pub(super) fn new(
        to: &'e Correspondence<'e>,
        old: &'e Value,
        new: &'e Value,
        at: &str,
    ) -> Self {
        let mut tokens = pointer::tokens(at);
        let path = tokens.next().filter(|first| first == "paths");
        let path = path.and(tokens.next());
        Self {
            to,
            old: Document::new(old),
            new: Document::new(new),
            names: path.map(|path| to.names(&path)).unwrap_or_default(),
            assumed: Vec::new(),
            left: LIMIT,
        }
    }

    /// Returns whether two values of a kind are equal. `in_order`: the order of a list counts.
    pub(super) fn values(
        &mut self,
        kind: Kind,
        in_order: bool,
        a: &'e Value,
        b: &'e Value,
    ) -> bool {
        match (a, b) {
            (Value::Array(a), Value::Array(b)) => {
                let (a, b): (Vec<_>, Vec<_>) = (a.iter().collect(), b.iter().collect());
                self.lists(kind.element(), in_order, &a, &b)
            }
            (a, b) if kind == Kind::Schema => self.schema(a, b),
            (a, b)
                if kind == Kind::Object
                    && object_reference(a).or(object_reference(b)).is_some() =>
            {
                self.referring(a, b)
            }
            (Value::Object(a), Value::Object(b)) => self.members(kind, a, b),
            (a, b) => a == b,
        }
    }

    /// Returns whether two lists are equal.
    pub(super) fn lists(
        &mut self,
        kind: Kind,
        in_order: bool,
        a: &[&'e Value],
        b: &[&'e Value],
    ) -> bool {
        if a.len() != b.len() {
            return false;
        }
        if in_order {
            let mut pairs = a.iter().zip(b);
            return pairs.all(|(a, b)| self.values(kind, kind == Kind::Data, a, b));
        }
        let mut open: Vec<&'e Value> = b.to_vec();
        a.iter().all(|one| {
            let found = open
                .iter()
                .position(|other| self.values(kind, true, one, other));
            found.map(|index| open.remove(index)).is_some()
        })
    }

    /// Returns whether two objects are equal of which one or both are references. Nothing but documentation may be beside them.
    fn referring(&mut self, a: &'e Value, b: &'e Value) -> bool {
        let is_bare = |value: &Value| {
            let keys = value.as_object().into_iter().flat_map(|map| map.keys());
            object_reference(value).is_none() || keys.filter(|key| !is_words(key)).count() == 1
        };
        if !is_bare(a) || !is_bare(b) {
            return false;
        }
        if let (Some(x), Some(y)) = (object_reference(a), object_reference(b))
            && self.are_counterparts(x, y)
        {
            return true;
        }
        match (written_out(&mut self.old, a), written_out(&mut self.new, b)) {
            (Some(Value::Object(a)), Some(Value::Object(b))) => self.members(Kind::Object, a, b),
            _ => false,
        }
    }

    /// Returns whether two objects have equal members, except for documentation.
    pub(super) fn members(
        &mut self,
        kind: Kind,
        a: &'e Map<String, Value>,
        b: &'e Map<String, Value>,
    ) -> bool {
        let is_path = kind == Kind::Object && a.get("in").is_some_and(|place| place == "path");
        let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        keys.into_iter()
            .filter(|key| !kind.is_words(key))
            .all(|key| match (a.get(key), b.get(key)) {
                (Some(Value::String(a)), Some(Value::String(b))) if is_path && key == "name" => {
                    self.names.get(a).unwrap_or(a) == b
                }
                (Some(a), Some(b)) => {
                    let in_order = kind == Kind::Data || has_order(key);
                    self.values(kind.below(key), in_order, a, b)
                }
                _ => false,
            })
    }

    /// Returns whether two references lead to counterparts.
    pub(super) fn are_counterparts(&self, a: &str, b: &str) -> bool {
        let targets = target(self.old.root, a).zip(target(self.new.root, b));
        targets.is_some_and(|(a, b)| {
            let was_there = |at: &str| self.to.old.pointer(at).is_some();
            // An override adds a component under the same name.
            let is_added = !was_there(&a.pointer) && a.pointer == b.pointer;
            // The diff pairs whatever two references lead to. A target that is still there has no other name, and one that was there is no new name.
            let is_gone = self.to.new.pointer(&a.pointer).is_none();
            let is_renamed = is_gone && !was_there(&b.pointer);
            let is_paired = self.to.component(&a.pointer).contains(&b.pointer);
            is_added || is_paired && (a.pointer == b.pointer || is_renamed)
        })
    }
}

/// Returns an object that is no schema, or the object that it refers to.
fn written_out<'e>(document: &mut Document<'e>, value: &'e Value) -> Option<&'e Value> {
    if object_reference(value).is_some() {
        document.object(value)
    } else {
        Some(value)
    }
}

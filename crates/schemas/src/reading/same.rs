//! Compares two schemas of a document by meaning, however each is written: parts of `allOf` apart or together, a scalar inline or as a
//! component.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use openapi_document::keywords::Role::{Presence, Type, Values};
use openapi_document::keywords::has_role;
use serde_json::Value;

use super::document::Document;
use super::keywords::leads_on;
use super::meaning::Reading;
use super::read::read;
use super::site::{Parts, Site};
use super::types;

/// Keywords with the schema of members or elements, which are compared by meaning, too.
const INNER: [&str; 2] = ["additionalProperties", "items"];

/// Returns whether two schemas say the same. `is_of_place` are the keywords about the location of a schema: these two may differ in them,
/// and of several such keywords at a location the outermost counts.
pub fn is_same<'d>(
    document: &mut Document<'d>,
    one: &'d Value,
    other: &'d Value,
    is_of_place: fn(&str, &Value) -> bool,
) -> bool {
    let mut comparison = Comparison {
        document,
        is_of_place,
        seen: HashSet::new(),
    };
    one.is_object() && other.is_object() && comparison.is_same(&[one], &[other], true)
}

struct Comparison<'c, 'd> {
    document: &'c mut Document<'d>,
    is_of_place: fn(&str, &Value) -> bool,
    /// Addresses of the schemas of comparisons that were begun.
    seen: HashSet<Vec<*const Value>>,
}

impl<'d> Comparison<'_, 'd> {
    /// Returns whether schemas that hold at once say the same as others. Only the outermost may differ in null and in their names.
    fn is_same(&mut self, one: &[&'d Value], other: &[&'d Value], is_outermost: bool) -> bool {
        let both = one.iter().chain(other);
        let addresses = both.map(|schema| std::ptr::from_ref(*schema)).collect();
        if one == other || !self.seen.insert(addresses) {
            return true;
        }
        let root = self.document.root;
        let a = read(self.document, &Site::all(one.to_vec(), root));
        let b = read(self.document, &Site::all(other.to_vec(), root));
        let own = self.keywords(&a, is_outermost);
        let is_at_same_place =
            is_outermost || a.is_nullable() == b.is_nullable() && self.names(&a) == self.names(&b);
        !a.is_cut
            && !b.is_cut
            && a.unresolved.is_empty()
            && b.unresolved.is_empty()
            && is_at_same_place
            && own.is_some()
            && own == self.keywords(&b, is_outermost)
            && a.types == b.types
            && values(&a) == values(&b)
            && self.have_same_inner(&a, &b)
    }

    /// Returns whether the members, elements and alternatives of two schemas are the same.
    fn have_same_inner(&mut self, a: &Reading<'d>, b: &Reading<'d>) -> bool {
        let (ours, theirs) = (inner(a), inner(b));
        ours.len() == theirs.len()
            && ours.iter().zip(&theirs).all(|(one, other)| {
                one.role == other.role && self.is_same(&one.parts, &other.parts, false)
            })
    }

    /// Returns the keywords that are compared as they are; `None` if two parts contradict each other.
    fn keywords(
        &self,
        reading: &Reading<'d>,
        is_outermost: bool,
    ) -> Option<BTreeMap<&'d str, &'d Value>> {
        let mut keywords = BTreeMap::new();
        let all = reading.parts.iter().filter_map(|part| part.as_object());
        for (key, value) in all.flatten() {
            let is_of_place = (self.is_of_place)(key, value);
            let is_compared_apart = leads_on(key) && key != "discriminator"
                || has_role(key, &[Type, Values, Presence])
                || key == "properties"
                || INNER.contains(&key.as_str());
            if is_compared_apart || is_outermost && is_of_place {
                continue;
            }
            let first = *keywords.entry(key.as_str()).or_insert(value);
            if first != value && !is_of_place {
                return None;
            }
        }
        Some(keywords)
    }

    /// Returns the components among the parts of a schema. A scalar has none: a component only gives it a name.
    fn names(&self, reading: &Reading<'d>) -> Vec<&'d str> {
        let is_scalar = reading.types & (types::ARRAY | types::OBJECT) == 0;
        let parts = reading.parts.iter();
        let names = parts.filter_map(|part| self.document.component_of(part));
        names
            .filter(|_| !is_scalar || reading.enum_values.is_some())
            .collect()
    }
}

/// A schema within another one.
struct Inner<'d> {
    /// Where it is: the name of a member, a keyword, or the number of a choice.
    role: String,
    parts: Parts<'d>,
}

/// Returns the schemas of members, elements and alternatives.
fn inner<'d>(reading: &Reading<'d>) -> Vec<Inner<'d>> {
    let mut all = Vec::new();
    for (name, member) in reading.members() {
        let role = format!("{name} {}", member.required.is_some());
        let parts = member.parts;
        all.push(Inner { role, parts });
    }
    all.extend(INNER.iter().map(|keyword| Inner {
        role: (*keyword).to_owned(),
        parts: reading.all(keyword).collect(),
    }));
    for (index, choice) in reading.choices.iter().enumerate() {
        all.extend(choice.alternatives.iter().map(|one| Inner {
            role: format!("{} {index}", choice.keyword),
            parts: vec![*one],
        }));
    }
    all
}

/// Returns the enum values of a schema.
fn values(reading: &Reading<'_>) -> Option<BTreeSet<String>> {
    let all = reading.enum_values.as_ref()?.iter();
    Some(all.map(|one| one.value.to_string()).collect())
}

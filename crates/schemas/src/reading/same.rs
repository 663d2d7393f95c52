//! Compares two schemas of a document by meaning, however each is written: parts of `allOf` apart or together, a scalar inline or as a
//! component.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use openapi_document::keywords::Role::{Name, Presence, Type, Values};
use openapi_document::keywords::has_role;
use serde_json::Value;

use super::document::{Document, LIMIT};
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
    one.is_object() && other.is_object() && comparison.is_same(one, other)
}

struct Comparison<'c, 'd> {
    document: &'c mut Document<'d>,
    is_of_place: fn(&str, &Value) -> bool,
    /// Addresses of the schemas of the pairs that were compared.
    seen: HashSet<Addresses>,
}

/// Addresses of the schemas of a pair, and whether it is the outermost.
type Addresses = (Vec<*const Value>, Vec<*const Value>, bool);

/// Schemas that hold at once, and others.
struct Pair<'d> {
    one: Parts<'d>,
    other: Parts<'d>,
    /// True for the pair that was asked for: only it may differ in null, in names, and in keywords of the location.
    is_outermost: bool,
}

impl<'d> Pair<'d> {
    fn addresses(&self) -> Addresses {
        (
            addresses(&self.one),
            addresses(&self.other),
            self.is_outermost,
        )
    }
}

fn addresses(parts: &[&Value]) -> Vec<*const Value> {
    parts.iter().map(|part| std::ptr::from_ref(*part)).collect()
}

impl<'d> Comparison<'_, 'd> {
    /// Compares pair by pair. A pair that leads back to itself is the same if nothing else differs; of more than the limit nothing is known.
    fn is_same(&mut self, one: &'d Value, other: &'d Value) -> bool {
        let mut waiting = vec![Pair {
            one: vec![one],
            other: vec![other],
            is_outermost: true,
        }];
        while let Some(pair) = waiting.pop() {
            if pair.one == pair.other || !self.seen.insert(pair.addresses()) {
                continue;
            }
            if self.seen.len() > LIMIT {
                return false;
            }
            match self.within(&pair) {
                Some(within) => waiting.extend(within),
                None => return false,
            }
        }
        true
    }

    /// Returns the pairs of members, elements and alternatives of a pair; `None` if it differs itself.
    fn within(&mut self, pair: &Pair<'d>) -> Option<Vec<Pair<'d>>> {
        let root = self.document.root;
        let a = read(self.document, &Site::all(pair.one.clone(), root));
        let b = read(self.document, &Site::all(pair.other.clone(), root));
        let own = self.keywords(&a, pair.is_outermost)?;
        let is_at_same_place = pair.is_outermost
            || a.is_nullable() == b.is_nullable() && self.names(&a) == self.names(&b);
        let (ours, theirs) = (inner(&a), inner(&b));
        let is_same = is_whole(&a)
            && is_whole(&b)
            && is_at_same_place
            && own == self.keywords(&b, pair.is_outermost)?
            && a.types == b.types
            && values(&a) == values(&b)
            && ours.len() == theirs.len();
        let mut within = Vec::new();
        for (one, other) in ours.into_iter().zip(theirs) {
            if one.role != other.role {
                return None;
            }
            within.push(Pair {
                one: one.parts,
                other: other.parts,
                is_outermost: false,
            });
        }
        is_same.then_some(within)
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
                || has_role(key, &[Type, Values, Presence, Name])
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

/// Returns whether a schema was read as a whole.
fn is_whole(reading: &Reading<'_>) -> bool {
    !reading.is_cut && reading.unresolved.is_empty()
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

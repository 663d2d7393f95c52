//! Compares what two schemas say, whatever keywords say it: the equality of readings, and of every keyword that a reading does not answer.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::keywords::Role::{Condition, Tag, Values};
use openapi_document::keywords::{has_role, is_words};
use openapi_document::resolver::{REFERRING, reference};
use openapi_schemas::decimal::Key;
use openapi_schemas::reading::{
    Alternative, Choice, Further, Member, Reading, Site, choices, leads_on, names_types, read,
};
use serde_json::{Map, Value};

use super::answered::{EXCLUDED, is_composing, is_read, is_read_in, is_schema, remaining};
use super::equality::{Equality, Kind, Pair};

impl<'e> Equality<'e> {
    /// Returns whether two schemas are equal.
    pub(super) fn schema(&mut self, a: &'e Value, b: &'e Value) -> bool {
        self.sites(&Site::new(Some(a), a), &Site::new(Some(b), b))
    }

    /// Returns whether the schemas of two sites are equal.
    pub(super) fn sites(&mut self, a: &Site<'e>, b: &Site<'e>) -> bool {
        if let ([x], [y]) = (a.parts.as_slice(), b.parts.as_slice())
            && let (Some(p), Some(q)) = (only_reference(x), only_reference(y))
            && self.are_counterparts(p, q)
        {
            return a.or_null == b.or_null && self.besides(x, y);
        }
        let addresses = |site: &Site<'e>| {
            let parts = site.parts.iter();
            (
                parts.map(|part| std::ptr::from_ref(*part)).collect(),
                site.or_null,
            )
        };
        let pair = Pair {
            old: addresses(a),
            new: addresses(b),
        };
        if self.assumed.contains(&pair) {
            return true;
        }
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let known = self.assumed.len();
        self.assumed.push(pair);
        let is_equal = self.read_and_compare(a, b);
        // What rests on a wrong assumption is unknown again.
        if !is_equal {
            self.assumed.truncate(known);
        }
        is_equal
    }

    fn read_and_compare(&mut self, a: &Site<'e>, b: &Site<'e>) -> bool {
        let mut parts = a.parts.iter().chain(&b.parts);
        let (x, y) = (read(&mut self.old, a), read(&mut self.new, b));
        let is_complete = |reading: &Reading<'_>| reading.unresolved.is_empty() && !reading.is_cut;
        if parts.all(|part| is_schema(part)) && is_complete(&x) && is_complete(&y) {
            self.readings(&x, &y)
        } else {
            a.parts == b.parts
        }
    }

    /// Returns whether two references have equal keywords beside them.
    fn besides(&mut self, a: &'e Value, b: &'e Value) -> bool {
        let (Some(a), Some(b)) = (a.as_object(), b.as_object()) else {
            return false;
        };
        let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        let mut keys = keys
            .into_iter()
            .filter(|key| !REFERRING.contains(&key.as_str()) && !is_words(key));
        keys.all(|key| match (a.get(key), b.get(key)) {
            (Some(a), Some(b)) => self.values(Kind::Schema.below(key), true, a, b),
            _ => false,
        })
    }

    fn readings(&mut self, a: &Reading<'e>, b: &Reading<'e>) -> bool {
        same_values(a, b)
            && same_bounds(a, b)
            && same_required(a, b)
            && self.same_members(a, b)
            && remaining().all(|key| self.same_remaining(a, b, key))
            && self.same_choices(&a.choices, &b.choices)
            && self.same_choices(&a.children, &b.children)
            && self.same_others(a, b)
    }

    fn same_members(&mut self, a: &Reading<'e>, b: &Reading<'e>) -> bool {
        let (was, is) = (schemas_of(a), schemas_of(b));
        was.keys().eq(is.keys())
            && was.values().zip(is.values()).all(|(x, y)| {
                let old = Site::all(x.parts.clone(), a.home);
                self.sites(&old, &Site::all(y.parts.clone(), b.home))
            })
    }

    fn same_remaining(&mut self, a: &Reading<'e>, b: &Reading<'e>, key: &str) -> bool {
        match (a.remaining(key), b.remaining(key)) {
            (Further::Of(x), Further::Of(y)) => {
                self.sites(&Site::all(x, a.home), &Site::all(y, b.home))
            }
            (Further::Open, Further::Open) | (Further::Closed(_), Further::Closed(_)) => true,
            _ => false,
        }
    }

    fn same_choices(&mut self, a: &[Choice<'e>], b: &[Choice<'e>]) -> bool {
        let mut open: Vec<&Choice<'e>> = b.iter().collect();
        a.len() == b.len()
            && a.iter().all(|one| {
                let found = open.iter().position(|other| self.same_choice(one, other));
                found.map(|index| open.remove(index)).is_some()
            })
    }

    fn same_choice(&mut self, a: &Choice<'e>, b: &Choice<'e>) -> bool {
        let was = a.alternatives(&mut self.old);
        let mut open = b.alternatives(&mut self.new);
        a.keyword == b.keyword
            && a.discriminator.is_some() == b.discriminator.is_some()
            && was.len() == open.len()
            && was.iter().all(|one| {
                let is_same = |other: &Alternative<'e>| {
                    let site = Site::alternative(other.schema);
                    one.tags == other.tags && self.sites(&Site::alternative(one.schema), &site)
                };
                let found = open.iter().position(is_same);
                found.map(|index| open.remove(index)).is_some()
            })
    }

    /// Compares the discriminators. Those of the alternatives that they choose are compared with the alternatives.
    fn same_discriminators(&mut self, a: &Reading<'e>, b: &Reading<'e>) -> bool {
        let objects = |reading: &Reading<'e>| -> Vec<_> {
            let all = reading.all("discriminator");
            all.filter_map(Value::as_object).collect()
        };
        let (was, is) = (objects(a), objects(b));
        was.len() == is.len()
            && was.iter().zip(&is).all(|(a, b)| {
                a.keys().collect::<BTreeSet<_>>() == b.keys().collect()
                    && a.iter().all(|(key, x)| match (x, b.get(key)) {
                        (Value::Object(x), Some(Value::Object(y))) if key == "mapping" => {
                            self.same_mapping(x, y)
                        }
                        (x, y) => Some(x) == y,
                    })
            })
    }

    fn same_mapping(&self, a: &Map<String, Value>, b: &Map<String, Value>) -> bool {
        a.len() == b.len()
            && a.iter().all(|(tag, x)| match (x, b.get(tag)) {
                (Value::String(x), Some(Value::String(y))) => {
                    x == y || self.are_counterparts(&reference_to(x), &reference_to(y))
                }
                (x, y) => Some(x) == y,
            })
    }

    /// Compares the keywords that a reading does not answer, one by one.
    fn same_others(&mut self, a: &Reading<'e>, b: &Reading<'e>) -> bool {
        let (was, is) = (others(a), others(b));
        let mut keywords = was.keywords.iter().zip(is.keywords.values());
        was.keywords.keys().eq(is.keywords.keys())
            && self.same_discriminators(a, b)
            && keywords.all(|((key, x), y)| self.lists(Kind::Schema.below(key), false, x, y))
            && self.lists(Kind::Schema, false, &was.merged, &is.merged)
            && self.lists(Kind::Schema, false, &was.parts, &is.parts)
    }

    /// Returns whether two schemas say the same by one keyword.
    pub(super) fn keyword(&mut self, a: &Site<'e>, b: &Site<'e>, key: &str) -> bool {
        let (x, y) = (read(&mut self.old, a), read(&mut self.new, b));
        if is_words(key) {
            return x.first(key) == y.first(key);
        }
        let (was, is): (Vec<_>, Vec<_>) = (x.all(key).collect(), y.all(key).collect());
        if !x
            .parts
            .iter()
            .chain(&y.parts)
            .all(|part| is_read_in(part, key))
        {
            return was == is;
        }
        let are_absent = was.is_empty() && is.is_empty();
        match key {
            "type" if !are_absent && was == is => true,
            "type" => {
                (x.types, x.null) == (y.types, y.null) && types_of(&x.parts) == types_of(&y.parts)
            }
            key if names_types(key) => x.null == y.null,
            "const" | "enum" => same_enum(&x, &y) && (was == is || x.null == y.null),
            "properties" => self.same_members(&x, &y),
            "required" => same_required(&x, &y),
            key if EXCLUDED
                .iter()
                .any(|(limit, flag)| [limit, flag].contains(&&key)) =>
            {
                same_bounds(&x, &y)
            }
            _ if are_absent => true,
            key if is_composing(key) => self.sites(a, b),
            key if remaining().any(|name| name == key) => self.same_remaining(&x, &y, key),
            key => self.lists(Kind::Schema.below(key), false, &was, &is),
        }
    }
}

/// Returns the reference of a schema, if it has one alone.
fn only_reference(schema: &Value) -> Option<&str> {
    let count = REFERRING
        .iter()
        .filter(|key| schema.get(*key).is_some())
        .count();
    reference(schema).filter(|_| count == 1)
}

fn same_values(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    (a.types, a.null, a.is_mistyped) == (b.types, b.null, b.is_mistyped)
        && same_enum(a, b)
        && types_of(&a.parts).eq(&types_of(&b.parts))
        && types_of(&merged(a)).eq(&types_of(&merged(b)))
}

/// Returns the types that schemas name, which say more than those of the listed values.
fn types_of<'e>(schemas: &[&'e Value]) -> BTreeSet<&'e str> {
    let values = schemas.iter().filter_map(|schema| schema.get("type"));
    let names = values.flat_map(|value| match value {
        Value::Array(names) => names.iter().collect(),
        name => vec![name],
    });
    let names = names.filter_map(Value::as_str);
    names.filter(|name| *name != "null").collect()
}

/// Returns the alternatives that are read as types or values.
fn merged<'e>(reading: &Reading<'e>) -> Vec<&'e Value> {
    let values = reading.enum_values.iter().flatten();
    let values = values.filter_map(|one| one.about);
    reading.about.iter().copied().chain(values).collect()
}

fn same_enum(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    match (&a.enum_values, &b.enum_values) {
        (Some(a), Some(b)) => {
            let mut open: Vec<_> = b.iter().map(|one| Key::of(one.value)).collect();
            a.len() == b.len()
                && a.iter().all(|one| {
                    let found = open.iter().position(|key| *key == Key::of(one.value));
                    found.map(|index| open.remove(index)).is_some()
                })
        }
        (None, None) => true,
        _ => false,
    }
}

fn same_bounds(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    EXCLUDED
        .iter()
        .all(|(limit, flag)| bounds(a, limit, flag) == bounds(b, limit, flag))
}

/// Returns the bounds of all parts, each with whether it is excluded.
fn bounds(reading: &Reading<'_>, limit: &str, flag: &str) -> BTreeSet<(String, bool)> {
    let own = reading.parts.iter().filter_map(|part| {
        let is_excluded = part.get(flag) == Some(&Value::Bool(true));
        Some((part.get(limit)?, is_excluded))
    });
    let excluded = reading.all(flag).filter(|value| value.is_number());
    let all = own.chain(excluded.map(|value| (value, true)));
    all.map(|(value, is_excluded)| (value.to_string(), is_excluded))
        .collect()
}

fn same_required(a: &Reading<'_>, b: &Reading<'_>) -> bool {
    let names = |reading: &Reading<'_>| -> BTreeSet<String> {
        let lists = reading.all("required").filter_map(Value::as_array);
        lists.flatten().map(Value::to_string).collect()
    };
    names(a) == names(b)
}

/// Returns the members that a schema describes.
fn schemas_of<'e>(reading: &Reading<'e>) -> BTreeMap<&'e str, Member<'e>> {
    let mut members = reading.members();
    members.retain(|_, member| !member.parts.is_empty());
    members
}

/// Returns the value of a mapping as a reference.
fn reference_to(text: &str) -> String {
    if text.contains(['#', '/']) {
        text.to_owned()
    } else {
        format!("#/components/schemas/{text}")
    }
}

/// What a reading does not answer.
struct Others<'e> {
    /// Keywords, with their values in all parts.
    keywords: BTreeMap<&'e str, Vec<&'e Value>>,
    /// Alternatives that are read as values, types or null, and have other keywords.
    merged: Vec<&'e Value>,
    /// Parts whose keywords have a meaning together, beside other parts.
    parts: Vec<&'e Value>,
}

fn others<'e>(reading: &Reading<'e>) -> Others<'e> {
    let mut keywords: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for map in reading.parts.iter().filter_map(|part| part.as_object()) {
        for (key, value) in map {
            if !is_read(map, key, value) && !is_words(key) {
                keywords.entry(key).or_default().push(value);
            }
        }
    }
    let mut seen: Vec<&Value> = reading.parts.clone();
    seen.extend(reading.choices.iter().flat_map(|one| &one.alternatives));
    let lists = reading.parts.iter().flat_map(|part| choices(part));
    let mut alternatives = merged(reading);
    alternatives.extend(lists.flatten());
    alternatives.retain(|one| {
        let is_new = !seen.iter().any(|known| std::ptr::eq(*known, *one));
        seen.push(one);
        is_new && one.as_object().is_some_and(says_more)
    });
    let mut parts = reading.parts.clone();
    parts.retain(|part| is_one(part));
    if reading.parts.iter().filter(|part| speaks(part)).count() < 2 {
        parts.clear();
    }
    Others {
        keywords,
        merged: alternatives,
        parts,
    }
}

/// Returns whether an alternative that is read as values, types or null has another keyword, which belongs to it.
fn says_more(alternative: &Map<String, Value>) -> bool {
    alternative.iter().any(|(key, value)| {
        let is_merged = names_types(key) || leads_on(key) || has_role(key, &[Values]);
        !(is_merged && is_read(alternative, key, value) || is_words(key))
    })
}

/// Returns whether a schema says something by itself.
fn speaks(part: &Value) -> bool {
    has_key(part, |key| !is_words(key) && !is_composing(key))
}

/// Returns whether keywords of a schema have a meaning together, so that none of them can be in another part.
fn is_one(part: &Value) -> bool {
    has_key(part, |key| {
        has_role(key, &[Condition, Tag]) || remaining().any(|name| name == key)
    })
}

fn has_key(part: &Value, is_meant: fn(&str) -> bool) -> bool {
    let map = part.as_object();
    map.is_some_and(|map| map.keys().any(|key| is_meant(key)))
}

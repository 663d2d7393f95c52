//! A schema with its references followed and its `allOf`s merged: one list of the objects that must hold at once,
//! and from them the kinds of value that are allowed. The spellings of 3.0 and 3.1 give the same result.

use std::collections::HashSet;

use openapi_document::resolver::REFERRING;
use serde_json::{Map, Value};

use super::keywords::{is_wrapping, says_nothing};
use super::nested::{says_null, spliced};
use super::plain::{Bare, EnumValue, bare_types, enum_values_of, is_null};
use super::site::{Parts, Site};
use super::types::{self, type_names};
use crate::decimal::Key;
use crate::schemas::side::Side;

/// Maximum number of schemas that hold at once; the rest is ignored, and reported.
const PARTS: usize = 10_000;

/// `oneOf` or `anyOf` with at least two alternatives that are more than enum values.
#[derive(Clone)]
pub(crate) struct Group<'d> {
    pub(crate) keyword: &'static str,
    /// List in the document.
    pub(crate) list: &'d Value,
    /// Alternatives, without one that allows only null.
    pub(crate) alternatives: Vec<&'d Value>,
}

/// Permission of null, collected from the parts.
struct Null {
    /// True if every list of types or values includes null.
    listed: bool,
    /// True if null is allowed despite such lists.
    forced: bool,
}

/// A flattened schema.
pub(crate) struct Flat<'d> {
    /// Objects that must hold at once.
    pub(crate) parts: Parts<'d>,
    /// Object to point at if a keyword is absent.
    pub(crate) home: &'d Value,
    /// Allowed types other than null.
    pub(crate) types: u8,
    /// True if the types are restricted.
    pub(crate) typed: bool,
    /// True if null is allowed.
    pub(crate) null: bool,
    /// Allowed enum values, if they are listed.
    pub(crate) enum_values: Option<Vec<EnumValue<'d>>>,
    /// Choices that are more than enum values.
    pub(crate) groups: Vec<Group<'d>>,
    /// Alternatives that are read as types, or as part of the choice around them; their documentation still counts.
    pub(crate) about: Vec<&'d Value>,
    /// Property whose values chose the alternative that this is compared with.
    pub(crate) tag: Option<&'d str>,
    /// References that cannot be resolved.
    pub(crate) unresolved: Vec<(&'d str, &'d Value)>,
    /// True if the schema exceeds the limit.
    pub(crate) is_cut: bool,
}

impl<'d> Flat<'d> {
    pub(crate) fn of(side: &mut Side<'d>, site: &Site<'d>) -> Self {
        let mut flat = Self {
            parts: Vec::new(),
            home: site.home,
            types: types::ALL,
            typed: false,
            null: true,
            enum_values: None,
            groups: Vec::new(),
            about: Vec::new(),
            tag: site.tag,
            unresolved: Vec::new(),
            is_cut: false,
        };
        let mut seen: HashSet<(*const Value, bool)> = HashSet::new();
        let mut waiting: Vec<(&'d Value, bool)> = site
            .parts
            .iter()
            .rev()
            .map(|part| (*part, site.or_null))
            .collect();
        while let Some((part, or_null)) = waiting.pop() {
            if seen.len() >= PARTS {
                flat.is_cut = true;
                break;
            }
            if seen.insert((std::ptr::from_ref(part), or_null)) {
                flat.take(side, part, or_null, &mut waiting);
            }
        }
        if let Some(enum_values) = &flat.enum_values {
            let listed = enum_values
                .iter()
                .fold(0, |all, enum_value| all | types::of_value(enum_value.value));
            // A listed number may have either form.
            let fractions = if flat.types & types::FRACTION == 0 {
                listed & !types::FRACTION
            } else {
                listed
            };
            flat.types &= fractions;
        }
        flat.types &= site.types;
        if let Some(home) = flat.parts.iter().find(|part| says_something(part)) {
            flat.home = home;
        }
        flat
    }

    /// Reads one part and queues its references.
    fn take(
        &mut self,
        side: &mut Side<'d>,
        part: &'d Value,
        or_null: bool,
        waiting: &mut Vec<(&'d Value, bool)>,
    ) {
        let Value::Object(map) = part else {
            if part == &Value::Bool(false) {
                self.types = 0;
                self.typed = true;
                self.null = or_null && self.null;
            }
            return;
        };
        self.parts.push(part);
        let mut null = Null {
            listed: true,
            forced: or_null || map.get("nullable") == Some(&Value::Bool(true)),
        };
        // The last part pushed is read first, so parts are read in document order.
        let first = waiting.len();
        let references = REFERRING.iter().filter_map(|key| map.get(*key)?.as_str());
        for reference in references {
            match side.target(reference, part) {
                Some(target) => waiting.push((target, null.forced)),
                None => self.unresolved.push((reference, part)),
            }
        }
        let all = map.get("allOf").and_then(Value::as_array);
        waiting.extend(all.into_iter().flatten().map(|one| (one, null.forced)));
        for keyword in ["oneOf", "anyOf"] {
            if let Some(list) = map.get(keyword)
                && let Some(only) = self.choice(side, map, (keyword, list), &mut null)
            {
                waiting.push((only, null.forced));
            }
        }
        if let Some(tail) = waiting.get_mut(first..) {
            tail.reverse();
        }
        self.own(part, map, &mut null);
        self.null &= null.listed || null.forced;
    }

    /// Reads a choice. Returns the alternative if only one allows more than null.
    fn choice(
        &mut self,
        side: &mut Side<'d>,
        map: &'d Map<String, Value>,
        (keyword, list): (&'static str, &'d Value),
        null: &mut Null,
    ) -> Option<&'d Value> {
        let all = list.as_array().map(Vec::as_slice).unwrap_or_default();
        let listed: Vec<&'d Value> = all.iter().collect();
        // Documentation of a choice around one of them is kept, too.
        if listed.len() > 1
            && !listed.iter().any(|one| is_null(side, one))
            && let Some(bare) = enum_values_of(side, keyword, &listed)
        {
            null.listed &= self.keep_listed(bare);
            return None;
        }
        let mut alternatives = match map.contains_key("discriminator") {
            // A discriminator names each alternative, so none is spliced.
            true => listed,
            false => spliced(side, keyword, all, &mut self.about),
        };
        let before = alternatives.len();
        alternatives.retain(|one| !is_null(side, one));
        let null_listed = alternatives.len() < before;
        null.forced |= null_listed;
        match alternatives.as_slice() {
            [only] => return Some(only),
            [] if null_listed => {
                self.types = 0;
                self.typed = true;
            }
            [] => {}
            several => {
                if let Some(bare) = enum_values_of(side, keyword, several) {
                    null.listed &= self.keep_listed(bare);
                } else if let Some(bare) = bare_types(side, keyword, several) {
                    null.listed &= bare.null;
                    self.types &= bare.all;
                    self.typed = true;
                    self.about.extend(bare.about);
                } else {
                    null.listed &=
                        map.contains_key("type") || several.iter().any(|one| says_null(side, one));
                    self.groups.push(Group {
                        keyword,
                        list,
                        alternatives,
                    });
                }
            }
        }
        None
    }

    /// Reads the types and values that a part lists directly.
    fn own(&mut self, part: &'d Value, map: &'d Map<String, Value>, null: &mut Null) {
        // In 3.1, bytes that are not encoded have a media type and no type.
        if map.contains_key("contentMediaType")
            && !map.contains_key("type")
            && !map.contains_key("contentEncoding")
        {
            self.types &= types::STRING;
            self.typed = true;
            null.listed = false;
        }
        if let Some((named, has_null)) = type_names(part) {
            self.types &= named;
            self.typed = true;
            null.listed &= has_null;
        }
        let listed = match (map.get("const"), map.get("enum")) {
            (Some(only), _) => std::slice::from_ref(only),
            (None, Some(Value::Array(all))) => all.as_slice(),
            _ => return,
        };
        null.listed &= listed.iter().any(Value::is_null);
        let about = None;
        let listed = listed.iter().map(|value| EnumValue { value, about });
        self.keep_common(listed.collect());
    }

    /// Restricts the enum values to those that the alternatives list. Returns whether null is one.
    fn keep_listed(&mut self, bare: Bare<'d, Vec<EnumValue<'d>>>) -> bool {
        self.about.extend(bare.about);
        self.keep_common(bare.all);
        bare.null
    }

    fn keep_common(&mut self, enum_values: Vec<EnumValue<'d>>) {
        self.typed = true;
        let enum_values = enum_values
            .into_iter()
            .filter(|enum_value| !enum_value.value.is_null());
        self.enum_values = Some(match self.enum_values.take() {
            None => enum_values.collect(),
            Some(before) => {
                let before: HashSet<Key<'_>> =
                    before.iter().map(|one| Key::of(one.value)).collect();
                enum_values
                    .filter(|one| before.contains(&Key::of(one.value)))
                    .collect()
            }
        });
    }

    /// Returns the values of a keyword in all parts.
    pub(crate) fn all(&self, keyword: &str) -> impl Iterator<Item = &'d Value> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }

    /// Returns the first value of a keyword.
    pub(crate) fn first(&self, keyword: &str) -> Option<&'d Value> {
        self.all(keyword).next()
    }

    /// Returns whether a keyword is `true` in any part.
    pub(crate) fn says(&self, keyword: &str) -> bool {
        self.all(keyword).any(|value| value == &Value::Bool(true))
    }

    /// Returns whether the schema contains only a choice between alternatives.
    pub(crate) fn is_choice(&self) -> bool {
        self.groups.len() == 1
            && self.parts.iter().all(|part| {
                part.as_object().is_some_and(|map| {
                    map.iter().all(|(key, value)| {
                        is_wrapping(key)
                            || says_nothing(types::ALL, key, value)
                            || matches!(
                                key.as_str(),
                                "oneOf" | "anyOf" | "discriminator" | "nullable"
                            )
                    })
                })
            })
    }
}

/// Returns whether a part contains more than references.
fn says_something(part: &Value) -> bool {
    part.as_object()
        .is_some_and(|map| map.keys().any(|key| !is_wrapping(key)))
}

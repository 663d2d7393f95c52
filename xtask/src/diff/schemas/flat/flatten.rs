//! A schema with its references followed and its `allOf`s merged: one list of the objects that must hold at once,
//! and from them the kinds of value that are allowed. The spellings of 3.0 and 3.1 give the same result.

use std::collections::HashSet;

use serde_json::Value;

use crate::diff::schemas::side::{Side, reference};

/// Of more schemas that hold at once, the rest is left unread, and reported.
const PARTS: usize = 10_000;

/// Keywords that say something to people only.
pub(in crate::diff) const DOCS: [&str; 10] = [
    "title",
    "description",
    "summary",
    "example",
    "examples",
    "externalDocs",
    "$comment",
    "termsOfService",
    "contact",
    "license",
];

/// Whether a keyword constrains no value.
pub(in crate::diff) fn is_annotation(keyword: &str) -> bool {
    DOCS.contains(&keyword)
        || keyword.starts_with("x-")
        || matches!(
            keyword,
            "deprecated" | "default" | "readOnly" | "writeOnly" | "xml"
        )
}

/// Several schemas that must hold at once; none of them is any value.
pub(in crate::diff) type Parts<'d> = Vec<&'d Value>;

/// A schema as one place of a document has it.
#[derive(Clone)]
pub(in crate::diff) struct Site<'d> {
    pub(in crate::diff) parts: Parts<'d>,
    /// Null is allowed whatever the parts say.
    pub(in crate::diff) or_null: bool,
    /// What to point at where there is no part.
    pub(in crate::diff) home: &'d Value,
}

impl<'d> Site<'d> {
    pub(in crate::diff) fn new(value: Option<&'d Value>, home: &'d Value) -> Self {
        Self {
            parts: value.into_iter().collect(),
            or_null: false,
            home: value.unwrap_or(home),
        }
    }

    pub(in crate::diff) fn all(parts: Parts<'d>, home: &'d Value) -> Self {
        Self {
            home: parts.first().copied().unwrap_or(home),
            parts,
            or_null: false,
        }
    }
}

/// JSON types as bits; a number is a whole number or one with a fraction.
pub(in crate::diff) mod types {
    pub(in crate::diff) const BOOLEAN: u8 = 1;
    pub(in crate::diff) const INTEGER: u8 = 2;
    pub(in crate::diff) const FRACTION: u8 = 4;
    pub(in crate::diff) const STRING: u8 = 8;
    pub(in crate::diff) const ARRAY: u8 = 16;
    pub(in crate::diff) const OBJECT: u8 = 32;
    /// A name that is no JSON type.
    pub(in crate::diff) const UNKNOWN: u8 = 64;
    pub(in crate::diff) const NUMBER: u8 = INTEGER | FRACTION;
    pub(in crate::diff) const ALL: u8 = 127;

    pub(in crate::diff) fn of_name(name: &str) -> u8 {
        match name {
            "boolean" => BOOLEAN,
            "integer" => INTEGER,
            "number" => NUMBER,
            "string" => STRING,
            "array" => ARRAY,
            "object" => OBJECT,
            "null" => 0,
            _ => UNKNOWN,
        }
    }

    pub(in crate::diff) fn of_value(value: &serde_json::Value) -> u8 {
        use serde_json::Value;
        match value {
            Value::Null => 0,
            Value::Bool(_) => BOOLEAN,
            Value::Number(number) if number.as_f64().is_some_and(|n| n.fract() == 0.0) => INTEGER,
            Value::Number(_) => FRACTION,
            Value::String(_) => STRING,
            Value::Array(_) => ARRAY,
            Value::Object(_) => OBJECT,
        }
    }
}

/// One word of an enumeration.
#[derive(Clone, Copy)]
pub(in crate::diff) struct Word<'d> {
    pub(in crate::diff) value: &'d Value,
    /// The schema that says more about it, in the spelling with one schema per word.
    pub(in crate::diff) about: Option<&'d Value>,
}

/// `oneOf` or `anyOf` with at least two alternatives that are more than words.
#[derive(Clone)]
pub(in crate::diff) struct Group<'d> {
    pub(in crate::diff) keyword: &'static str,
    /// The list in the document.
    pub(in crate::diff) list: &'d Value,
    /// The alternatives, without the one that is only null.
    pub(in crate::diff) alternatives: Vec<&'d Value>,
}

/// A schema, flattened.
pub(in crate::diff) struct Flat<'d> {
    /// The objects that must hold at once.
    pub(in crate::diff) parts: Parts<'d>,
    /// What to point at when a keyword is absent.
    pub(in crate::diff) home: &'d Value,
    /// Allowed types other than null.
    pub(in crate::diff) types: u8,
    /// Whether anything restricts the types.
    pub(in crate::diff) typed: bool,
    /// Whether null is allowed.
    pub(in crate::diff) null: bool,
    /// The allowed words, if they are listed.
    pub(in crate::diff) words: Option<Vec<Word<'d>>>,
    /// Choices that are more than words.
    pub(in crate::diff) groups: Vec<Group<'d>>,
    /// References that lead nowhere.
    pub(in crate::diff) unresolved: Vec<(&'d str, &'d Value)>,
    /// Whether there was more than is read.
    pub(in crate::diff) is_cut: bool,
}

impl<'d> Flat<'d> {
    pub(in crate::diff) fn of(side: &mut Side<'d>, site: &Site<'d>) -> Self {
        let mut flat = Self {
            parts: Vec::new(),
            home: site.home,
            types: types::ALL,
            typed: false,
            null: true,
            words: None,
            groups: Vec::new(),
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
        if let Some(words) = &flat.words {
            let listed = words
                .iter()
                .fold(0, |all, word| all | types::of_value(word.value));
            // A listed number may be written either way.
            let fractions = if flat.types & types::FRACTION == 0 {
                listed & !types::FRACTION
            } else {
                listed
            };
            flat.types &= fractions;
        }
        if let Some(home) = flat.parts.iter().find(|part| says_something(part)) {
            flat.home = home;
        }
        flat
    }

    /// Reads one part and leaves what it refers to for later.
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
        let mut null_forced = or_null || map.get("nullable") == Some(&Value::Bool(true));
        let mut null = true;
        // Later parts are read in the order of the document: the last that is pushed is read first.
        let first = waiting.len();
        if let Some(reference) = reference(part) {
            match side.target(reference, part) {
                Some(target) => waiting.push((target, null_forced)),
                None => self.unresolved.push((reference, part)),
            }
        }
        for one in map
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            waiting.push((one, null_forced));
        }
        for keyword in ["oneOf", "anyOf"] {
            let Some(list) = map.get(keyword) else {
                continue;
            };
            let all = list.as_array().map(Vec::as_slice).unwrap_or_default();
            let mut alternatives: Vec<&'d Value> = Vec::with_capacity(all.len());
            let mut null_listed = false;
            for one in all {
                if unwrapped(side, one).is_some_and(is_null) {
                    null_listed = true;
                } else {
                    alternatives.push(one);
                }
            }
            null_forced |= null_listed;
            if let [only] = alternatives.as_slice() {
                waiting.push((only, null_forced));
            } else if alternatives.is_empty() {
                if null_listed {
                    self.types = 0;
                    self.typed = true;
                }
            } else if let Some(words) = words_of(side, &alternatives) {
                null &= words.iter().any(|word| word.value.is_null());
                self.meet_words(words);
            } else if let Some(bare) = bare_types(side, &alternatives) {
                null = false;
                self.types &= bare;
                self.typed = true;
            } else {
                null &= map.contains_key("type");
                self.groups.push(Group {
                    keyword,
                    list,
                    alternatives,
                });
            }
        }
        if let Some(tail) = waiting.get_mut(first..) {
            tail.reverse();
        }
        if let Some((named, has_null)) = type_names(part) {
            self.types &= named;
            self.typed = true;
            null &= has_null;
        }
        let listed: Option<Vec<&'d Value>> = match (map.get("const"), map.get("enum")) {
            (Some(word), _) => Some(vec![word]),
            (None, Some(Value::Array(words))) => Some(words.iter().collect()),
            _ => None,
        };
        if let Some(listed) = listed {
            null &= listed.iter().any(|word| word.is_null());
            self.meet_words(
                listed
                    .into_iter()
                    .map(|value| Word { value, about: None })
                    .collect(),
            );
        }
        self.null &= null || null_forced;
    }

    fn meet_words(&mut self, words: Vec<Word<'d>>) {
        self.typed = true;
        let words = words.into_iter().filter(|word| !word.value.is_null());
        self.words = Some(match self.words.take() {
            None => words.collect(),
            Some(before) => words
                .filter(|word| before.iter().any(|other| same(word.value, other.value)))
                .collect(),
        });
    }

    /// The values of a keyword in all parts.
    pub(in crate::diff) fn all(&self, keyword: &str) -> impl Iterator<Item = &'d Value> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }

    /// The first value of a keyword.
    pub(in crate::diff) fn first(&self, keyword: &str) -> Option<&'d Value> {
        self.all(keyword).next()
    }

    /// Whether a keyword is `true` somewhere.
    pub(in crate::diff) fn says(&self, keyword: &str) -> bool {
        self.all(keyword).any(|value| value == &Value::Bool(true))
    }

    /// Whether the only thing said is a choice between alternatives.
    pub(in crate::diff) fn is_choice(&self) -> bool {
        self.groups.len() == 1
            && self.parts.iter().all(|part| {
                part.as_object().is_some_and(|map| {
                    map.keys().all(|key| {
                        is_annotation(key)
                            || matches!(
                                key.as_str(),
                                "$ref" | "allOf" | "oneOf" | "anyOf" | "discriminator" | "nullable"
                            )
                    })
                })
            })
    }
}

/// Whether two JSON values are the same to JSON Schema, where 1 is 1.0.
pub(in crate::diff) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}

/// The types of the keyword `type`, and whether null is one.
fn type_names(part: &Value) -> Option<(u8, bool)> {
    match part.get("type")? {
        Value::String(name) => Some((types::of_name(name), name == "null")),
        Value::Array(names) => Some(names.iter().fold((0, false), |(all, null), name| {
            let name = name.as_str().unwrap_or("?");
            (all | types::of_name(name), null || name == "null")
        })),
        _ => Some((types::UNKNOWN, false)),
    }
}

/// Whether a part is more than a reference to others.
fn says_something(part: &Value) -> bool {
    part.as_object().is_some_and(|map| {
        map.keys()
            .any(|key| !is_annotation(key) && !matches!(key.as_str(), "$ref" | "allOf"))
    })
}

fn is_null(schema: &Value) -> bool {
    let Some(map) = schema.as_object() else {
        return false;
    };
    let null = match (map.get("type"), map.get("const"), map.get("enum")) {
        (Some(Value::String(name)), None, None) => name == "null",
        (Some(Value::Array(names)), None, None) => {
            matches!(names.as_slice(), [Value::String(name)] if name == "null")
        }
        (_, Some(word), _) => word.is_null(),
        (_, None, Some(Value::Array(words))) => {
            !words.is_empty() && words.iter().all(Value::is_null)
        }
        _ => false,
    };
    null && map
        .keys()
        .all(|key| is_annotation(key) || matches!(key.as_str(), "type" | "const" | "enum"))
}

/// What an alternative is, without references and one-element lists around it.
fn unwrapped<'d>(side: &mut Side<'d>, schema: &'d Value) -> Option<&'d Value> {
    let mut at = schema;
    // A longer chain is a circle.
    for _ in 0..64 {
        at = side.object(at)?;
        let inner = match at.as_object().map(|map| (map.len(), map.iter().next())) {
            Some((1, Some((keyword, Value::Array(list)))))
                if matches!(keyword.as_str(), "allOf" | "oneOf" | "anyOf") =>
            {
                list.as_slice()
            }
            _ => return Some(at),
        };
        let [only] = inner else { return Some(at) };
        at = only;
    }
    None
}

/// The words, when every alternative is a list of words.
fn words_of<'d>(side: &mut Side<'d>, alternatives: &[&'d Value]) -> Option<Vec<Word<'d>>> {
    let mut words = Vec::new();
    for one in alternatives {
        let value = unwrapped(side, one)?;
        let map = value.as_object()?;
        if !map.keys().all(|key| {
            matches!(key.as_str(), "type" | "const" | "enum")
                || DOCS.contains(&key.as_str())
                || key == "deprecated"
                || key.starts_with("x-")
        }) {
            return None;
        }
        match (map.get("const"), map.get("enum")) {
            (Some(word), None) => words.push(Word {
                value: word,
                about: Some(value),
            }),
            (None, Some(Value::Array(listed))) => {
                let about = Some(value).filter(|_| listed.len() == 1);
                words.extend(listed.iter().map(|value| Word { value, about }));
            }
            _ => return None,
        }
    }
    Some(words)
}

/// The types, when every alternative is a type and nothing else.
fn bare_types<'d>(side: &mut Side<'d>, alternatives: &[&'d Value]) -> Option<u8> {
    let mut all = 0;
    for one in alternatives {
        let value = unwrapped(side, one)?;
        let map = value.as_object()?;
        if map.keys().any(|key| key != "type") {
            return None;
        }
        let (named, null) = type_names(value)?;
        if null {
            return None;
        }
        all |= named;
    }
    Some(all)
}

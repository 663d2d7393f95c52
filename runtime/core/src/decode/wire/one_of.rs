//! A value with several possible forms: the best fitting alternative, or the raw value if none fits.
//!
//! The value is kept as raw JSON and read by the alternatives of its JSON type. For an object, these are the one that its tag names, or the
//! ones that know most of its members.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Deserializer;
use serde::de::{DeserializeOwned, Error, Unexpected};
use serde_json::Value;
use serde_json::value::RawValue;

use super::collections::{List, Members};
use super::constant::Literal;
use super::fit::Opened;
use super::raw::raw;
use crate::decode::allowance::{holding, is_exhausted, undone_on_failure};
use crate::decode::decoder::read_strictly;
use crate::decode::lenient::{is_lenient, leniently, strictly, without_setting_aside};
use crate::decode::located::decode_located;

/// The description of a union, for generated code.
pub struct OneOf<'u, T> {
    /// The property that distinguishes objects.
    pub tag: Option<&'u str>,
    /// The alternative of an object whose tag names none of them.
    pub otherwise: Otherwise,
    /// The alternatives, in the order of the document.
    pub alternatives: &'u [Alternative<'u, T>],
    /// Keeps a value that fits no alternative.
    pub unrecognized: fn(Value) -> T,
}

/// The choice for an object whose tag names no alternative, for generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// No alternative, if the union has a tag: the document lists all values.
    Unrecognized,
    /// The alternative that knows most of its members.
    Likeliest,
    /// The alternative at this index, also without a tag.
    Alternative(usize),
}

/// One form of a value, for generated code.
pub struct Alternative<'u, T> {
    /// Its form in JSON.
    pub form: Form<'u>,
    /// Reads the value; `None` if it does not fit.
    pub read: fn(&str) -> Option<T>,
}

/// The JSON form of an alternative, for generated code.
#[derive(Clone, Copy, Debug)]
pub enum Form<'u> {
    /// A string.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An array.
    List,
    /// An object without named members.
    Map,
    /// An object with properties.
    Object {
        /// The tag values that name it.
        tags: &'u [&'u str],
        /// The properties that are always present.
        required: &'u [&'u str],
        /// All its properties.
        known: &'u [&'u str],
        /// The properties with a fixed value. An object with another value is another alternative.
        constants: &'u [(&'u str, Literal<'u>)],
        /// The properties that are objects, if only they distinguish the alternatives.
        members: &'u [(&'u str, Form<'u>)],
    },
    /// A property with several possible forms.
    OneOf(&'u [Form<'u>]),
    /// A property that is an array of objects.
    Elements(&'u Form<'u>),
}

impl Form<'_> {
    /// Returns whether raw JSON has the type of this form.
    pub(super) fn has_type_of(&self, text: &str) -> bool {
        let first = text.bytes().next();
        match self {
            Self::Text => first == Some(b'"'),
            Self::Boolean => matches!(first, Some(b't' | b'f')),
            Self::List | Self::Elements(_) => first == Some(b'['),
            Self::Number => matches!(first, Some(b'-' | b'0'..=b'9')),
            Self::Map | Self::Object { .. } => first == Some(b'{'),
            Self::OneOf(forms) => forms.iter().any(|form| form.has_type_of(text)),
        }
    }
}

/// Reads a value as the alternative that fits it best.
///
/// A value that fits none is kept as JSON, and so is one that is nested too deeply or takes too long to be read repeatedly.
///
/// # Errors
///
/// For `null`, for invalid JSON, and for more elements than the allowance of the body permits.
pub fn one_of<'de, D, T>(deserializer: D, union: &OneOf<'_, T>) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    let raw: Box<RawValue> = raw(deserializer)?;
    let text = raw.get();
    // The owner of the union reads `null`, if that is allowed.
    if text == "null" {
        return Err(D::Error::invalid_type(Unexpected::Unit, &"a value"));
    }
    holding(text.len(), || union.read(text))
}

impl<T> OneOf<'_, T> {
    fn read<E: Error>(&self, text: &str) -> Result<T, E> {
        if let Some(nesting) = Nesting::enter(text.len()) {
            let candidates = self.candidates(text);
            let modes: &[bool] = if is_lenient() {
                &[true]
            } else {
                &[false, true]
            };
            for lenient in modes {
                for candidate in &candidates {
                    if !nesting.affords(text.len() + ATTEMPT) {
                        break;
                    }
                    let read = || (candidate.read)(text);
                    let read = undone_on_failure(|| {
                        if *lenient {
                            leniently(|| without_setting_aside(read))
                        } else {
                            strictly(read)
                        }
                    });
                    if let Some(value) = read {
                        return Ok(value);
                    }
                    if is_exhausted() {
                        return Err(E::custom("too many elements"));
                    }
                }
            }
        }
        read_strictly(text)
            .map(self.unrecognized)
            .map_err(E::custom)
    }
}

/// Reads an alternative from raw JSON.
pub fn alternative<T: DeserializeOwned>(text: &str) -> Option<T> {
    if is_lenient() {
        decode_located(text).ok()
    } else {
        read_strictly(text).ok()
    }
}

/// Reads a list as an alternative, as [`list`](super::list) does.
pub fn alternative_list<T: DeserializeOwned>(text: &str) -> Option<Vec<T>> {
    alternative(text).map(|List(list)| list)
}

/// Reads a map as an alternative, as [`map`](super::map) does.
pub fn alternative_map<M: Map>(text: &str) -> Option<M> {
    M::read(text)
}

/// A map without named members, for generated code.
pub trait Map: Sized {
    /// Reads the map; `None` if it does not fit.
    fn read(text: &str) -> Option<Self>;
}

impl Map for serde_json::Map<String, Value> {
    fn read(text: &str) -> Option<Self> {
        alternative(text)
    }
}

impl<T: DeserializeOwned> Map for BTreeMap<String, T> {
    fn read(text: &str) -> Option<Self> {
        alternative(text).map(|Members(members)| members)
    }
}

impl<'u, T> OneOf<'u, T> {
    /// Returns the alternatives that may have this form, the best first.
    fn candidates(&self, text: &str) -> Vec<&'u Alternative<'u, T>> {
        if text.starts_with('{') {
            return self.objects(text);
        }
        let all = self.alternatives.iter();
        all.filter(|one| one.form.has_type_of(text)).collect()
    }

    fn objects(&self, text: &str) -> Vec<&'u Alternative<'u, T>> {
        let Some(mut object) = Opened::of(text) else {
            return Vec::new();
        };
        let tag = self.tag.and_then(|tag| object.member(tag));
        let tag: Option<String> = tag.and_then(|tag| serde_json::from_str(tag).ok());
        let named: Vec<_> = match &tag {
            Some(tag) => self
                .alternatives
                .iter()
                .filter(|one| matches!(one.form, Form::Object { tags, .. } if tags.contains(&tag.as_str())))
                .collect(),
            None => Vec::new(),
        };
        if let (Otherwise::Alternative(index), true) = (self.otherwise, named.is_empty()) {
            return self.alternatives.get(index).into_iter().collect();
        }
        let is_unknown = self.otherwise == Otherwise::Unrecognized && tag.is_some();
        let is_named = !named.is_empty() || is_unknown;
        if is_named && named.len() < 2 {
            return named;
        }
        let pool = if is_named {
            named
        } else {
            self.alternatives.iter().collect()
        };
        let ranked = pool.into_iter().filter_map(|one| {
            let fit = object.fit(one.form)?;
            (is_named || fit.is_likely).then_some((fit.rank, one))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| Reverse(*rank));
        ranked.into_iter().map(|(_, one)| one).collect()
    }
}

/// The limit of nested unions; each level takes some of the stack.
const DEEPEST: usize = 32;
/// How often each byte may be read, plus a base amount of bytes.
const TIMES: usize = 64;
const BASE: usize = 1 << 16;
/// The additional bytes that an attempt counts for.
const ATTEMPT: usize = 64;

thread_local! {
    /// The nesting depth of the outer unions, and the bytes that may still be read in them.
    static NESTED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

/// One level of nested unions. It ends in `drop`, because a caller's implementation may panic.
struct Nesting;

impl Nesting {
    fn enter(bytes: usize) -> Option<Self> {
        let (depth, left) = NESTED.get();
        if depth >= DEEPEST {
            return None;
        }
        let left = match depth {
            0 => bytes.saturating_mul(TIMES).saturating_add(BASE),
            _ => left,
        };
        NESTED.set((depth + 1, left));
        Some(Self)
    }

    /// Returns whether this many bytes may be read again.
    fn affords(&self, bytes: usize) -> bool {
        let (depth, left) = NESTED.get();
        let rest = left.checked_sub(bytes);
        NESTED.set((depth, rest.unwrap_or(0)));
        rest.is_some()
    }
}

impl Drop for Nesting {
    fn drop(&mut self) {
        let (depth, left) = NESTED.get();
        NESTED.set((depth.saturating_sub(1), left));
    }
}

#[cfg(test)]
mod tests;

//! A value with several possible forms: the best fitting alternative, or the raw value if none fits.
//!
//! The value is kept as raw JSON and read by the alternatives of its JSON type. For an object, these are the one that its tag names, or the
//! ones that know most of its members.

use std::cmp::Reverse;

use serde_json::Value;

use super::fit::Opened;
use crate::decode::failure::Failure;
use crate::decode::read::Read;
use crate::decode::reader::{Mode, Reader};
use crate::document::shape::Literal;

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
    /// Reads the value.
    pub read: fn(&mut Reader<'_>) -> Result<T, Failure>,
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
    /// An array of objects, which is compared by its first one.
    Elements(&'u Form<'u>),
}

impl<'u> Form<'u> {
    /// An object that its tag, or the names of its members, distinguish from the others.
    #[must_use]
    pub const fn object(
        tags: &'u [&'u str],
        required: &'u [&'u str],
        known: &'u [&'u str],
    ) -> Self {
        Self::Object {
            tags,
            required,
            known,
            constants: &[],
            members: &[],
        }
    }

    /// The same object if fixed values of members distinguish it too, or the objects in it.
    #[must_use]
    pub const fn with(
        self,
        constants: &'u [(&'u str, Literal<'u>)],
        members: &'u [(&'u str, Self)],
    ) -> Self {
        match self {
            Self::Object {
                tags,
                required,
                known,
                ..
            } => Self::Object {
                tags,
                required,
                known,
                constants,
                members,
            },
            other => other,
        }
    }

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
pub fn one_of<T>(reader: &mut Reader<'_>, union: &OneOf<'_, T>) -> Result<T, Failure> {
    // The owner of the union reads `null`, if that is allowed.
    if reader.peek() == Some(b'n') {
        return Err(reader.mismatch("a value"));
    }
    let start = reader.mark();
    let text = reader.raw()?;
    reader.return_to(start);
    if enters(reader, text.len()) {
        let read = union.read(reader, text);
        reader.state.unions.0 = reader.state.unions.0.saturating_sub(1);
        if let Some(value) = read? {
            return Ok(value);
        }
    }
    Value::read(reader).map(union.unrecognized)
}

impl<T> OneOf<'_, T> {
    fn read(&self, reader: &mut Reader<'_>, text: &str) -> Result<Option<T>, Failure> {
        let candidates = self.candidates(text);
        for mode in [Mode::Strict, Mode::Whole] {
            if mode < reader.state.mode {
                break;
            }
            for candidate in &candidates {
                if !affords(reader, text.len() + ATTEMPT) {
                    return Ok(None);
                }
                if let Some(value) = reader.attempt(mode, candidate.read)? {
                    return Ok(Some(value));
                }
            }
        }
        Ok(None)
    }
}

impl<'u, T> OneOf<'u, T> {
    /// Returns the alternatives that may have this form, the best first.
    fn candidates(&self, text: &str) -> Vec<&'u Alternative<'u, T>> {
        if text.starts_with('{') {
            return self.objects(text);
        }
        let all = self.alternatives.iter();
        let mut all: Vec<_> = all.filter(|one| one.form.has_type_of(text)).collect();
        if all.len() > 1
            && let Some(mut element) = Opened::of(text)
        {
            all.sort_by_cached_key(|one| Reverse(element.rank(one.form)));
        }
        all
    }

    fn objects(&self, text: &str) -> Vec<&'u Alternative<'u, T>> {
        let Some(mut object) = Opened::of(text) else {
            return Vec::new();
        };
        let tag = self.tag.and_then(|tag| object.member(tag));
        let tag = tag.and_then(tag_text);
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
        let unknown_tag = self.tag.filter(|_| tag.is_some() && !is_named);
        let ranked = pool.into_iter().filter_map(|one| {
            let fit = object.fit(one.form, unknown_tag)?;
            (is_named || fit.is_likely).then_some((fit.rank, one))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| Reverse(*rank));
        ranked.into_iter().map(|(_, one)| one).collect()
    }
}

/// Returns the value of a tag: a string, or the text of a number or a boolean.
fn tag_text(json: &str) -> Option<String> {
    match serde_json::from_str(json).ok()? {
        Value::String(text) => Some(text),
        Value::Number(_) | Value::Bool(_) => Some(json.to_owned()),
        _ => None,
    }
}

/// Boxes the value of an alternative, for generated code.
#[inline]
pub fn boxed<T>(value: T) -> Box<T> {
    Box::new(value)
}

/// Returns the value of an alternative as it is, for generated code.
#[inline]
pub fn plain<T>(value: T) -> T {
    value
}

/// Implements the reading and writing of a union, its shape, its default, and `Deserialize`, from its variants: each has the function of
/// [`wire`](crate::wire) that holds its value, the type that the union is made from, the function that reads it, its form, and the tag that
/// is written with it if its type does not write it.
#[doc(hidden)]
#[macro_export]
macro_rules! __union {
    (
        $name:ident $(by $tag:literal)? else $otherwise:ident $(($index:literal))?
        { $($variant:ident: $hold:ident $(($payload:ty))? $read:ident $(tagged $by:literal $values:tt)? = $form:expr,)* }
    ) => {
        /// An unrecognized `null`, for a response that lacks the value.
        impl ::std::default::Default for $name {
            fn default() -> Self {
                Self::Unrecognized(::serde_json::Value::Null)
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                match self {
                    $(Self::$variant(value) => {
                        $crate::__union!(@ value, serializer $(, $by, $values)?)
                    })*
                    Self::Unrecognized(value) => $crate::__union!(@ value, serializer),
                }
            }
        }

        impl $crate::document::Shaped for $name {
            const SHAPE: &'static $crate::document::Shape = {
                static SHAPE: $crate::document::Shape = $crate::document::Shape::OneOf(&[
                    $($crate::document::Shape::of_content($name::$variant)),*
                ]);
                &SHAPE
            };
        }

        impl $crate::wire::Read for $name {
            #[inline]
            fn read(
                reader: &mut $crate::wire::Reader<'_>,
            ) -> ::std::result::Result<Self, $crate::wire::Failure> {
                #[allow(unused_imports)]
                use $crate::wire::{Form, Literal};
                $crate::wire::one_of(
                    reader,
                    &$crate::wire::OneOf {
                        tag: $crate::__union!(@ $($tag)?),
                        otherwise: $crate::wire::Otherwise::$otherwise $(($index))?,
                        alternatives: &[
                            $($crate::wire::Alternative {
                                form: $form,
                                read: |reader| {
                                    let value = $crate::wire::$read(reader)?;
                                    ::std::result::Result::Ok(Self::$variant($crate::wire::$hold(value)))
                                },
                            }),*
                        ],
                        unrecognized: Self::Unrecognized,
                    },
                )
            }
        }

        $crate::__deserialize!($name);

        $($(impl ::std::convert::From<$payload> for $name {
            fn from(value: $payload) -> Self {
                Self::$variant($crate::wire::$hold(value))
            }
        })?)*
    };
    (@) => {
        ::std::option::Option::None
    };
    (@ $tag:literal) => {
        ::std::option::Option::Some($tag)
    };
    (@ $value:ident, $serializer:ident) => {
        ::serde::Serialize::serialize($value, $serializer)
    };
    (@ $value:ident, $serializer:ident, $by:literal, $values:tt) => {
        $crate::wire::tagged($value, $by, &$values, $serializer)
    };
}

#[doc(inline)]
pub use crate::__union as union;

/// The limit of nested unions; each level takes some of the stack.
const DEEPEST: usize = 32;
/// How often each byte may be read, plus a base amount of bytes.
const TIMES: usize = 64;
const BASE: usize = 1 << 16;
/// The additional bytes that an attempt counts for.
const ATTEMPT: usize = 64;

/// Begins a union; returns whether it may be read as one.
fn enters(reader: &mut Reader<'_>, bytes: usize) -> bool {
    let (depth, left) = reader.state.unions;
    if depth >= DEEPEST {
        return false;
    }
    let left = match depth {
        0 => bytes.saturating_mul(TIMES).saturating_add(BASE),
        _ => left,
    };
    reader.state.unions = (depth + 1, left);
    true
}

/// Returns whether this many bytes may be read again.
fn affords(reader: &mut Reader<'_>, bytes: usize) -> bool {
    let rest = reader.state.unions.1.checked_sub(bytes);
    reader.state.unions.1 = rest.unwrap_or(0);
    rest.is_some()
}

#[cfg(test)]
mod tests;

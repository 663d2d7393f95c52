//! The deserializer of a client, around that of serde_json. Every pass over a body uses it, so that each type is compiled for one deserializer.
//! Its mode is a value:
//!
//! - A strict pass reads what the parser reads. It may show the names of the outermost object to the [watch](crate::decode::watch).
//! - A tolerant pass reads whole numbers however they are spelled (`37.0`, `1e2`, `-0`), a number where a text is asked for (`12` as `"12"`),
//!   and a text that is a JSON number where a number is asked for, at any depth. It notes where it is.
//!
//! serde's integers refuse what the parser calls a float, its texts refuse numbers, and its numbers refuse texts. Nothing else is read
//! differently: a number where an enum value is asked for stays an error.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::CowStrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Number, Value};

use crate::decode::aside::{enter, enter_member, is_called, leave};
use crate::decode::pointer::Step;
use crate::decode::watch;

/// Whole numbers below this are exact as a float, and so is what comes of a text that spells them as one.
const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

/// The whole number that a float is.
pub(crate) fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < EXACT_BELOW).then_some(number as i64)
}

/// How a text is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Strict,
    Tolerant,
    /// Strict, and the outermost value.
    Watched,
    /// Tolerant, and the outermost value.
    WatchedTolerant,
}

fn read<T: DeserializeOwned>(text: &str, mode: Mode) -> serde_json::Result<T> {
    let mut parser = serde_json::Deserializer::from_str(text);
    let inner = &mut parser;
    match T::deserialize(Decoder { inner, mode }) {
        Ok(value) => parser.end().map(|()| value),
        Err(error) => Err(error),
    }
}

/// Decodes a whole text strictly, as [`serde_json::from_str`] does.
pub(crate) fn read_strictly<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    read(text, Mode::Strict)
}

/// Decodes a whole text strictly, and shows the names of the object that it is to the [watch](crate::decode::watch).
pub(super) fn read_watched<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    read(text, Mode::Watched)
}

/// Decodes a whole text tolerantly, and shows the watch the same.
pub(super) fn read_tolerantly_watched<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    read(text, Mode::WatchedTolerant)
}

/// Decodes a whole text tolerantly.
pub(super) fn read_tolerantly<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    read(text, Mode::Tolerant)
}

impl Mode {
    #[inline]
    fn is_tolerant(self) -> bool {
        matches!(self, Self::Tolerant | Self::WatchedTolerant)
    }

    #[inline]
    fn is_watched(self) -> bool {
        matches!(self, Self::Watched | Self::WatchedTolerant)
    }

    /// The mode of what is in a value. Only the names of the outermost object are shown to the watch.
    #[inline]
    fn within(self) -> Self {
        match self {
            Self::Tolerant | Self::WatchedTolerant => Self::Tolerant,
            Self::Strict | Self::Watched => Self::Strict,
        }
    }

    /// Doubts after a failure, whatever the type makes of that: it may go on without the error.
    #[inline]
    fn ended(self, is_read: bool) {
        if self.is_watched() && !is_read {
            watch::doubt();
        }
    }

    fn begin_value(self) -> Self {
        if self.is_tolerant() {
            enter_member();
        }
        self.within()
    }

    fn end_value(self, is_read: bool) {
        if self.is_tolerant() {
            leave(is_read);
        }
        self.ended(is_read);
    }

    /// Shows the name of a member.
    fn show(self, name: &str) {
        if self.is_watched() {
            watch::compare(name);
        }
        if self.is_tolerant() {
            is_called(name);
        }
    }
}

/// Wraps whatever serde hands on during a decode.
struct Decoder<X> {
    inner: X,
    mode: Mode,
}

struct Reading<V> {
    visitor: V,
    mode: Mode,
}

/// A visitor that a tolerant pass may give what it has not asked for.
struct Wanting<V> {
    visitor: V,
    wanted: Wanted,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Integer,
    Float,
    Text,
}

impl<X> Decoder<X> {
    /// Shows the watch nothing of an object: a type may make anything of one that it has not asked for, as of a raw value.
    #[inline]
    fn reading<V>(&self, visitor: V) -> Reading<V> {
        Reading {
            visitor,
            mode: self.mode.within(),
        }
    }
}

#[cold]
fn in_any_form<'de, D: Deserializer<'de>, V: Visitor<'de>>(
    deserializer: D,
    visitor: V,
    wanted: Wanted,
) -> Result<V::Value, D::Error> {
    deserializer.deserialize_any(Wanting { visitor, wanted })
}

/// Asked for one of these, the parser refuses the others before a visitor sees them.
macro_rules! ask_for_any {
    ($($method:ident: $wanted:ident),* $(,)?) => {
        $(#[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            match self.mode.is_tolerant() {
                true => in_any_form(self.inner, visitor, Wanted::$wanted),
                false => self.inner.$method(visitor),
            }
        })*
    };
}

macro_rules! forward {
    ($of:ident: $($method:ident($($argument:ident: $type:ty),*)),* $(,)?) => {
        $(#[inline]
        fn $method<V: Visitor<'de>>(self $(, $argument: $type)*, visitor: V) -> Result<V::Value, D::Error> {
            let visitor = forward!(@$of self visitor);
            self.inner.$method($($argument,)* visitor)
        })*
    };
    (@plain $self:ident $visitor:ident) => { $visitor };
    (@reading $self:ident $visitor:ident) => { $self.reading($visitor) };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Decoder<D> {
    type Error = D::Error;

    ask_for_any! {
        deserialize_i8: Integer, deserialize_i16: Integer, deserialize_i32: Integer, deserialize_i64: Integer,
        deserialize_u8: Integer, deserialize_u16: Integer, deserialize_u32: Integer, deserialize_u64: Integer,
        deserialize_f32: Float, deserialize_f64: Float, deserialize_string: Text,
    }

    forward! {
        plain:
        deserialize_i128(), deserialize_u128(), deserialize_bool(), deserialize_char(), deserialize_str(), deserialize_bytes(),
        deserialize_byte_buf(), deserialize_unit(), deserialize_identifier(), deserialize_ignored_any(),
        deserialize_unit_struct(name: &'static str),
    }

    forward! {
        reading:
        deserialize_any(), deserialize_option(), deserialize_seq(), deserialize_newtype_struct(name: &'static str),
        deserialize_tuple(length: usize), deserialize_tuple_struct(name: &'static str, length: usize),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let mode = self.mode;
        let read = self.inner.deserialize_map(Reading { visitor, mode });
        mode.ended(read.is_ok());
        read
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let mode = self.mode;
        let visitor = Reading { visitor, mode };
        let read = self.inner.deserialize_struct(name, fields, visitor);
        mode.ended(read.is_ok());
        read
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(#[inline]
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.visitor.$method(value)
        })*
    };
}

/// The number that a text is, by the grammar of JSON.
fn number(text: &str) -> Option<Number> {
    let is_number = !text.contains(char::is_whitespace);
    is_number.then(|| serde_json::from_str(text).ok())?
}

impl<'de, V: Visitor<'de>> Wanting<V> {
    /// Gives a number where one is asked for and the text is one.
    #[inline]
    fn text<E: Error>(
        self,
        text: &str,
        read: impl FnOnce(V) -> Result<V::Value, E>,
    ) -> Result<V::Value, E> {
        let number = match self.wanted {
            Wanted::Integer | Wanted::Float => number(text),
            Wanted::Text => None,
        };
        match number.map(|number| (number.as_u64(), number.as_i64(), number.as_f64())) {
            Some((Some(number), _, _)) => self.visit_u64(number),
            Some((_, Some(number), _)) => self.visit_i64(number),
            Some((_, _, Some(number))) => self.visit_f64(number),
            _ => read(self.visitor),
        }
    }

    #[inline]
    fn reading(self) -> Reading<V> {
        Reading {
            visitor: self.visitor,
            mode: Mode::Tolerant,
        }
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Wanting<V> {
    type Value = V::Value;

    #[inline]
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    // The parser gives numbers as the three types below.
    visit! {
        visit_bool: bool,
    }

    #[inline]
    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.text(value, |visitor| visitor.visit_str(value))
    }

    #[inline]
    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.text(value, |visitor| visitor.visit_borrowed_str(value))
    }

    #[inline]
    fn visit_i64<E: Error>(self, number: i64) -> Result<V::Value, E> {
        match self.wanted {
            Wanted::Text => self.visitor.visit_string(number.to_string()),
            _ => self.visitor.visit_i64(number),
        }
    }

    #[inline]
    fn visit_u64<E: Error>(self, number: u64) -> Result<V::Value, E> {
        match self.wanted {
            Wanted::Text => self.visitor.visit_string(number.to_string()),
            _ => self.visitor.visit_u64(number),
        }
    }

    #[inline]
    fn visit_f64<E: Error>(self, number: f64) -> Result<V::Value, E> {
        match (self.wanted, whole(number)) {
            (Wanted::Integer, Some(whole)) => self.visitor.visit_i64(whole),
            // As JSON writes it: `12.0` stays `12.0`.
            (Wanted::Text, _) => self.visitor.visit_string(Value::from(number).to_string()),
            _ => self.visitor.visit_f64(number),
        }
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.reading().visit_seq(list)
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.reading().visit_map(object)
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Reading<V> {
    type Value = V::Value;

    #[inline]
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    visit! {
        visit_bool: bool, visit_i8: i8, visit_i16: i16, visit_i32: i32, visit_i128: i128,
        visit_i64: i64, visit_u8: u8, visit_u16: u16, visit_u32: u32, visit_u64: u64, visit_u128: u128, visit_f32: f32, visit_f64: f64,
        visit_char: char, visit_str: &str, visit_borrowed_str: &'de str, visit_string: String,
        visit_bytes: &[u8], visit_borrowed_bytes: &'de [u8], visit_byte_buf: Vec<u8>,
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let mode = self.mode;
        self.visitor.visit_some(Decoder { inner, mode })
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let mode = self.mode;
        self.visitor.visit_newtype_struct(Decoder { inner, mode })
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        let mode = self.mode.within();
        let next = 0;
        self.visitor.visit_seq(Elements { list, mode, next })
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        if self.mode.is_watched() {
            watch::begin();
        }
        let mode = self.mode;
        self.visitor.visit_map(Members { object, mode })
    }

    #[inline]
    fn visit_enum<A: EnumAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let mode = self.mode;
        self.visitor.visit_enum(Decoder { inner, mode })
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Decoder<S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        let mode = self.mode;
        self.inner.deserialize(Decoder { inner, mode })
    }
}

/// The elements of a list, each at its index.
struct Elements<A> {
    list: A,
    mode: Mode,
    next: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Elements<A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        inner: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let mode = self.mode;
        if !mode.is_tolerant() {
            return self.list.next_element_seed(Decoder { inner, mode });
        }
        enter(Step::Element(self.next));
        self.next = self.next.saturating_add(1);
        let read = self.list.next_element_seed(Decoder { inner, mode });
        leave(read.is_ok());
        read
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.list.size_hint()
    }
}

/// The members of an object, each under its name.
struct Members<A> {
    object: A,
    mode: Mode,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        inner: S,
    ) -> Result<Option<S::Value>, A::Error> {
        if self.mode == Mode::Strict {
            return self.object.next_key_seed(inner);
        }
        let Some(name) = self.next_name()? else {
            return Ok(None);
        };
        match inner.deserialize(name) {
            Ok(name) => Ok(Some(name)),
            Err(error) => {
                self.mode.ended(false);
                Err(error)
            }
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, inner: S) -> Result<S::Value, A::Error> {
        if self.mode == Mode::Strict {
            let mode = Mode::Strict;
            return self.object.next_value_seed(Decoder { inner, mode });
        }
        let mode = self.mode.begin_value();
        let value = self.object.next_value_seed(Decoder { inner, mode });
        self.mode.end_value(value.is_ok());
        value
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.object.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> Members<A> {
    /// Reads the next name, and shows it.
    fn next_name(&mut self) -> Result<Option<Key<'de, A::Error>>, A::Error> {
        let name = self.object.next_key_seed(Name);
        self.mode.ended(name.is_ok());
        Ok(name?.map(|name| {
            self.mode.show(&name);
            let error = PhantomData;
            Key { name, error }
        }))
    }
}

/// Reads the name of a member.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(name.to_owned()))
    }

    fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(name))
    }
}

/// A name that was read, for the type that it has: as the parser gives it, but for the numbers and flags that it may be.
struct Key<'de, E> {
    name: Cow<'de, str>,
    error: PhantomData<E>,
}

macro_rules! number {
    ($($method:ident: $wanted:ident),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
            Wanting { visitor, wanted: Wanted::$wanted }.visit_str(&self.name)
        })*
    };
}

impl<'de, E: Error> Deserializer<'de> for Key<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.name {
            Cow::Borrowed(name) => visitor.visit_borrowed_str(name),
            Cow::Owned(name) => visitor.visit_str(&name),
        }
    }

    number! {
        deserialize_i8: Integer, deserialize_i16: Integer, deserialize_i32: Integer, deserialize_i64: Integer, deserialize_i128: Integer,
        deserialize_u8: Integer, deserialize_u16: Integer, deserialize_u32: Integer, deserialize_u64: Integer, deserialize_u128: Integer,
        deserialize_f32: Float, deserialize_f64: Float,
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match &*self.name {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            name => Err(E::invalid_type(Unexpected::Str(name), &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_enum(CowStrDeserializer::new(self.name))
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.name {
            Cow::Borrowed(name) => visitor.visit_borrowed_bytes(name.as_bytes()),
            Cow::Owned(name) => visitor.visit_bytes(name.as_bytes()),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.deserialize_bytes(visitor)
    }

    forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Decoder<A> {
    type Error = A::Error;
    type Variant = Decoder<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        inner: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let mode = self.mode;
        let (value, inner) = self.inner.variant_seed(Decoder { inner, mode })?;
        Ok((value, Decoder { inner, mode }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Decoder<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, inner: S) -> Result<S::Value, A::Error> {
        let mode = self.mode;
        self.inner.newtype_variant_seed(Decoder { inner, mode })
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.reading(visitor);
        self.inner.tuple_variant(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.reading(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}

#[cfg(test)]
mod tests;

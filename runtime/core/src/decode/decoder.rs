//! The deserializer of a client, which wraps that of serde_json. Every pass over a body uses it, so that each type is compiled only once.
//! Its mode is a value:
//!
//! - A strict pass reads what the parser reads. It may show the names of the outermost object to the [watch](crate::decode::watch).
//! - A tolerant pass reads, at any depth, whole numbers in any spelling (`37.0`, `1e2`, `-0`), a number or a boolean where a string is
//!   expected (`12` as `"12"`), a string that is a JSON number where a number is expected, and a string that is `true` or `false`, in any
//!   casing, where a boolean is expected. It tracks its position.
//!
//! serde's integers refuse floats, its strings refuse numbers, and its numbers refuse strings. Nothing else is read differently: a number
//! in place of an enum value stays an error, and so does 0 or 1 in place of a boolean, which may be a count.

mod coercion;
mod counted;
mod key;
mod mode;

use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

pub(crate) use self::coercion::whole;
use self::coercion::{Coercion, Expected};
use self::counted::{Counted, Place};
pub(crate) use self::counted::{FLATTENED, SELF_COUNTED};
use self::key::{Key, Name};
use self::mode::Mode;
use crate::decode::pointer::Step;
use crate::decode::set_aside::{enter, leave};
use crate::decode::watch;

fn read<T: DeserializeOwned>(text: &str, mode: Mode) -> serde_json::Result<T> {
    let mut parser = serde_json::Deserializer::from_str(text);
    let inner = &mut parser;
    let place = Place::Typed;
    match T::deserialize(Decoder { inner, mode, place }) {
        Ok(value) => parser.end().map(|()| value),
        Err(error) => Err(error),
    }
}

/// Decodes a complete string strictly, as [`serde_json::from_str`] does.
pub(crate) fn read_strictly<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    read(text, Mode::Strict)
}

/// Decodes a complete string strictly, and shows the names of its object to the [watch](crate::decode::watch).
pub(super) fn read_watched<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    read(text, Mode::Watched)
}

/// Decodes a complete string tolerantly, and shows the same names to the watch.
pub(super) fn read_tolerantly_watched<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    read(text, Mode::WatchedTolerant)
}

pub(super) fn read_tolerantly<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    read(text, Mode::Tolerant)
}

/// Wraps the objects that serde passes during a decode.
struct Decoder<X> {
    inner: X,
    mode: Mode,
    place: Place,
}

struct Reading<V> {
    visitor: V,
    mode: Mode,
    /// The place of the values inside.
    place: Place,
    /// What their list or map draws on the allowance.
    counted: Counted,
}

impl<X> Decoder<X> {
    /// Does not show the object to the watch, because the type has not asked for one: it may be a raw value.
    #[inline]
    fn reading<V>(&self, visitor: V) -> Reading<V> {
        self.counting(visitor, Counted::Nothing)
    }

    #[inline]
    fn counting<V>(&self, visitor: V, counted: Counted) -> Reading<V> {
        Reading {
            visitor,
            mode: self.mode.within(),
            place: self.place.inside(),
            counted,
        }
    }
}

#[cold]
fn in_any_form<'de, D: Deserializer<'de>, V: Visitor<'de>>(
    deserializer: D,
    visitor: V,
    wanted: Expected,
) -> Result<V::Value, D::Error> {
    deserializer.deserialize_any(Coercion { visitor, wanted })
}

/// The parser refuses the other types before a visitor sees them, so any type is requested instead.
macro_rules! ask_for_any {
    ($($method:ident: $wanted:ident),* $(,)?) => {
        $(#[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            if self.mode.is_tolerant() {
                let visitor = self.reading(visitor);
                in_any_form(self.inner, visitor, Expected::$wanted)
            } else {
                self.inner.$method(visitor)
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
        deserialize_f32: Float, deserialize_f64: Float, deserialize_string: Text, deserialize_bool: Boolean,
    }

    forward! {
        plain:
        deserialize_i128(), deserialize_u128(), deserialize_char(), deserialize_str(), deserialize_bytes(),
        deserialize_byte_buf(), deserialize_unit(), deserialize_identifier(), deserialize_ignored_any(),
        deserialize_unit_struct(name: &'static str),
    }

    forward! {
        reading:
        deserialize_option(), deserialize_newtype_struct(name: &'static str),
        deserialize_tuple(length: usize), deserialize_tuple_struct(name: &'static str, length: usize),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let mut visitor = self.counting(visitor, self.place.of_any());
        visitor.place = self.place.inside_any();
        self.inner.deserialize_any(visitor)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let visitor = self.counting(visitor, Counted::Once);
        self.inner.deserialize_seq(visitor)
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        let mode = self.mode;
        let mut visitor = self.counting(visitor, Counted::Once);
        visitor.mode = mode;
        let read = self.inner.deserialize_map(visitor);
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
        let mut visitor = self.reading(visitor);
        visitor.mode = mode;
        if name == FLATTENED {
            visitor.place = Place::Flattened;
            visitor.counted = Counted::extras();
        }
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
        let (mode, place) = (self.mode, self.place);
        self.visitor.visit_some(Decoder { inner, mode, place })
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        let (mode, place) = (self.mode, self.place);
        self.visitor
            .visit_newtype_struct(Decoder { inner, mode, place })
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(Elements {
            list,
            mode: self.mode.within(),
            place: self.place,
            counted: self.counted,
            next: 0,
        })
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        if self.mode.is_watched() {
            watch::begin();
        }
        self.visitor.visit_map(Members {
            object,
            mode: self.mode,
            place: self.place,
            counted: self.counted,
            name: 0,
            kept: 0,
        })
    }

    #[inline]
    fn visit_enum<A: EnumAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        let (mode, place) = (self.mode, self.place);
        self.visitor.visit_enum(Decoder { inner, mode, place })
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Decoder<S> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        let (mode, place) = (self.mode, self.place);
        self.inner.deserialize(Decoder { inner, mode, place })
    }
}

/// The elements of a list, tracked by index.
struct Elements<A> {
    list: A,
    mode: Mode,
    place: Place,
    counted: Counted,
    next: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Elements<A> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        inner: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let (mode, place) = (self.mode, self.place);
        let element = Decoder { inner, mode, place };
        let read = if mode.is_tolerant() {
            enter(Step::Element(self.next));
            let read = self.list.next_element_seed(element);
            leave(read.is_ok());
            read?
        } else {
            self.list.next_element_seed(element)?
        };
        if read.is_some() {
            self.counted.element(size_of::<S::Value>(), self.next)?;
        }
        self.next = self.next.saturating_add(1);
        Ok(read)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.list.size_hint()
    }
}

/// The members of an object, tracked by name.
struct Members<A> {
    object: A,
    mode: Mode,
    place: Place,
    counted: Counted,
    /// The size of a name.
    name: usize,
    /// The number of members that were counted.
    kept: usize,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        inner: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.name = size_of::<S::Value>();
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
        let (mode, place) = (self.mode.begin_value(), self.place);
        let seed = Decoder { inner, mode, place };
        let read = self.object.next_value_seed(seed);
        self.mode.end_value(read.is_ok());
        let value = read?;
        let size = self.name.saturating_add(size_of::<S::Value>());
        self.kept += usize::from(self.counted.member(size, self.kept)?);
        Ok(value)
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

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Decoder<A> {
    type Error = A::Error;
    type Variant = Decoder<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        inner: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (mode, place) = (self.mode, self.place);
        let (value, inner) = self.inner.variant_seed(Decoder { inner, mode, place })?;
        Ok((value, Decoder { inner, mode, place }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Decoder<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, inner: S) -> Result<S::Value, A::Error> {
        let (mode, place) = (self.mode, self.place);
        self.inner
            .newtype_variant_seed(Decoder { inner, mode, place })
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

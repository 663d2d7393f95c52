//! A deserializer around another one that reads whole numbers however they are spelled (`37.0`, `1e2`, `-0`), a number where a text is
//! asked for (`12` as `"12"`), and a text that is a JSON number where a number is asked for, at any depth. It notes where it is.
//!
//! serde's integers refuse what the parser calls a float, its texts refuse numbers, and its numbers refuse texts. Nothing else is read
//! differently: a number where an enum value is asked for stays an error.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde_json::{Number, Value};

use crate::decode::aside::{at, is_called, named};
use crate::decode::pointer::Step;

/// Whole numbers below this are exact as a float, and so is what comes of a text that spells them as one.
const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

/// The whole number that a float is.
pub(crate) fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < EXACT_BELOW).then_some(number as i64)
}

/// Wraps whatever serde hands on during a decode.
pub(crate) struct Tolerant<X>(pub(crate) X);

/// A visitor, and what was asked for.
struct Reading<V> {
    visitor: V,
    wanted: Wanted,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Integer,
    Float,
    Text,
    Other,
}

fn any<V>(visitor: V) -> Reading<V> {
    Reading {
        visitor,
        wanted: Wanted::Other,
    }
}

fn integer<V>(visitor: V) -> Reading<V> {
    Reading {
        visitor,
        wanted: Wanted::Integer,
    }
}

fn float<V>(visitor: V) -> Reading<V> {
    Reading {
        visitor,
        wanted: Wanted::Float,
    }
}

fn text<V>(visitor: V) -> Reading<V> {
    Reading {
        visitor,
        wanted: Wanted::Text,
    }
}

macro_rules! forward {
    ($($method:ident by $reading:ident),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($reading(visitor))
        })*
    };
}

macro_rules! ask_for_any {
    ($($method:ident by $reading:ident),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.deserialize_any($reading(visitor))
        })*
    };
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Tolerant<D> {
    type Error = D::Error;

    // Asked for one of these, the parser refuses the others before a visitor sees them.
    ask_for_any! {
        deserialize_i8 by integer, deserialize_i16 by integer, deserialize_i32 by integer, deserialize_i64 by integer,
        deserialize_u8 by integer, deserialize_u16 by integer, deserialize_u32 by integer, deserialize_u64 by integer,
        deserialize_f32 by float, deserialize_f64 by float, deserialize_string by text,
    }

    forward! {
        deserialize_i128 by integer, deserialize_u128 by integer, deserialize_any by any, deserialize_bool by any,
        deserialize_char by any, deserialize_str by any, deserialize_bytes by any,
        deserialize_byte_buf by any, deserialize_option by any, deserialize_unit by any, deserialize_seq by any,
        deserialize_map by any, deserialize_identifier by any, deserialize_ignored_any by any,
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_unit_struct(name, any(visitor))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_newtype_struct(name, any(visitor))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple(length, any(visitor))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple_struct(name, length, any(visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_struct(name, fields, any(visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_enum(name, variants, any(visitor))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.visitor.$method(value)
        })*
    };
}

impl<'de, V: Visitor<'de>> Reading<V> {
    /// Gives a number where one is asked for and the text is one.
    fn text<E: Error>(
        self,
        text: &str,
        read: impl FnOnce(V) -> Result<V::Value, E>,
    ) -> Result<V::Value, E> {
        is_called(text);
        let number = match self.wanted {
            Wanted::Integer | Wanted::Float => number(text),
            Wanted::Text | Wanted::Other => None,
        };
        match number.map(|number| (number.as_u64(), number.as_i64(), number.as_f64())) {
            Some((Some(number), _, _)) => self.visit_u64(number),
            Some((_, Some(number), _)) => self.visit_i64(number),
            Some((_, _, Some(number))) => self.visit_f64(number),
            _ => read(self.visitor),
        }
    }
}

/// The number that a text is, by the grammar of JSON.
fn number(text: &str) -> Option<Number> {
    let is_number = !text.contains(char::is_whitespace);
    is_number.then(|| serde_json::from_str(text).ok())?
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Reading<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    visit! {
        visit_bool: bool, visit_i8: i8, visit_i16: i16, visit_i32: i32, visit_i128: i128,
        visit_u8: u8, visit_u16: u16, visit_u32: u32, visit_u128: u128, visit_f32: f32,
        visit_char: char,
        visit_bytes: &[u8], visit_borrowed_bytes: &'de [u8], visit_byte_buf: Vec<u8>,
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        self.text(value, |visitor| visitor.visit_str(value))
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.text(value, |visitor| visitor.visit_borrowed_str(value))
    }

    // The parser gives numbers as these three types.
    fn visit_i64<E: Error>(self, number: i64) -> Result<V::Value, E> {
        match self.wanted {
            Wanted::Text => self.visitor.visit_string(number.to_string()),
            _ => self.visitor.visit_i64(number),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<V::Value, E> {
        match self.wanted {
            Wanted::Text => self.visitor.visit_string(number.to_string()),
            _ => self.visitor.visit_u64(number),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<V::Value, E> {
        match (self.wanted, whole(number)) {
            (Wanted::Integer, Some(whole)) => self.visitor.visit_i64(whole),
            // As JSON writes it: `12.0` stays `12.0`.
            (Wanted::Text, _) => self.visitor.visit_string(Value::from(number).to_string()),
            _ => self.visitor.visit_f64(number),
        }
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.visitor.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_some(Tolerant(inner))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visitor.visit_newtype_struct(Tolerant(inner))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(Elements { list, next: 0 })
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Members { object, name: None })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, variant: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_enum(Tolerant(variant))
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Tolerant<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Tolerant(deserializer))
    }
}

/// The elements of a list, each at its index.
struct Elements<A> {
    list: A,
    next: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Elements<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let step = Step::Element(self.next);
        self.next = self.next.saturating_add(1);
        at(step, || self.list.next_element_seed(Tolerant(seed)))
    }

    fn size_hint(&self) -> Option<usize> {
        self.list.size_hint()
    }
}

/// The members of an object, each under its name.
struct Members<A> {
    object: A,
    name: Option<String>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        let (key, name) = named(|| self.object.next_key_seed(Tolerant(seed)));
        self.name = name;
        key
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        let step = Step::Member(self.name.take().unwrap_or_default());
        at(step, || self.object.next_value_seed(Tolerant(seed)))
    }

    fn size_hint(&self) -> Option<usize> {
        self.object.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Tolerant<A> {
    type Error = A::Error;
    type Variant = Tolerant<A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.0.variant_seed(Tolerant(seed))?;
        Ok((value, Tolerant(variant)))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Tolerant<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.0.unit_variant()
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.0.newtype_variant_seed(Tolerant(seed))
    }

    fn tuple_variant<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.tuple_variant(length, any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.0.struct_variant(fields, any(visitor))
    }
}

#[cfg(test)]
mod tests;

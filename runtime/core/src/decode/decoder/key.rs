//! The names of members, for passes that look at them.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::CowStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::coercion::{Coercion, Expected};

pub(super) struct Name;

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

/// A member name, deserialized like the parser's: as a string, or as the number or boolean that it spells if the key's type asks for one.
pub(super) struct Key<'de, E> {
    pub(super) name: Cow<'de, str>,
    pub(super) error: PhantomData<E>,
}

macro_rules! large {
    ($($method:ident: $visit:ident),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
            // Like the parser: the name holds the number and nothing else.
            match serde_json::from_str(&self.name) {
                Ok(number) if !self.name.contains(char::is_whitespace) => visitor.$visit(number),
                _ => Err(E::invalid_type(Unexpected::Str(&self.name), &visitor)),
            }
        })*
    };
}

macro_rules! number {
    ($($method:ident: $wanted:ident),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
            Coercion { visitor, wanted: Expected::$wanted }.visit_str(&self.name)
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
        deserialize_i8: Integer, deserialize_i16: Integer, deserialize_i32: Integer, deserialize_i64: Integer,
        deserialize_u8: Integer, deserialize_u16: Integer, deserialize_u32: Integer, deserialize_u64: Integer,
        deserialize_f32: Float, deserialize_f64: Float,
    }

    // The parser turns numbers beyond 64 bits into floats.
    large! { deserialize_i128: visit_i128, deserialize_u128: visit_u128 }

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

//! The raw JSON of a value, even if serde has buffered it.

use std::fmt;
use std::iter::once;

use serde::de::value::MapDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};
use serde_json::Value;
use serde_json::value::RawValue;

/// Reads a value as raw JSON. Values that serde has buffered, as for `flatten`, are serialized again.
pub(crate) fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<RawValue>, D::Error> {
    Deserialize::deserialize(Raw(deserializer))
}

/// A deserializer that is asked only for raw values.
struct Raw<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Raw<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0
            .deserialize_newtype_struct(name, OrBuffered { name, visitor })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Takes the raw JSON from serde_json, or the value from a buffer.
struct OrBuffered<V> {
    name: &'static str,
    visitor: V,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for OrBuffered<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, text: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(text)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<V::Value, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let text = (self.name, value.to_string());
        self.visitor
            .visit_map(MapDeserializer::<_, D::Error>::new(once(text)))
            .map_err(D::Error::custom)
    }
}

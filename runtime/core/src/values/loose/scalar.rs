//! Reads a scalar as a type that it may not fit, without formatting an error: a page has many such values.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde_json::Value;

/// A string, a number or a boolean.
pub(super) struct Scalar(pub(super) Value);

/// The value is not a valid `T`.
#[derive(Debug)]
pub(super) struct Unfit;

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another form")
    }
}

impl std::error::Error for Unfit {}

impl Error for Unfit {
    fn custom<M: fmt::Display>(_: M) -> Self {
        Self
    }
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*)),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self $(, $argument: $type)*, visitor: V) -> Result<V::Value, Unfit> {
            self.0.$method($($argument,)* visitor).map_err(|_| Unfit)
        })*
    };
}

/// Refuses objects and lists, because the value is neither.
macro_rules! refuse {
    ($($method:ident($($argument:ident: $type:ty),*)),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self $(, $argument: $type)*, _: V) -> Result<V::Value, Unfit> {
            Err(Unfit)
        })*
    };
}

impl<'de> Deserializer<'de> for Scalar {
    type Error = Unfit;

    refuse! {
        deserialize_map(), deserialize_seq(), deserialize_struct(_name: &'static str, _fields: &'static [&'static str]),
        deserialize_tuple(_length: usize), deserialize_tuple_struct(_name: &'static str, _length: usize),
    }

    forward! {
        deserialize_any(), deserialize_bool(), deserialize_i8(), deserialize_i16(), deserialize_i32(), deserialize_i64(),
        deserialize_i128(), deserialize_u8(), deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_u128(),
        deserialize_f32(), deserialize_f64(), deserialize_char(), deserialize_str(), deserialize_string(), deserialize_bytes(),
        deserialize_byte_buf(), deserialize_option(), deserialize_unit(), deserialize_identifier(), deserialize_ignored_any(),
        deserialize_unit_struct(name: &'static str), deserialize_newtype_struct(name: &'static str),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
    }
}

//! The JSON of an argument. It has no number that JSON cannot write: `serde_json` would write null in its place.

use std::fmt;

use serde::ser::{
    self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// Serializes an argument. The error says why it has no JSON.
pub(super) fn argument_json(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let json = serde_json::to_string(value)?;
    // Only null can stand in place of a number.
    if json.contains("null") {
        value.serialize(Numbers).map_err(ser::Error::custom)?;
    }
    Ok(json)
}

/// Visits all numbers of a value, and fails at one that is not finite.
struct Numbers;

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NotANumber(String);

impl ser::Error for NotANumber {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

type Visited = Result<(), NotANumber>;

/// Methods for values that are no numbers with a fraction.
macro_rules! others {
    ($($method:ident($($type:ty),*))*) => {$(
        fn $method(self, $(_: $type),*) -> Visited {
            Ok(())
        }
    )*};
}

/// Methods for values that contain one value, which is the last argument.
macro_rules! wrapped {
    ($($method:ident($($type:ty),*))*) => {$(
        fn $method<T: Serialize + ?Sized>(self, $(_: $type,)* value: &T) -> Visited {
            value.serialize(self)
        }
    )*};
}

/// Methods for values that contain several values.
macro_rules! several {
    ($($method:ident($($type:ty),*))*) => {$(
        fn $method(self, $(_: $type),*) -> Result<Self, NotANumber> {
            Ok(self)
        }
    )*};
}

impl Serializer for Numbers {
    type Ok = ();
    type Error = NotANumber;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    fn serialize_f32(self, number: f32) -> Visited {
        self.serialize_f64(number.into())
    }

    fn serialize_f64(self, number: f64) -> Visited {
        if number.is_finite() {
            Ok(())
        } else {
            Err(NotANumber(format!("{number} is not a number")))
        }
    }

    others! {
        serialize_bool(bool) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_none() serialize_unit() serialize_unit_struct(&'static str)
        serialize_unit_variant(&'static str, u32, &'static str)
    }

    wrapped! {
        serialize_some() serialize_newtype_struct(&'static str)
        serialize_newtype_variant(&'static str, u32, &'static str)
    }

    several! {
        serialize_seq(Option<usize>) serialize_tuple(usize) serialize_map(Option<usize>)
        serialize_tuple_struct(&'static str, usize) serialize_struct(&'static str, usize)
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
        serialize_struct_variant(&'static str, u32, &'static str, usize)
    }
}

/// Implements a trait of serde whose methods each take a part of a value.
macro_rules! parts {
    ($($trait:ident: $($method:ident($($type:ty)?)),*;)*) => {$(
        impl $trait for Numbers {
            type Ok = ();
            type Error = NotANumber;

            $(fn $method<T: Serialize + ?Sized>(&mut self, $(_: $type,)? part: &T) -> Visited {
                part.serialize(Numbers)
            })*

            fn end(self) -> Visited {
                Ok(())
            }
        }
    )*};
}

parts! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key(), serialize_value();
    SerializeStruct: serialize_field(&'static str);
    SerializeStructVariant: serialize_field(&'static str);
}

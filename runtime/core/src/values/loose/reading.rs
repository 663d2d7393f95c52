//! Reads a value of assumed form. In the first decode of a client, a matching value is read directly, without copying its JSON. Another
//! value fails that decode, and the next one keeps it.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::decode::allowance::{draw, draw_element};
use crate::decode::lenient::{has_other_form, without_setting_aside};
use crate::values::loose::scalar::{Scalar, Unfit};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Form<T> {
    Missing,
    One(T),
    Several(Vec<T>),
    Other(Value),
}

/// Finds the form of a value.
pub(super) fn of_any<T: DeserializeOwned, E: Error>(value: Value) -> Result<Form<T>, E> {
    // A list is never one value: serde would read a struct from a list of its fields.
    Ok(match value {
        Value::Null => Form::Missing,
        Value::Array(ref elements) => {
            // The list may grow to twice its length, beside the half of it.
            draw(
                size_of::<T>()
                    .saturating_mul(elements.len())
                    .saturating_mul(3),
            )?;
            without_setting_aside(|| Vec::deserialize(&value))
                .map_or(Form::Other(value), Form::Several)
        }
        _ => without_setting_aside(|| T::deserialize(&value)).map_or(Form::Other(value), Form::One),
    })
}

/// Reads the assumed form, and other forms that need no second look.
pub(super) struct Assumed<T>(pub(super) PhantomData<T>);

impl<T: DeserializeOwned> Assumed<T> {
    fn scalar(value: impl Into<Value> + Copy) -> Form<T> {
        T::deserialize(Scalar(value.into()))
            .map_or_else(|Unfit| Form::Other(value.into()), Form::One)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Assumed<T> {
    type Value = Form<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Form<T>, E> {
        Ok(Form::Missing)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Form<T>, E> {
        Ok(Self::scalar(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Form<T>, E> {
        Ok(Self::scalar(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Form<T>, E> {
        Ok(Self::scalar(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Form<T>, E> {
        Ok(Self::scalar(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Form<T>, E> {
        Ok(Self::scalar(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Form<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element().map_err(has_other_form)? {
            draw_element(size_of::<T>(), list.len())?;
            list.push(element);
        }
        Ok(Form::Several(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<Form<T>, A::Error> {
        let read = T::deserialize(MapAccessDeserializer::new(members));
        read.map(Form::One).map_err(has_other_form)
    }
}

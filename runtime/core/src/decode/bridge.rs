//! serde and the reader: it is a deserializer for types that implement only `Deserialize`, and what it reads can be deserialized.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::iter::once;
use std::marker::PhantomData;

use serde::de::value::MapDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, Expected, IntoDeserializer,
    MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Value;

use super::allowance::{Allowance, draw_element, draw_member};
use super::failure::{Failure, Found};
use super::read::Read;
use super::reader::{Mode, Reader, State};
use super::wire::raw::raw;

/// The name under which a type asks for the reader itself.
const READ: &str = concat!("generated_client::read ", env!("CARGO_PKG_VERSION"));
/// The beginning of the name under which serde_json asks for raw JSON.
const RAW: &str = "$serde_json::private::RawValue";

thread_local! {
    /// The state of a reader and its position, on their way to a type that asked for it.
    static HANDED: Cell<Option<(State, usize)>> = const { Cell::new(None) };
    /// The mode in which values are read that serde has buffered.
    static BUFFERED: Cell<Mode> = const { Cell::new(Mode::Outside) };
}

/// Runs a decode of a client: values that serde buffers on the way are read as tolerantly as others.
pub(super) fn tolerating<T>(decode: impl FnOnce() -> T) -> T {
    let _restore = Restore(BUFFERED.replace(Mode::Open));
    decode()
}

/// Restores in `drop`: the caller's `Deserialize` implementation may panic while its thread continues.
struct Restore(Mode);

impl Drop for Restore {
    fn drop(&mut self) {
        BUFFERED.set(self.0);
    }
}

/// Implements `Deserialize` of a type that is read from JSON.
#[doc(hidden)]
#[macro_export]
macro_rules! __deserialize {
    ($name:ty) => {
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                $crate::wire::deserialize(deserializer)
            }
        }
    };
}

#[doc(inline)]
pub use crate::__deserialize as deserializes;

/// Reads a value from any deserializer. One of another crate is asked for the raw JSON.
///
/// # Errors
///
/// The value does not match the type.
pub fn deserialize<'de, D: Deserializer<'de>, T: Read>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(READ, Bridge(PhantomData))
}

struct Bridge<T>(PhantomData<T>);

impl<'de, T: Read> Visitor<'de> for Bridge<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    /// Reads from the text of a reader, at its position.
    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<T, E> {
        let Some((state, at)) = HANDED.take() else {
            return self.visit_str(text);
        };
        let mut reader = Reader { text, at, state };
        let read = T::read(&mut reader);
        let (state, at) = (reader.state, reader.at);
        match read {
            Ok(value) => {
                HANDED.set(Some((state, at)));
                Ok(value)
            }
            Err(failure) => {
                let message = E::custom(&failure);
                HANDED.set(Some((state.failed(failure), at)));
                Err(message)
            }
        }
    }

    /// A string of a deserializer that has no newtypes, such as those of `serde::de::value`.
    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let json = Value::from(text).to_string();
        let state = State::new(Mode::Outside, Allowance::UNBOUNDED);
        T::read(&mut Reader::new(&json, state)).map_err(E::custom)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        let raw = raw(inner)?;
        let state = State::new(BUFFERED.get(), Allowance::UNBOUNDED);
        let mut reader = Reader::new(raw.get(), state);
        T::read(&mut reader).map_err(|failure| {
            let located = failure.within(raw.get(), 0);
            match located.pointer.as_str() {
                "" => D::Error::custom(located.message),
                pointer => D::Error::custom(format_args!("at `{pointer}`: {}", located.message)),
            }
        })
    }
}

/// Reads a value of a type that implements only `Deserialize`.
pub(crate) fn read_serde<T: DeserializeOwned>(reader: &mut Reader<'_>) -> Result<T, Failure> {
    T::deserialize(reader)
}

/// A value of a type that implements only `Deserialize`.
#[cfg(any(feature = "records", feature = "text-types"))]
pub(crate) struct OfSerde<T>(pub(crate) T);

#[cfg(any(feature = "records", feature = "text-types"))]
impl<T: DeserializeOwned> Read for OfSerde<T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        read_serde(reader).map(Self)
    }
}

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            visit(self, |reader| {
                let whole = i128::read(reader)?;
                match (u64::try_from(whole), i64::try_from(whole)) {
                    (Ok(whole), _) => visitor.visit_u64(whole),
                    (_, Ok(whole)) => visitor.visit_i64(whole),
                    _ => visitor.visit_i128(whole),
                }
            })
        }
    )*};
}

/// Lets a visitor see the next value. What it refuses is located there.
fn visit<'de, T>(
    reader: &mut Reader<'de>,
    see: impl FnOnce(&mut Reader<'de>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    reader.peek();
    let at = reader.at;
    see(reader).map_err(|failure| {
        // As in serde_json, a value of another type was read: its owner may ignore the failure.
        if reader.at == at {
            _ = reader.skip();
        }
        failure.placed(at)
    })
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.peek() {
            Some(b'n') => self.deserialize_unit(visitor),
            Some(b't' | b'f') => self.deserialize_bool(visitor),
            Some(b'"') => self.deserialize_str(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            Some(b'{') => self.deserialize_map(visitor),
            _ => visit(self, |reader| match Value::read(reader)? {
                Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                    (Some(whole), _) => visitor.visit_u64(whole),
                    (_, Some(whole)) => visitor.visit_i64(whole),
                    _ => visitor.visit_f64(number.as_f64().unwrap_or_default()),
                },
                _ => visitor.visit_unit(),
            }),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visit(self, |reader| visitor.visit_bool(bool::read(reader)?))
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visit(self, |reader| visitor.visit_f64(f64::read(reader)?))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visit(self, |reader| match reader.peek() {
            Some(b'"') => match reader.string()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            _ => Err(reader.mismatch("a string")),
        })
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visit(self, |reader| visitor.visit_string(String::read(reader)?))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visit(self, |reader| {
            if reader.null()? {
                visitor.visit_none()
            } else {
                visitor.visit_some(reader)
            }
        })
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visit(self, |reader| {
            <()>::read(reader)?;
            visitor.visit_unit()
        })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if name == READ {
            return hand_over(self, visitor);
        }
        visit(self, |reader| {
            if name.starts_with(RAW) {
                let text = (name, reader.kept()?.get().to_owned());
                return visitor.visit_map(MapDeserializer::<_, Failure>::new(once(text)));
            }
            visitor.visit_newtype_struct(reader)
        })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visit(self, |reader| {
            if reader.peek() != Some(b'[') {
                return Err(reader.mismatch("an array"));
            }
            reader.enter()?;
            let mut elements = Inside { reader, count: 0 };
            let read = visitor.visit_seq(&mut elements)?;
            let Inside { reader, count } = elements;
            ended(reader, count, b']', read)
        })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visit(self, |reader| {
            if reader.peek() != Some(b'{') {
                return Err(reader.mismatch("an object"));
            }
            reader.enter()?;
            let mut members = Inside { reader, count: 0 };
            let read = visitor.visit_map(&mut members)?;
            let Inside { reader, count } = members;
            ended(reader, count, b'}', read)
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        match self.peek() {
            Some(b'[') => self.deserialize_seq(visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visit(self, |reader| match reader.peek() {
            Some(b'"') => visitor.visit_enum(reader.string()?.into_deserializer()),
            Some(b'{') => {
                reader.enter()?;
                if !reader.goes_on(true, b'}')? {
                    return Err(reader.broken("expected a variant"));
                }
                let read = visitor.visit_enum(Variant(reader))?;
                ended(reader, 1, b'}', read)
            }
            _ => Err(reader.mismatch("one of the documented forms")),
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.skip()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { char bytes byte_buf unit_struct identifier }
}

/// The variant of an enum: the member of an object, whose name is next.
struct Variant<'r, 'de>(&'r mut Reader<'de>);

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Failure;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Failure> {
        let name = self.0.member_name()?;
        Ok((seed.deserialize(Name(name))?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        <()>::read(self.0)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Failure> {
        visit(self.0, |reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Failure> {
        self.0.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.0.deserialize_struct("", fields, visitor)
    }
}

/// Gives this reader to a type that reads from one.
fn hand_over<'de, V: Visitor<'de>>(
    reader: &mut Reader<'de>,
    visitor: V,
) -> Result<V::Value, Failure> {
    let state = State::new(reader.state.mode, reader.state.allowance);
    let state = std::mem::replace(&mut reader.state, state);
    HANDED.set(Some((state, reader.at)));
    let read = visitor.visit_borrowed_str(reader.text);
    if let Some((state, at)) = HANDED.take() {
        (reader.state, reader.at) = (state, at);
    }
    match (read, reader.state.failure.take()) {
        (_, Some(failure)) => Err(failure),
        (read, None) => read,
    }
}

/// Ends a list or an object of which a visitor has read so many elements.
fn ended<T>(reader: &mut Reader<'_>, count: usize, end: u8, read: T) -> Result<T, Failure> {
    if count != ENDED && reader.goes_on(count == 0, end)? {
        return Err(reader.broken("trailing characters"));
    }
    Ok(read)
}

/// The count of a list or an object that has ended.
const ENDED: usize = usize::MAX;

/// The elements of a list, or the members of an object.
struct Inside<'r, 'de> {
    reader: &'r mut Reader<'de>,
    count: usize,
}

impl Inside<'_, '_> {
    fn goes_on(&mut self, end: u8) -> Result<bool, Failure> {
        let goes_on = self.count != ENDED && self.reader.goes_on(self.count == 0, end)?;
        self.count = if goes_on { self.count + 1 } else { ENDED };
        Ok(goes_on)
    }
}

impl<'de> SeqAccess<'de> for &mut Inside<'_, 'de> {
    type Error = Failure;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Failure> {
        if !self.goes_on(b']')? {
            return Ok(None);
        }
        let read = visit(self.reader, |reader| seed.deserialize(reader))?;
        draw_element(self.reader, size_of::<S::Value>(), self.count - 1)?;
        Ok(Some(read))
    }
}

impl<'de> MapAccess<'de> for &mut Inside<'_, 'de> {
    type Error = Failure;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Failure> {
        if !self.goes_on(b'}')? {
            return Ok(None);
        }
        let name = self.reader.member_name()?;
        seed.deserialize(Name(name)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Failure> {
        let read = visit(self.reader, |reader| seed.deserialize(reader))?;
        draw_member(self.reader, size_of::<(String, S::Value)>(), self.count - 1)?;
        Ok(read)
    }
}

/// Names that are numbers, as serde_json reads them.
macro_rules! names {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            match (self.0.parse(), self.0.parse()) {
                (Ok(whole), _) => visitor.visit_u64(whole),
                (_, Ok(whole)) => visitor.visit_i64(whole),
                _ => visitor.visit_string(self.0),
            }
        }
    )*};
}

/// The name of a member.
struct Name(String);

impl<'de> Deserializer<'de> for Name {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_string(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.0
            .into_deserializer()
            .deserialize_enum(name, variants, visitor)
    }

    names! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.0.parse() {
            Ok(flag) => visitor.visit_bool(flag),
            Err(_) => visitor.visit_string(self.0),
        }
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl Error for Failure {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::unplaced(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::unplaced(format!(
            "invalid type: {}, expected {}",
            shown(found),
            in_json(&expected.to_string())
        ))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::unplaced(format!(
            "invalid value: {}, expected {}",
            shown(found),
            in_json(&expected.to_string())
        ))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::lacks(usize::MAX, field)
    }
}

impl std::error::Error for Failure {}

/// Shows what was found. Strings of a response may identify people or companies.
fn shown(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => Found::Boolean(value).to_string(),
        Unexpected::Unsigned(value) => format!("integer `{value}`"),
        Unexpected::Signed(value) => format!("integer `{value}`"),
        Unexpected::Float(value) => format!("number `{value}`"),
        Unexpected::Unit | Unexpected::Option => Found::Null.to_string(),
        Unexpected::Seq => Found::Array.to_string(),
        Unexpected::Map => Found::Object.to_string(),
        Unexpected::Str(_) | Unexpected::Char(_) => Found::String.to_string(),
        _ => "a value".to_owned(),
    }
}

/// Names a type of Rust as the type in JSON.
fn in_json(expected: &str) -> &str {
    match expected {
        "i8" | "i16" | "i32" | "i64" | "i128" | "u8" | "u16" | "u32" | "u64" | "u128" => {
            "a whole number within range"
        }
        "f32" | "f64" => "a number",
        "a sequence" => "an array",
        "a map" => "an object",
        "unit" => "null",
        kind if kind.starts_with("struct ") => "an object",
        kind if kind.starts_with("enum ") => "one of the documented forms",
        kind if kind.starts_with("tuple ") => "an array",
        kind => kind,
    }
}

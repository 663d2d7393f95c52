//! The serializer that makes a [`Tree`].

use std::fmt::{self, Display};

use serde::ser::{self, Serialize};

use super::value::Tree;

impl Tree {
    /// Serializes a value; `Err` says, as the end of a sentence, why it has no such form.
    pub(crate) fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, String> {
        value
            .serialize(Serializer)
            .map_err(|error| error.to_string())
    }
}

/// The reason why a value has no tree.
#[derive(Debug)]
pub(super) struct Error(String);

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self(format!("cannot be written: {message}"))
    }
}

pub(super) struct Serializer;

fn plain(value: impl Display) -> Result<Tree, Error> {
    Ok(Tree::Scalar {
        text: value.to_string(),
        is_text: false,
    })
}

fn text(value: impl Into<String>) -> Tree {
    Tree::Scalar {
        text: value.into(),
        is_text: true,
    }
}

fn float(value: f64, written: impl Display) -> Result<Tree, Error> {
    if value.is_finite() {
        plain(written)
    } else {
        Err(Error(format!("is {written}, which is not a number")))
    }
}

macro_rules! whole_numbers {
    ($($method:ident $of:ty),*) => {
        $(fn $method(self, value: $of) -> Result<Tree, Error> {
            plain(value)
        })*
    };
}

impl ser::Serializer for Serializer {
    type Ok = Tree;
    type Error = Error;
    type SerializeSeq = List;
    type SerializeTuple = List;
    type SerializeTupleStruct = List;
    type SerializeTupleVariant = List;
    type SerializeMap = Object;
    type SerializeStruct = Object;
    type SerializeStructVariant = Object;

    whole_numbers!(
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64, serialize_i128 i128,
        serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64, serialize_u128 u128
    );

    fn serialize_f32(self, value: f32) -> Result<Tree, Error> {
        float(value.into(), value)
    }

    fn serialize_f64(self, value: f64) -> Result<Tree, Error> {
        float(value, value)
    }

    fn serialize_char(self, value: char) -> Result<Tree, Error> {
        Ok(text(value))
    }

    fn serialize_str(self, value: &str) -> Result<Tree, Error> {
        Ok(text(value))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Tree, Error> {
        value.serialize(self)
    }

    fn serialize_none(self) -> Result<Tree, Error> {
        Ok(Tree::Nothing)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Tree, Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Tree, Error> {
        Ok(Tree::Nothing)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Tree, Error> {
        Ok(Tree::Nothing)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<Tree, Error> {
        Ok(text(name))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Tree, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Tree, Error> {
        Ok(Tree::Object(vec![(
            name.to_owned(),
            value.serialize(self)?,
        )]))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List, Error> {
        Ok(List::of(None))
    }

    fn serialize_tuple(self, _: usize) -> Result<List, Error> {
        Ok(List::of(None))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List, Error> {
        Ok(List::of(None))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<List, Error> {
        Ok(List::of(Some(name)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Object, Error> {
        Ok(Object::of(None))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Object, Error> {
        // serde_json's raw values, and its numbers with the feature `arbitrary_precision`, serialize as structs with one string.
        Ok(Object {
            is_json: name.starts_with("$serde_json::private::"),
            ..Object::of(None)
        })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Object, Error> {
        Ok(Object::of(Some(name)))
    }
}

pub(super) struct List {
    variant: Option<&'static str>,
    items: Vec<Tree>,
}

impl List {
    fn of(variant: Option<&'static str>) -> Self {
        Self {
            variant,
            items: Vec::new(),
        }
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        self.items.push(value.serialize(Serializer)?);
        Ok(())
    }

    fn finish(self) -> Result<Tree, Error> {
        Ok(within(self.variant, Tree::List(self.items)))
    }
}

pub(super) struct Object {
    variant: Option<&'static str>,
    name: Option<String>,
    members: Vec<(String, Tree)>,
    is_json: bool,
}

impl Object {
    fn of(variant: Option<&'static str>) -> Self {
        Self {
            variant,
            name: None,
            members: Vec::new(),
            is_json: false,
        }
    }

    fn push<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Error> {
        let value = value.serialize(Serializer)?;
        self.members.push((name.to_owned(), value));
        Ok(())
    }

    fn finish(mut self) -> Result<Tree, Error> {
        if self.is_json
            && let Some((_, Tree::Scalar { text, .. })) = self.members.pop()
        {
            return if text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
                plain(text)
            } else {
                let value: serde_json::Value =
                    serde_json::from_str(&text).map_err(ser::Error::custom)?;
                value.serialize(Serializer)
            };
        }
        Ok(within(self.variant, Tree::Object(self.members)))
    }
}

/// Makes an externally tagged variant of serde.
fn within(variant: Option<&'static str>, tree: Tree) -> Tree {
    match variant {
        None => tree,
        Some(name) => Tree::Object(vec![(name.to_owned(), tree)]),
    }
}

macro_rules! items {
    ($($part:ident $method:ident),*) => {
        $(impl ser::$part for List {
            type Ok = Tree;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.push(value)
            }

            fn end(self) -> Result<Tree, Error> {
                self.finish()
            }
        })*
    };
}

items!(SerializeSeq serialize_element, SerializeTuple serialize_element);
items!(SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field);

macro_rules! members {
    ($($part:ident),*) => {
        $(impl ser::$part for Object {
            type Ok = Tree;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
                self.push(name, value)
            }

            fn end(self) -> Result<Tree, Error> {
                self.finish()
            }
        })*
    };
}

members!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Object {
    type Ok = Tree;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        match key.serialize(Serializer)? {
            Tree::Scalar { text, .. } => {
                self.name = Some(text);
                Ok(())
            }
            _ => Err(Error("has a member whose name is not a string".to_owned())),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let name = self.name.take().unwrap_or_default();
        self.push(&name, value)
    }

    fn end(self) -> Result<Tree, Error> {
        self.finish()
    }
}

//! The functions that read the members of an object into their fields. An open decode sets an optional value aside that does not match, and
//! nothing else is lost; [`Response::set_aside`](crate::Response::set_aside) lists what was left out. All other
//! values fail with the error of their type.

use std::collections::BTreeMap;

use crate::decode::failure::Failure;
use crate::decode::nullable::Nullable;
use crate::decode::read::{Read, elements, members, read_element};
use crate::decode::reader::{Mode, Reader};

type Result = std::result::Result<(), Failure>;

/// Reads a value that a response always has.
pub fn required<T: Read>(field: &mut Option<T>, reader: &mut Reader<'_>) -> Result {
    reader.read_into(field, T::read)
}

/// Reads a value whose type has a form for an absent one.
pub fn defaulted<T: Read>(field: &mut T, reader: &mut Reader<'_>) -> Result {
    reader.read_into(field, T::read)
}

/// Reads `null` as the type's default value, for services that send it for an empty array or string.
pub fn null_as_default<T: Read + Default>(field: &mut T, reader: &mut Reader<'_>) -> Result {
    match reader.null() {
        Ok(false) => reader.read_into(field, T::read),
        Ok(true) => {
            *field = T::default();
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

/// Reads an optional value; `null` is `None`, and so is one that is set aside.
pub fn optional<T: Read>(field: &mut Option<T>, reader: &mut Reader<'_>) -> Result {
    reader.or_aside(field, T::HAS_NULL, T::read)
}

/// Reads a value that may be absent or `null`; one that is set aside is absent.
pub fn nullable<T: Read>(field: &mut Nullable<T>, reader: &mut Reader<'_>) -> Result {
    or_null(field, reader, T::read)
}

/// Reads a value as [`optional`] does, with the type's default for an absent one.
pub fn fitting<T: Read + Default>(field: &mut T, reader: &mut Reader<'_>) -> Result {
    reader.or_aside(field, T::HAS_NULL, T::read)
}

/// Reads a value whose type accepts `null`, but refuses it, because the document requires a value.
pub fn content<T: Read>(field: &mut Option<T>, reader: &mut Reader<'_>) -> Result {
    if reader.peek() == Some(b'n') {
        return Err(reader.mismatch("a value"));
    }
    reader.read_into(field, T::read)
}

/// A list or a map, for generated code.
pub trait Entries: Sized {
    /// Reads the elements. Those that are set aside are left out, and so are those that are `null`, unless their type is an option.
    ///
    /// # Errors
    ///
    /// Those of an element where nothing is set aside, and for another type of value.
    fn read_entries(reader: &mut Reader<'_>) -> std::result::Result<Self, Failure>;
}

impl<T: Read> Entries for Vec<T> {
    fn read_entries(reader: &mut Reader<'_>) -> std::result::Result<Self, Failure> {
        elements(reader, read_element)
    }
}

impl<T: Read> Entries for BTreeMap<String, T> {
    fn read_entries(reader: &mut Reader<'_>) -> std::result::Result<Self, Failure> {
        members(reader, read_element)
    }
}

/// Reads a list or a map that is the content of a response.
pub fn content_entries<C: Entries>(field: &mut Option<C>, reader: &mut Reader<'_>) -> Result {
    reader.read_into(field, C::read_entries)
}

/// Reads a list or a map; `null` is empty, and so is one that is set aside.
pub fn entries<C: Entries + Default>(field: &mut C, reader: &mut Reader<'_>) -> Result {
    reader.or_aside(field, false, C::read_entries)
}

/// Reads a list or a map; `null` is `None`.
pub fn some_entries<C: Entries>(field: &mut Option<C>, reader: &mut Reader<'_>) -> Result {
    reader.or_aside(field, false, C::read_entries)
}

/// Reads a list or a map; `null` is distinguished from absent.
pub fn nullable_entries<C: Entries>(field: &mut Nullable<C>, reader: &mut Reader<'_>) -> Result {
    or_null(field, reader, C::read_entries)
}

/// Reads a list that leads to the records of a page: nothing in it is set aside. `null` is the empty list.
pub fn needed_list<T: Read>(field: &mut Vec<T>, reader: &mut Reader<'_>) -> Result {
    *field = Vec::new();
    if reader.null()? {
        return Ok(());
    }
    reader.read_into(field, |reader| elements(reader, Option::read))
}

/// Reads an optional value that never fails what it is in, unless it is no JSON: one that does not match is `None`. An open decode sets it aside.
pub fn lenient<T: Read>(field: &mut Option<T>, reader: &mut Reader<'_>) -> Result {
    if reader.state.mode == Mode::Open {
        return reader.or_aside(field, false, T::read);
    }
    *field = None;
    if !reader.null()? {
        *field = reader.attempt(Mode::Whole, T::read)?;
        if field.is_none() {
            reader.skip()?;
        }
    }
    Ok(())
}

fn or_null<T>(
    field: &mut Nullable<T>,
    reader: &mut Reader<'_>,
    read: fn(&mut Reader<'_>) -> std::result::Result<T, Failure>,
) -> Result {
    if reader.null()? {
        *field = Nullable::Null;
        return Ok(());
    }
    reader.or_aside(field, true, read)
}

/// Reads a value on its own, for generated code.
#[inline]
pub fn value<T: Read>(reader: &mut Reader<'_>) -> std::result::Result<T, Failure> {
    T::read(reader)
}

/// Reads a list or a map on its own, for generated code.
#[inline]
pub fn collection<C: Entries>(reader: &mut Reader<'_>) -> std::result::Result<C, Failure> {
    C::read_entries(reader)
}

/// Implements the reading of a type around one value, its shape, and `Deserialize`, by the function that reads the value.
#[doc(hidden)]
#[macro_export]
macro_rules! __newtype {
    ($name:ident, $read:ident) => {
        impl $crate::document::Shaped for $name {
            const SHAPE: &'static $crate::document::Shape =
                $crate::document::Shape::of_newtype($name);
        }

        impl $crate::wire::Read for $name {
            #[inline]
            fn read(
                reader: &mut $crate::wire::Reader<'_>,
            ) -> ::std::result::Result<Self, $crate::wire::Failure> {
                $crate::wire::$read(reader).map(Self)
            }
        }

        $crate::__deserialize!($name);
    };
}

#[doc(inline)]
pub use crate::__newtype as newtype;

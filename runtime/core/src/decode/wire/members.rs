//! The functions that read the members of an object. An open decode sets an optional value aside that does not match, and nothing else is
//! lost; [`Response::set_aside`](crate::Response::set_aside) lists what was left out.

use std::collections::BTreeMap;

use crate::decode::failure::Failure;
use crate::decode::nullable::Nullable;
use crate::decode::read::{Read, elements, members};
use crate::decode::reader::{Mode, Reader};

type Result<T> = std::result::Result<T, Failure>;

/// Reads a value that a response always has.
///
/// # Errors
///
/// Those of `T`.
#[inline]
pub fn required<T: Read>(reader: &mut Reader<'_>) -> Result<T> {
    T::read(reader)
}

/// Reads a value whose type has a form for an absent one.
///
/// # Errors
///
/// Those of `T`.
#[inline]
pub fn defaulted<T: Read>(reader: &mut Reader<'_>) -> Result<T> {
    T::read(reader)
}

/// Reads `null` as the type's default value, for services that send it for an empty array or string.
///
/// # Errors
///
/// Those of `T`, for anything but `null`.
#[inline(never)]
pub fn null_as_default<T: Read + Default>(reader: &mut Reader<'_>) -> Result<T> {
    if reader.null()? {
        Ok(T::default())
    } else {
        T::read(reader)
    }
}

/// Reads an optional value; `null` is `None`, and so is one that is set aside.
///
/// # Errors
///
/// Those of `T`, where nothing is set aside.
#[inline]
pub fn optional<T: Read>(reader: &mut Reader<'_>) -> Result<Option<T>> {
    T::read_element(reader)
}

/// Reads a value that may be absent or `null`; one that is set aside is absent.
///
/// # Errors
///
/// Those of [`optional`].
#[inline]
pub fn nullable<T: Read>(reader: &mut Reader<'_>) -> Result<Nullable<T>> {
    or_null(reader, T::read)
}

/// Reads a value as [`optional`] does, with the type's default for an absent one.
///
/// # Errors
///
/// Those of [`optional`].
#[inline]
pub fn fitting<T: Read + Default>(reader: &mut Reader<'_>) -> Result<T> {
    Ok(optional(reader)?.unwrap_or_default())
}

/// Reads a value whose type accepts `null`, but refuses it, because the document requires a value.
///
/// # Errors
///
/// Those of `T`, and for `null`.
#[inline(never)]
pub fn content<T: Read>(reader: &mut Reader<'_>) -> Result<T> {
    if reader.peek() == Some(b'n') {
        return Err(reader.mismatch("a value"));
    }
    T::read(reader)
}

/// A list or a map, for generated code.
pub trait Entries: Sized {
    /// Reads the elements. Those that are set aside are left out, and so are those that are `null`, unless their type is an option.
    ///
    /// # Errors
    ///
    /// Those of an element where nothing is set aside, and for another type of value.
    fn read_entries(reader: &mut Reader<'_>) -> Result<Self>;
}

impl<T: Read> Entries for Vec<T> {
    fn read_entries(reader: &mut Reader<'_>) -> Result<Self> {
        elements(reader, T::read_element)
    }
}

impl<T: Read> Entries for BTreeMap<String, T> {
    fn read_entries(reader: &mut Reader<'_>) -> Result<Self> {
        members(reader, T::read_element)
    }
}

/// Reads a list or a map that is the content of a response.
///
/// # Errors
///
/// Those of [`Entries::read_entries`].
pub fn content_entries<C: Entries>(reader: &mut Reader<'_>) -> Result<C> {
    C::read_entries(reader)
}

/// Reads a list or a map; `null` is empty, and so is one that is set aside.
///
/// # Errors
///
/// Those of [`optional`].
#[inline(never)]
pub fn entries<C: Entries + Default>(reader: &mut Reader<'_>) -> Result<C> {
    Ok(some_entries(reader)?.unwrap_or_default())
}

/// Reads a list or a map; `null` is `None`.
///
/// # Errors
///
/// Those of [`optional`].
#[inline(never)]
pub fn some_entries<C: Entries>(reader: &mut Reader<'_>) -> Result<Option<C>> {
    reader.unless_null(C::read_entries)
}

/// Reads a list or a map; `null` is distinguished from absent.
///
/// # Errors
///
/// Those of [`optional`].
pub fn nullable_entries<C: Entries>(reader: &mut Reader<'_>) -> Result<Nullable<C>> {
    or_null(reader, C::read_entries)
}

/// Reads a list that leads to the records of a page: nothing in it is set aside. `null` is the empty list.
///
/// # Errors
///
/// Those of `T`, for an element other than `null`.
#[inline(never)]
pub fn needed_list<T: Read>(reader: &mut Reader<'_>) -> Result<Vec<T>> {
    if reader.null()? {
        return Ok(Vec::new());
    }
    elements(reader, Option::read)
}

/// Reads an optional value that never fails what it is in: one that does not match is `None`. An open decode sets it aside.
///
/// # Errors
///
/// Fails only for invalid JSON.
#[inline(never)]
pub fn lenient<T: Read>(reader: &mut Reader<'_>) -> Result<Option<T>> {
    if reader.null()? {
        return Ok(None);
    }
    if reader.state.mode == Mode::Open {
        return reader.or_aside(T::read);
    }
    let read = reader.attempt(Mode::Whole, T::read)?;
    if read.is_none() {
        reader.skip()?;
    }
    Ok(read)
}

#[inline(never)]
fn or_null<T>(
    reader: &mut Reader<'_>,
    read: fn(&mut Reader<'_>) -> Result<T>,
) -> Result<Nullable<T>> {
    if reader.null()? {
        return Ok(Nullable::Null);
    }
    let read = reader.or_aside(read)?;
    Ok(read.map_or(Nullable::Absent, Nullable::Value))
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

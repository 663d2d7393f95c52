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
#[inline]
pub fn null_as_default<T: Read + Default>(reader: &mut Reader<'_>) -> Result<T> {
    Option::read(reader).map(Option::unwrap_or_default)
}

/// Reads an optional value; `null` is `None`, and so is one that is set aside.
///
/// # Errors
///
/// Those of `T`, where nothing is set aside.
#[inline]
pub fn optional<T: Read>(reader: &mut Reader<'_>) -> Result<Option<T>> {
    if reader.null()? {
        Ok(None)
    } else {
        reader.or_aside(T::read)
    }
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
    optional(reader).map(Option::unwrap_or_default)
}

/// Reads a value whose type accepts `null`, but refuses it, because the document requires a value.
///
/// # Errors
///
/// Those of `T`, and for `null`.
pub fn content<T: Read>(reader: &mut Reader<'_>) -> Result<T> {
    if reader.peek() == Some(b'n') {
        return Err(reader.mismatch("a value"));
    }
    T::read(reader)
}

/// Reads a list without its `null` elements, and those that are set aside; it is the content of a response.
///
/// # Errors
///
/// Those of `T` where nothing is set aside, and for anything but a list.
pub fn content_list<T: Read>(reader: &mut Reader<'_>) -> Result<Vec<T>> {
    elements(reader, optional)
}

/// Reads a map without the members that are `null`, and those that are set aside; it is the content of a response.
///
/// # Errors
///
/// Those of `T` where nothing is set aside, and for anything but an object.
pub fn content_map<T: Read>(reader: &mut Reader<'_>) -> Result<BTreeMap<String, T>> {
    members(reader, optional)
}

/// Reads a list as [`content_list`] does; `null` is the empty list.
///
/// # Errors
///
/// Those of [`optional`].
pub fn list<T: Read>(reader: &mut Reader<'_>) -> Result<Vec<T>> {
    some_list(reader).map(Option::unwrap_or_default)
}

/// Reads a map as [`content_map`] does; `null` is the empty map.
///
/// # Errors
///
/// Those of [`optional`].
pub fn map<T: Read>(reader: &mut Reader<'_>) -> Result<BTreeMap<String, T>> {
    some_map(reader).map(Option::unwrap_or_default)
}

/// Reads a list as [`list`] does; `null` is `None`.
///
/// # Errors
///
/// Those of [`optional`].
pub fn some_list<T: Read>(reader: &mut Reader<'_>) -> Result<Option<Vec<T>>> {
    Ok(nullable_list(reader)?.into_value())
}

/// Reads a map as [`map`] does; `null` is `None`.
///
/// # Errors
///
/// Those of [`optional`].
pub fn some_map<T: Read>(reader: &mut Reader<'_>) -> Result<Option<BTreeMap<String, T>>> {
    Ok(nullable_map(reader)?.into_value())
}

/// Reads a list as [`list`] does; `null` is distinguished from absent.
///
/// # Errors
///
/// Those of [`optional`].
pub fn nullable_list<T: Read>(reader: &mut Reader<'_>) -> Result<Nullable<Vec<T>>> {
    or_null(reader, content_list)
}

/// Reads a map as [`map`] does; `null` is distinguished from absent.
///
/// # Errors
///
/// Those of [`optional`].
pub fn nullable_map<T: Read>(reader: &mut Reader<'_>) -> Result<Nullable<BTreeMap<String, T>>> {
    or_null(reader, content_map)
}

/// Reads a list that leads to the records of a page: nothing in it is set aside. `null` is the empty list.
///
/// # Errors
///
/// Those of `T`, for an element other than `null`.
pub fn needed_list<T: Read>(reader: &mut Reader<'_>) -> Result<Vec<T>> {
    if reader.null()? {
        return Ok(Vec::new());
    }
    elements(reader, Option::read)
}

/// A list or a map whose elements may be null, for generated code.
pub trait Nulls: Sized {
    /// Reads the list or map with its null elements.
    ///
    /// # Errors
    ///
    /// Those of an element, where nothing is set aside.
    fn read_with_nulls(reader: &mut Reader<'_>) -> Result<Self>;
}

impl<T: Read> Nulls for Vec<Option<T>> {
    fn read_with_nulls(reader: &mut Reader<'_>) -> Result<Self> {
        elements(reader, or_kept_null)
    }
}

impl<T: Read> Nulls for BTreeMap<String, Option<T>> {
    fn read_with_nulls(reader: &mut Reader<'_>) -> Result<Self> {
        members(reader, or_kept_null)
    }
}

/// Reads an element that may be null; `None` if it is set aside.
fn or_kept_null<T: Read>(reader: &mut Reader<'_>) -> Result<Option<Option<T>>> {
    Ok(match nullable(reader)? {
        Nullable::Absent => None,
        Nullable::Null => Some(None),
        Nullable::Value(value) => Some(Some(value)),
    })
}

/// Reads a list or a map with its null elements; `null` itself is empty.
///
/// # Errors
///
/// Those of [`optional`].
pub fn with_nulls<C: Nulls + Default>(reader: &mut Reader<'_>) -> Result<C> {
    some_with_nulls(reader).map(Option::unwrap_or_default)
}

/// Reads a list or a map as [`with_nulls`] does; `null` is `None`.
///
/// # Errors
///
/// Those of [`optional`].
pub fn some_with_nulls<C: Nulls>(reader: &mut Reader<'_>) -> Result<Option<C>> {
    Ok(nullable_with_nulls(reader)?.into_value())
}

/// Reads a list or a map as [`with_nulls`] does; `null` is distinguished from absent.
///
/// # Errors
///
/// Those of [`optional`].
pub fn nullable_with_nulls<C: Nulls>(reader: &mut Reader<'_>) -> Result<Nullable<C>> {
    or_null(reader, C::read_with_nulls)
}

/// Reads a list or a map as [`with_nulls`] does, and refuses `null`: it is the content of a response.
///
/// # Errors
///
/// Those of [`optional`], and for `null`.
pub fn content_with_nulls<C: Nulls>(reader: &mut Reader<'_>) -> Result<C> {
    C::read_with_nulls(reader)
}

/// Reads an optional value that never fails what it is in: one that does not match is `None`. An open decode sets it aside.
///
/// # Errors
///
/// Fails only for invalid JSON.
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

#[inline]
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

/// The values of members that an object lacks, by the function that reads each.
pub mod absent {
    use super::{Failure, Result};

    /// A member without which there is no value.
    ///
    /// # Errors
    ///
    /// Always.
    #[cold]
    pub fn required<T>(object: usize, name: &'static str) -> Result<T> {
        Err(Failure::lacks(object, name))
    }

    /// A member whose type has an empty form.
    ///
    /// # Errors
    ///
    /// Never; the result type is that of [`required`].
    #[inline]
    pub fn defaulted<T: Default>(_object: usize, _name: &'static str) -> Result<T> {
        Ok(T::default())
    }

    pub use defaulted as fitting;
    pub use defaulted as lenient;
    pub use defaulted as list;
    pub use defaulted as map;
    pub use defaulted as needed_list;
    pub use defaulted as null_as_default;
    pub use defaulted as nullable;
    pub use defaulted as nullable_list;
    pub use defaulted as nullable_map;
    pub use defaulted as nullable_with_nulls;
    pub use defaulted as optional;
    pub use defaulted as some_list;
    pub use defaulted as some_map;
    pub use defaulted as some_with_nulls;
    pub use defaulted as with_nulls;
    pub use required as content;
    pub use required as content_list;
    pub use required as content_map;
    pub use required as content_with_nulls;
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

//! Objects with documented members: a table of names, and a function that reads the value of each.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::allowance::{draw_element, draw_member};
use super::failure::Failure;
use super::nullable::Nullable;
use super::read::Read;
use super::reader::Reader;
#[cfg(feature = "records")]
use super::records::Records;
use crate::document::shape::{Property, Shape, ShapeOf, Shaped};

/// A member of an object.
#[derive(Debug)]
pub enum Member<'m> {
    /// By its index.
    Known(usize),
    /// By its name, which the document does not have.
    Other(&'m str),
}

/// The members that were read, one bit for each.
#[derive(Default)]
struct Bits {
    first: u64,
    more: Vec<u64>,
}

impl Bits {
    #[inline]
    fn set(&mut self, index: usize) {
        if index < 64 {
            self.first |= 1 << index;
            return;
        }
        let word = index / 64 - 1;
        if self.more.len() <= word {
            self.more.resize(word + 1, 0);
        }
        if let Some(bits) = self.more.get_mut(word) {
            *bits |= 1 << (index % 64);
        }
    }

    #[inline]
    fn has(&self, index: usize) -> bool {
        let bits = if index < 64 {
            self.first
        } else {
            self.more.get(index / 64 - 1).copied().unwrap_or_default()
        };
        bits >> (index % 64) & 1 == 1
    }
}

/// The name of a member that is next.
enum Name<'b> {
    /// The one at this index.
    Expected(usize),
    Read(Cow<'b, str>),
}

/// Reads an object, by a function for the value of each member. Members with other names are skipped, unless the shape has them. `needs` are
/// the members of which a response has at least one. Returns where it began.
///
/// # Errors
///
/// Those of the values, and for anything but an object, and for an object that has none of the members that it needs.
pub fn read_object<'b>(
    reader: &mut Reader<'b>,
    shape: &'static Shape,
    needs: &[usize],
    each: &mut dyn FnMut(Member<'_>, &mut Reader<'b>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    if reader.peek() != Some(b'{') {
        return Err(reader.mismatch("an object"));
    }
    let properties = shape.properties();
    let start = reader.at;
    reader.enter()?;
    let mut read = Bits::default();
    let mut named = Vec::new();
    let mut next = 0;
    let mut is_first = true;
    while reader.goes_on(is_first, b'}')? {
        is_first = false;
        let expected = properties.get(next).map_or("", |one| one.name);
        let name = next_name(reader, expected, next)?;
        let (index, rank) = match name {
            Name::Expected(index) => (index, 0),
            Name::Read(name) => match find(properties, &name) {
                Some(found) => found,
                None if shape.has_others() => {
                    each(Member::Other(&name), reader)?;
                    continue;
                }
                None => {
                    reader.skip()?;
                    continue;
                }
            },
        };
        if rank == 0 {
            next = index + 1;
        }
        let is_null = reader.peek() == Some(b'n');
        let is_best = rank == 0 && !is_null;
        let has_aliases = properties
            .get(index)
            .is_some_and(|one| !one.aliases.is_empty());
        if !is_best && has_aliases {
            let at = reader.at;
            draw_element(reader, size_of::<Named>(), named.len())?;
            named.push(Named {
                index,
                is_null,
                rank,
                at,
            });
            reader.skip()?;
        } else if read_member(reader, index, each)? {
            read.set(index);
        }
    }
    let (end, outside) = (reader.at, reader.state.depth);
    named.sort();
    for Named { index, at, .. } in named {
        if !read.has(index) {
            // Again within the object.
            (reader.at, reader.state.depth) = (at, outside + 1);
            if read_member(reader, index, each)? {
                read.set(index);
            }
        }
    }
    (reader.at, reader.state.depth) = (end, outside);
    if !needs.is_empty() && !needs.iter().any(|index| read.has(*index)) {
        let needed = needs.iter().filter_map(|index| properties.get(*index));
        return Err(lacks_all(needed, start));
    }
    Ok(start)
}

/// The value of a member that has several names, which counts if there is none under the member's own. The order is that in which they are
/// tried: null last.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Named {
    index: usize,
    is_null: bool,
    rank: usize,
    at: usize,
}

/// Reads the value of a member. Returns whether there is one: neither null, nor set aside.
fn read_member<'b>(
    reader: &mut Reader<'b>,
    index: usize,
    each: &mut dyn FnMut(Member<'_>, &mut Reader<'b>) -> Result<(), Failure>,
) -> Result<bool, Failure> {
    let is_null = reader.peek() == Some(b'n');
    let at = reader.at;
    each(Member::Known(index), reader)?;
    let asides = &reader.state.asides;
    Ok(!is_null && asides.last().is_none_or(|one| one.at != at))
}

/// Reads the next name, and its colon. A member is nearly always followed by the one that is next in the document.
#[inline]
fn next_name<'b>(
    reader: &mut Reader<'b>,
    expected: &'static str,
    index: usize,
) -> Result<Name<'b>, Failure> {
    if reader.peek() != Some(b'"') {
        return Err(reader.broken("key must be a string"));
    }
    let rest = reader
        .text
        .as_bytes()
        .get(reader.at + 1..)
        .unwrap_or_default();
    // A name with a quotation mark or a backslash is written otherwise.
    if !expected.is_empty()
        && rest.starts_with(expected.as_bytes())
        && rest.get(expected.len()) == Some(&b'"')
        && !expected.contains(['"', '\\'])
    {
        reader.at += expected.len() + 2;
        reader.colon()?;
        return Ok(Name::Expected(index));
    }
    let name = reader.string()?;
    reader.colon()?;
    Ok(Name::Read(name))
}

/// Finds a property by one of its names. Returns its index, and the rank of the name: 0 for its own.
fn find(properties: &[Property], name: &str) -> Option<(usize, usize)> {
    if let Some(index) = properties.iter().position(|one| one.name == name) {
        return Some((index, 0));
    }
    let mut properties = properties.iter().enumerate();
    properties.find_map(|(index, one)| {
        let rank = one.aliases.iter().position(|alias| *alias == name)?;
        Some((index, rank + 1))
    })
}

/// Makes the failure of an object that has none of the members of which it needs one.
#[cold]
fn lacks_all<'p>(needed: impl Iterator<Item = &'p Property>, at: usize) -> Failure {
    let names = needed.flat_map(|one| std::iter::once(&one.name).chain(one.aliases));
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    Failure::text(
        at,
        format!("{}{}", super::explain::LACKS, names.join(" or ")),
    )
}

/// Keeps the value of a member, for generated code.
///
/// # Errors
///
/// That of the value.
#[inline]
pub fn set<T>(field: &mut Option<T>, read: Result<T, Failure>) -> Result<(), Failure> {
    match read {
        Ok(value) => {
            *field = Some(value);
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

/// Keeps the members that a document does not name, for generated code.
pub trait Others {
    /// The type of the values.
    type Value: Shaped;

    /// Reads the value of a member, and keeps it by its name. A value that does not match is set aside.
    ///
    /// # Errors
    ///
    /// Those of the value, in a strict attempt.
    fn keep(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), Failure>;
}

impl<T: Read + Shaped> Others for BTreeMap<String, T> {
    type Value = T;

    fn keep(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), Failure> {
        if let Some(value) = reader.or_aside(T::read)? {
            let before = self.len();
            self.insert(name.to_owned(), value);
            if self.len() > before {
                draw_member(reader, size_of::<(String, T)>(), before)?;
            }
        }
        Ok(())
    }
}

impl Others for Map<String, Value> {
    type Value = Value;

    fn keep(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), Failure> {
        let value = Value::read(reader)?;
        let before = self.len();
        self.insert(name.to_owned(), value);
        if self.len() > before {
            draw_member(reader, size_of::<(String, Value)>(), before)?;
        }
        Ok(())
    }
}

/// Returns the shape of the members that a field keeps because no other field has them, for generated code.
pub const fn shape_of_others<O, T: Others>(_field: fn(&O) -> &T) -> ShapeOf {
    Shape::of_element::<T::Value>
}

/// A value that may stand for an absent member, for generated code.
pub trait Omit {
    /// Returns whether the member is not written.
    fn is_omitted(&self) -> bool;
}

impl<T> Omit for Option<T> {
    fn is_omitted(&self) -> bool {
        self.is_none()
    }
}

impl<T> Omit for Nullable<T> {
    fn is_omitted(&self) -> bool {
        self.is_absent()
    }
}

impl<T> Omit for Vec<T> {
    fn is_omitted(&self) -> bool {
        self.is_empty()
    }
}

#[cfg(feature = "records")]
impl<T> Omit for Records<T> {
    fn is_omitted(&self) -> bool {
        self.is_empty()
    }
}

impl<T> Omit for BTreeMap<String, T> {
    fn is_omitted(&self) -> bool {
        self.is_empty()
    }
}

impl Omit for Map<String, Value> {
    fn is_omitted(&self) -> bool {
        self.is_empty()
    }
}

/// Implements the reading and writing of a struct, and its shape, from its fields: each has the function of [`wire`](crate::wire) that reads
/// it, the name of its member, the value of a string that has only one (`= "car"`), and other names. The document requires the member, unless
/// its row ends with what may be there instead:
///
/// - `or omitted`: an optional member, not written without a value.
/// - `or missing`: a required member that a service may leave out, not written without a value.
/// - `or constant`: an optional member, always written.
///
/// `needs`: the members of which a response has at least one. `others`: the field of all other members.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    (
        $name:ident {
            $($field:ident: $read:ident $wire:literal $(= $value:literal)? $(| $alias:literal)* $(or $absent:ident)?,)*
        }
        $(needs [$($needs:ident),*])? $(others $others:ident)?
    ) => {
        impl $crate::document::Shaped for $name {
            const SHAPE: &'static $crate::document::Shape = {
                static SHAPE: $crate::document::Shape = $crate::document::Shape::Object {
                    properties: &[$($crate::document::Property {
                        name: $wire,
                        aliases: &[$($alias),*],
                        is_required: $crate::__object!(@ is_required $($absent)?),
                        shape: $crate::__object!(@ shape $name $field $($value)?),
                    }),*],
                    others: $crate::__object!(@ others $name $($others)?),
                };
                &SHAPE
            };
        }

        impl $crate::wire::Read for $name {
            fn read(
                reader: &mut $crate::wire::Reader<'_>,
            ) -> ::std::result::Result<Self, $crate::wire::Failure> {
                #[allow(dead_code, non_camel_case_types, clippy::enum_variant_names)]
                enum Index {
                    $($field),*
                }
                const NEEDS: &[usize] = &[$($(Index::$needs as usize),*)?];
                let shape = <Self as $crate::document::Shaped>::SHAPE;
                $(let mut $field = ::std::option::Option::None;)*
                $(let mut $others = ::std::default::Default::default();)?
                let start = $crate::wire::read_object(reader, shape, NEEDS, &mut |member, reader| {
                    match member {
                        $($crate::wire::Member::Known(index) if index == Index::$field as usize => {
                            $crate::wire::set(&mut $field, $crate::wire::$read(reader))
                        })*
                        $($crate::wire::Member::Other(name) => {
                            $crate::wire::Others::keep(&mut $others, name, reader)
                        })?
                        _ => ::std::result::Result::Ok(()),
                    }
                })?;
                let _ = start;
                ::std::result::Result::Ok(Self {
                    $($field: match $field {
                        ::std::option::Option::Some(value) => value,
                        ::std::option::Option::None => $crate::__object!(@ absent $read start $wire),
                    },)*
                    $($others,)?
                })
            }
        }

        $crate::__deserialize!($name);

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                #[allow(unused_imports)]
                use ::serde::ser::SerializeMap as _;
                let mut object = ::serde::Serializer::serialize_map(
                    serializer,
                    ::std::option::Option::None,
                )?;
                $(if !$crate::__object!(@ is_omitted &self.$field $(, $absent)?) {
                    object.serialize_entry($wire, &self.$field)?;
                })*
                $(for (name, value) in &self.$others {
                    object.serialize_entry(name, value)?;
                })?
                object.end()
            }
        }
    };
    (@ absent required $start:ident $name:literal) => {
        return ::std::result::Result::Err($crate::wire::Failure::lacks($start, $name))
    };
    (@ absent content $start:ident $name:literal) => {
        $crate::__object!(@ absent required $start $name)
    };
    (@ absent content_entries $start:ident $name:literal) => {
        $crate::__object!(@ absent required $start $name)
    };
    (@ absent $read:ident $start:ident $name:literal) => {
        ::std::default::Default::default()
    };
    (@ shape $name:ident $field:ident) => {
        $crate::document::Shape::of_field(|object: &$name| &object.$field)
    };
    (@ shape $name:ident $field:ident $value:literal) => {
        || &$crate::document::Shape::Constant($crate::wire::Literal::Text($value))
    };
    (@ is_required) => {
        true
    };
    (@ is_required missing) => {
        true
    };
    (@ is_required $absent:ident) => {
        false
    };
    (@ others $name:ident) => {
        ::std::option::Option::None
    };
    (@ others $name:ident $others:ident) => {
        ::std::option::Option::Some($crate::wire::shape_of_others(|object: &$name| &object.$others))
    };
    (@ is_omitted $value:expr) => {
        false
    };
    (@ is_omitted $value:expr, constant) => {
        false
    };
    (@ is_omitted $value:expr, $absent:ident) => {
        $crate::wire::Omit::is_omitted($value)
    };
}

#[doc(inline)]
pub use crate::__object as object;

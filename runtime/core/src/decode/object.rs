//! Objects with documented members: a table of names, and a function that reads the value of each.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::allowance::{draw_element, draw_member};
use super::failure::Failure;
use super::nullable::Nullable;
use super::read::Read;
use super::reader::Reader;
use super::records::Records;

/// The members of an object, for generated code.
#[derive(Clone, Copy, Debug)]
pub struct Members {
    /// The names, in the order of the document.
    pub names: &'static [&'static str],
    /// Other names, each with the index of the member. The member's own name wins; another one counts where that is absent or null.
    pub aliases: &'static [(&'static str, usize)],
    /// The members of which a response has at least one.
    pub needs: &'static [usize],
    /// True if members with other names are kept.
    pub has_others: bool,
}

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

/// Reads an object, by a function for the value of each member. Members with other names are skipped, unless the object keeps them.
/// Returns where it began.
///
/// # Errors
///
/// Those of the values, and for anything but an object, and for an object that has none of the members that it needs.
pub fn read_object<'b>(
    reader: &mut Reader<'b>,
    table: &Members,
    each: &mut dyn FnMut(Member<'_>, &mut Reader<'b>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    if reader.peek() != Some(b'{') {
        return Err(reader.mismatch("an object"));
    }
    let start = reader.at;
    reader.enter()?;
    let mut read = Bits::default();
    let mut named = Vec::new();
    let mut next = 0;
    let mut is_first = true;
    while reader.goes_on(is_first, b'}')? {
        is_first = false;
        let name = next_name(reader, table.names.get(next).copied(), next)?;
        let (index, rank) = match name {
            Name::Expected(index) => (index, 0),
            Name::Read(name) => match table.find(&name) {
                Some(found) => found,
                None if table.has_others => {
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
        if !is_best && table.aliases.iter().any(|(_, of)| *of == index) {
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
    if !table.needs.is_empty() && !table.needs.iter().any(|index| read.has(*index)) {
        return Err(table.lacks_all(start));
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
    expected: Option<&'static str>,
    index: usize,
) -> Result<Name<'b>, Failure> {
    if reader.peek() != Some(b'"') {
        return Err(reader.broken("key must be a string"));
    }
    if let Some(expected) = expected {
        let rest = reader
            .text
            .as_bytes()
            .get(reader.at + 1..)
            .unwrap_or_default();
        // A name with a quotation mark or a backslash is written otherwise.
        if rest.starts_with(expected.as_bytes())
            && rest.get(expected.len()) == Some(&b'"')
            && !expected.contains(['"', '\\'])
        {
            reader.at += expected.len() + 2;
            reader.colon()?;
            return Ok(Name::Expected(index));
        }
    }
    let name = reader.string()?;
    reader.colon()?;
    Ok(Name::Read(name))
}

impl Members {
    /// Finds a member by one of its names. Returns its index, and the rank of the name: 0 for its own.
    fn find(&self, name: &str) -> Option<(usize, usize)> {
        if let Some(index) = self.names.iter().position(|one| *one == name) {
            return Some((index, 0));
        }
        let mut aliases = self.aliases.iter().enumerate();
        let (rank, (_, index)) = aliases.find(|(_, (alias, _))| *alias == name)?;
        Some((*index, rank + 1))
    }

    /// Makes the failure of an object that has none of the members of which it needs one.
    #[cold]
    fn lacks_all(&self, at: usize) -> Failure {
        let aliases = |index: usize| self.aliases.iter().filter(move |(_, of)| *of == index);
        let names = self.needs.iter().flat_map(|index| {
            let own = self.names.get(*index).copied();
            own.into_iter()
                .chain(aliases(*index).map(|(name, _)| *name))
        });
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        Failure::text(
            at,
            format!("{}{}", super::explain::LACKS, names.join(" or ")),
        )
    }
}

/// Keeps the members that a document does not name, for generated code.
pub trait Others {
    /// Reads the value of a member, and keeps it by its name. A value that does not match is set aside.
    ///
    /// # Errors
    ///
    /// Those of the value, in a strict attempt.
    fn keep(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<(), Failure>;
}

impl<T: Read> Others for BTreeMap<String, T> {
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

/// Implements the reading and writing of a struct from its fields: each has the function of [`wire`](crate::wire) that reads it, the
/// name of its member, and other names. One that is `or omitted` is not written without a value. `needs`: the members of which a response has at least one. `others`: the field of all
/// other members.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    (
        $name:ident {
            $($field:ident: $read:ident $wire:literal $(| $alias:literal)* $(or $omitted:ident)?,)*
        }
        $(needs [$($needs:ident),*])? $(others $others:ident)?
    ) => {
        impl $crate::wire::Read for $name {
            fn read(
                reader: &mut $crate::wire::Reader<'_>,
            ) -> ::std::result::Result<Self, $crate::wire::Failure> {
                #[allow(dead_code, non_camel_case_types, clippy::enum_variant_names)]
                enum Index {
                    $($field),*
                }
                const MEMBERS: &$crate::wire::Members = &$crate::wire::Members {
                    names: &[$($wire),*],
                    aliases: &[$($(($alias, Index::$field as usize),)*)*],
                    needs: &[$($(Index::$needs as usize),*)?],
                    has_others: !::std::matches!(stringify!($($others)?).as_bytes(), []),
                };
                $(let mut $field = ::std::option::Option::None;)*
                $(let mut $others = ::std::default::Default::default();)?
                let start = $crate::wire::read_object(reader, MEMBERS, &mut |member, reader| {
                    match member {
                        $($crate::wire::Member::Known(index) if index == Index::$field as usize => {
                            $field = ::std::option::Option::Some($crate::wire::$read(reader)?);
                        })*
                        $($crate::wire::Member::Other(name) => {
                            $crate::wire::Others::keep(&mut $others, name, reader)?;
                        })?
                        _ => {}
                    }
                    ::std::result::Result::Ok(())
                })?;
                let _ = start;
                ::std::result::Result::Ok(Self {
                    $($field: match $field {
                        ::std::option::Option::Some(value) => value,
                        ::std::option::Option::None => $crate::wire::absent::$read(start, $wire)?,
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
                $(if !$crate::__object!(@ &self.$field $(, $omitted)?) {
                    object.serialize_entry($wire, &self.$field)?;
                })*
                $(for (name, value) in &self.$others {
                    object.serialize_entry(name, value)?;
                })?
                object.end()
            }
        }
    };
    (@ $value:expr) => {
        false
    };
    (@ $value:expr, omitted) => {
        $crate::wire::Omit::is_omitted($value)
    };
}

#[doc(inline)]
pub use crate::__object as object;

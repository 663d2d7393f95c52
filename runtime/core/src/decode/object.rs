//! Objects with documented members: a table of names, with the function that reads the value of each.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::allowance::draw_member;
use super::failure::Failure;
use super::nullable::Nullable;
use super::read::Read;
use super::reader::Reader;
#[cfg(feature = "records")]
use super::records::Records;
use crate::document::shape::{Shape, ShapeOf, Shaped};

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
        let mut value = None;
        reader.or_aside(&mut value, true, T::read)?;
        if let Some(value) = value {
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
/// `as default`: no member is needed for its own sake, so that the struct is read in its place, which is less code. `needs`: the members of
/// which a response has at least one. `others`: the field of all other members.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    (
        $name:ident {
            $($field:ident: $read:ident $wire:literal $(= $value:literal)? $(| $alias:literal)* $(or $absent:ident)?,)*
        }
        $(as $default:ident)? $(needs [$($needs:ident),*])? $(others $others:ident)?
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
            #[inline]
            fn read(
                reader: &mut $crate::wire::Reader<'_>,
            ) -> ::std::result::Result<Self, $crate::wire::Failure> {
                /// The index of each member in the shape.
                #[allow(dead_code, non_camel_case_types, non_upper_case_globals, clippy::enum_variant_names)]
                mod known {
                    enum Index {
                        $($field),*
                    }
                    $(pub(super) const $field: usize = Index::$field as usize;)*
                }
                const NEEDS: &[usize] = &[$($(known::$needs),*)?];
                let shape = <Self as $crate::document::Shaped>::SHAPE;
                // The field of all other members begins as an optional one does.
                let mut fields = $crate::__object!(@ empty [$($default)?] $($field $read,)* $($others optional,)?);
                let place = &mut fields;
                let read = $crate::wire::read_members(reader, shape, NEEDS, &mut move |index, name: &str, reader: &mut $crate::wire::Reader<'_>| {
                    let $crate::__object!(@ fields [$($default)?] $($field)* $($others)?) = *place;
                    match index {
                        $(known::$field => $crate::wire::$read($field, reader),)*
                        $($crate::wire::OTHER => $crate::wire::Others::keep($others, name, reader),)?
                        _ => {
                            _ = name;
                            ::std::result::Result::Ok(())
                        }
                    }
                });
                match read {
                    ::std::result::Result::Ok(at) => {
                        $crate::__object!(@ object [$($default)?] fields at $($field $read $wire,)* $($others optional "",)?)
                    }
                    ::std::result::Result::Err(failure) => ::std::result::Result::Err(failure),
                }
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
    (@ empty [default] $($field:ident $read:ident,)*) => {
        Self { $($field: ::std::default::Default::default(),)* }
    };
    // One place for all of them, so that one function drops them.
    (@ empty [] $($field:ident $read:ident,)*) => {
        ($($crate::__object!(@ initial $read),)*)
    };
    (@ fields [default] $($field:ident)*) => {
        Self { $(ref mut $field,)* }
    };
    (@ fields [] $($field:ident)*) => {
        ($(ref mut $field,)*)
    };
    (@ object [default] $fields:ident $at:ident $($field:ident $read:ident $wire:literal,)*) => {{
        _ = $at;
        ::std::result::Result::Ok($fields)
    }};
    (@ object [] $fields:ident $at:ident $($field:ident $read:ident $wire:literal,)*) => {{
        _ = $at;
        // Moved as a whole: a failure drops them with one call.
        let ($($field,)*) = { $fields };
        ::std::result::Result::Ok(Self {
            $($field: $crate::__object!(@ value $read $at $wire $field),)*
        })
    }};
    (@ initial required) => {
        ::std::option::Option::None
    };
    (@ initial content) => {
        ::std::option::Option::None
    };
    (@ initial content_entries) => {
        ::std::option::Option::None
    };
    (@ initial $read:ident) => {
        ::std::default::Default::default()
    };
    (@ value required $at:ident $wire:literal $field:ident) => {
        match $field {
            ::std::option::Option::Some(value) => value,
            ::std::option::Option::None => {
                return ::std::result::Result::Err($crate::wire::Failure::lacks($at, $wire));
            }
        }
    };
    (@ value content $at:ident $wire:literal $field:ident) => {
        $crate::__object!(@ value required $at $wire $field)
    };
    (@ value content_entries $at:ident $wire:literal $field:ident) => {
        $crate::__object!(@ value required $at $wire $field)
    };
    (@ value $read:ident $at:ident $wire:literal $field:ident) => {
        $field
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

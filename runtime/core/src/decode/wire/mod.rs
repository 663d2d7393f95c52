//! What generated code reads bodies with, also from services that deviate from their document.

#[cfg(feature = "full")]
mod common;
#[cfg(feature = "enums")]
mod constant;
#[cfg(feature = "enums")]
mod enum_value;
#[cfg(feature = "unions")]
mod fit;
mod members;
#[cfg(feature = "unions")]
mod one_of;
pub(crate) mod raw;
mod string;
#[cfg(feature = "unions")]
mod tuple;

pub use super::bridge::{deserialize, deserializes};
pub use super::failure::Failure;
pub use super::object::{Omit, Others, object, shape_of_others};
pub use super::object_reader::{OTHER, read_members};
pub use super::read::Read;
pub use super::reader::Reader;
pub use crate::document::shape::Literal;
#[cfg(feature = "full")]
pub use common::Common;
#[cfg(feature = "enums")]
pub use constant::{Constant, Known, constant, tagged};
#[cfg(feature = "enums")]
pub use enum_value::{closed_enum, enum_value, in_other_case, open_enum};
pub use members::{
    Entries, collection, content, content_entries, defaulted, entries, fitting, lenient,
    needed_list, newtype, null_as_default, nullable, nullable_entries, optional, required,
    some_entries, value,
};
#[cfg(feature = "unions")]
pub use one_of::{Alternative, Form, OneOf, Otherwise, boxed, one_of, plain, union};
pub use string::string;
#[cfg(feature = "unions")]
pub use tuple::{Elements, Positions, tuple, tuple_struct};

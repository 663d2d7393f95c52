//! What generated code reads bodies with, also from services that deviate from their document.

mod constant;
mod enum_value;
mod fit;
mod members;
mod one_of;
pub(crate) mod raw;
mod string;
mod tuple;

pub use super::bridge::{deserialize, deserializes};
pub use super::failure::Failure;
pub use super::object::{Omit, Others, object, set, set_some, shape_of_others};
pub use super::object_reader::{OTHER, ObjectReader};
pub use super::read::Read;
pub use super::reader::Reader;
pub use crate::document::shape::Literal;
pub use constant::{Constant, Known, constant, tagged};
pub use enum_value::{closed_enum, enum_value, in_other_case, open_enum};
pub use members::{
    Entries, content, content_entries, defaulted, entries, fitting, lenient, needed_list, newtype,
    null_as_default, nullable, nullable_entries, optional, required, some_entries,
};
pub use one_of::{Alternative, Form, OneOf, Otherwise, boxed, one_of, plain, union};
pub use string::string;
pub use tuple::{Elements, Positions, tuple, tuple_struct};

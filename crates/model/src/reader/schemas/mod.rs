//! Gives the schemas of a document their normal form. Every place is a reference, a scalar, a list, a map or anything, and every object,
//! enumeration and union has a name.

mod annotations;
mod beside;
mod bounds;
mod choice;
mod family;
mod form;
mod formats;
mod forms;
mod gather;
mod kind;
mod labels;
mod named;
mod naming;
mod object;
mod place;
mod registry;
mod same;
mod tags;
mod type_name;
mod written;

pub(super) use family::name_parents;
pub(super) use formats::Formats;
pub(super) use naming::RESERVED;
pub(super) use registry::{Inline, Registered, SchemaRegistry};
pub use same::says_the_same;

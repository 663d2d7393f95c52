//! The items of each kind of type: what a schema becomes in Rust.

mod constants;
mod declared;
mod defaults;
mod derives;
mod documentation;
mod enums;
mod fields;
mod forms;
mod identifiers;
mod newtypes;
mod reading;
mod setters;
mod structs;
mod tuples;
mod unions;
mod variant_names;

pub(super) use declared::declared;
pub(crate) use derives::findings as derives_left_out;
pub(crate) use fields::{Hold, is_collection};

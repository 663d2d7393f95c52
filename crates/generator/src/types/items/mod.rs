//! The items of each kind of type: what a schema becomes in Rust.

mod declared;
mod documentation;
mod enums;
mod fields;
mod identifiers;
mod newtypes;
mod reading;
mod serde;
mod structs;
mod tuples;
mod unions;

pub(super) use declared::declared;

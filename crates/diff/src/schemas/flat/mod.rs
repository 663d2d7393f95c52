//! The values that one schema allows, however it is written.

mod flatten;
mod formats;
mod keywords;
mod layer;
mod nested;
mod plain;
mod site;
pub(crate) mod types;

pub(crate) use flatten::{Flat, Group};
pub(crate) use formats::{is_of_bytes, is_of_text, limits};
pub(crate) use keywords::is_wrapping;
pub(crate) use layer::{LAYERS, Layer, layer};
pub(crate) use plain::EnumValue;
pub(crate) use site::{Parts, Site};

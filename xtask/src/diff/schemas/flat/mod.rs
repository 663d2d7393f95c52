//! What one schema allows, however it is written.

mod flatten;
mod formats;
mod keywords;
mod nested;
mod plain;
mod site;
pub(in crate::diff) mod types;

pub(in crate::diff) use flatten::{Flat, Group};
pub(in crate::diff) use formats::{is_of_bytes, is_of_text, limits};
pub(in crate::diff) use keywords::{ARRAYS, DOCS, OBJECTS, is_annotation, is_silent, is_wrapping};
pub(in crate::diff) use plain::{EnumValue, same};
pub(in crate::diff) use site::{Parts, Site};

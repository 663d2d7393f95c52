//! The extensions that give a schema a name and its values a type.

use openapi_schemas::reading::Extensions;

/// The name of the type of an inline schema.
pub(super) const TYPE_NAME: &str = "x-rust-type-name";
/// How the values of a place are read.
pub(super) const CHOSEN: &str = "x-rust-type";
/// Both, as the reading of schemas takes them.
pub(super) const EXTENSIONS: Extensions = Extensions {
    name: TYPE_NAME,
    chosen: CHOSEN,
};

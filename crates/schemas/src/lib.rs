//! Rewrites a document of OpenAPI 3.0, 3.1 or 3.2 in one vocabulary, in place: that of 3.0's schema object, with `null` as a type,
//! enumerations of any values, and numeric bounds. Locations stay those of the author, because findings name them. Unsupported schemas become
//! any JSON, and an operation that lacks a required part is left out, each with a warning. Only schemas are rewritten: examples, defaults,
//! enum values and extensions are data.
//!
//! [`reading`] says what a schema means, also in a document that is not rewritten; [`decimal`] compares numbers by their digits.

mod added;
mod aliases;
mod bounds;
pub mod decimal;
mod enums;
mod events;
mod keywords;
pub mod media_type;
mod methods;
mod normal;
mod parameter;
mod path_items;
pub mod reading;
mod schema;
mod shared_maps;
mod structure;
mod style;
mod types;
mod version;
mod walker;

mod left_out;

pub use added::union_of;
pub use left_out::LeftOut;
pub use methods::{
    Called, METHODS, OTHERS, called, is_token, item_of, method_at, operations, path_items,
    placeholders,
};
pub use normal::{Normal, normal};
pub use openapi_document::resolver::resolve;
pub use parameter::PARAMETER;
pub use style::Style;

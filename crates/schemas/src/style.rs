//! How the values of parameters, headers and parts of forms are written.

use openapi_document::json::{is_true, text_of};
use serde_json::Value;

/// The style of a value, with the defaults of its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style<'v> {
    /// `style`.
    pub name: &'v str,
    /// `explode`: each element or member is written by itself.
    pub is_exploded: bool,
    /// `allowReserved`.
    pub is_reserved: bool,
}

impl<'v> Style<'v> {
    /// Returns the style that a parameter, a header or an encoding declares for a location: the parts of a form are written as a query is.
    pub fn of(value: &'v Value, location: &str) -> Self {
        let default = match location {
            "query" | "cookie" => "form",
            _ => "simple",
        };
        let name = text_of(value, "style").unwrap_or(default);
        let explode = value.get("explode").and_then(Value::as_bool);
        Self {
            name,
            is_exploded: explode.unwrap_or(["form", "cookie"].contains(&name)),
            is_reserved: is_true(value, "allowReserved"),
        }
    }
}

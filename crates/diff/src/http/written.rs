//! The value of a parameter or header, and its serialisation.

use serde_json::Value;

use super::content::content;
use super::documents::Documents;
use super::scope::Scope;
use crate::schemas::Form;
use crate::verdicts::{Both, Mark, Marks, rules};
use openapi_schemas::reading::{Document, Site, read, types};

/// Serialisation of a value, with its defaults.
#[derive(Clone, Copy, PartialEq)]
struct Style<'d> {
    style: &'d str,
    is_exploded: bool,
    is_unescaped: bool,
}

impl<'d> Style<'d> {
    /// Returns the style of a value that is sent at this location.
    fn of(value: &'d Value, location: &str) -> Self {
        let default = match location {
            "query" | "cookie" => "form",
            _ => "simple",
        };
        let style = value.get("style").and_then(Value::as_str);
        let style = style.unwrap_or(default);
        let explode = value.get("explode").and_then(Value::as_bool);
        let unescaped = value.get("allowReserved").and_then(Value::as_bool);
        Self {
            style,
            is_exploded: explode.unwrap_or(style == "form"),
            is_unescaped: unescaped.unwrap_or_default(),
        }
    }

    /// Returns the effective serialisation for these types: plain values are written the same in styles that differ for lists and objects.
    fn in_effect(self, allowed: u8) -> Self {
        let has_list = allowed & (types::ARRAY | types::UNKNOWN) != 0;
        let has_object = allowed & (types::OBJECT | types::UNKNOWN) != 0;
        if has_object || has_list && self.style != "simple" {
            return self;
        }
        let style = match self.style {
            "spaceDelimited" | "pipeDelimited" | "deepObject" if !has_list => "form",
            style => style,
        };
        Self {
            style,
            is_exploded: has_list && style != "simple" && self.is_exploded,
            ..self
        }
    }
}

impl std::fmt::Display for Style<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let exploded = if self.is_exploded { ", exploded" } else { "" };
        let unescaped = if self.is_unescaped { ", unescaped" } else { "" };
        write!(f, "`{}`{exploded}{unescaped}", self.style)
    }
}

/// Compares the value of a parameter or header, and its serialisation at these locations.
pub(super) fn written<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    both: Both<'d>,
    old_location: &str,
    new_location: &str,
) {
    let inner = both.keyword("content");
    if inner.both().is_some() {
        return content(documents, scope, both);
    }
    if inner.differs() {
        return documents.note(scope, &rules::PARAMETER_STYLE, both, || {
            "it is written by `content` on one side and by `schema` on the other".to_owned()
        });
    }
    let allowed = allowed(&mut documents.schemas.old, both.old)
        | allowed(&mut documents.schemas.new, both.new);
    let old = Style::of(both.old, old_location);
    let new = Style::of(both.new, new_location);
    if old != new {
        let rule = if old.in_effect(allowed) == new.in_effect(allowed) {
            &rules::NO_EFFECT
        } else {
            &rules::PARAMETER_STYLE
        };
        let marks = Marks::new(style_mark(both.old), style_mark(both.new));
        documents.note(scope, rule, marks, || {
            format!("the style changed from {old} to {new}")
        });
    }
    let form = if new.style == "form" && new.is_exploded {
        Form::Repeated
    } else {
        Form::Text
    };
    documents.root_of(scope, both.keyword("schema"), form);
}

/// Returns the types that the schema of a parameter or header allows.
fn allowed<'d>(side: &mut Document<'d>, value: &'d Value) -> u8 {
    read(side, &Site::new(value.get("schema"), value)).types
}

fn style_mark(value: &Value) -> Mark<'_> {
    let keywords = ["style", "explode", "allowReserved"];
    let written = keywords.iter().find_map(|keyword| value.get(keyword));
    Mark::within(written, value)
}

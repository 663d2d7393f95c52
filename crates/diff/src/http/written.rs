//! The value of a parameter or header, and its serialisation.

use serde_json::Value;

use super::content::content;
use super::documents::Documents;
use super::scope::Scope;
use crate::schemas::Form;
use crate::verdicts::{Mark, rules};
use openapi_schemas::reading::{Site, read, types};

/// Compares the value of a parameter or header, and its serialisation.
pub(super) fn written<'d>(
    documents: &mut Documents<'d>,
    scope: Scope,
    ways: u8,
    old: (&'d Value, &'d str),
    new: (&'d Value, &'d str),
) {
    let (a, b) = (old.0, new.0);
    let inner = |value: &'d Value| value.get("content");
    if inner(a).is_some() && inner(b).is_some() {
        return content(documents, scope, ways, (a, b));
    }
    if inner(a).is_some() || inner(b).is_some() {
        return documents.note(
            scope.by(ways),
            &rules::PARAMETER_STYLE,
            Mark::at(a),
            Mark::at(b),
            || "it is written by `content` on one side and by `schema` on the other".to_owned(),
        );
    }
    let site = |value: &'d Value| Site::new(value.get("schema"), value);
    let allowed = read(&mut documents.schemas.old, &site(a)).types
        | read(&mut documents.schemas.new, &site(b)).types;
    let (x, y) = (style(old), style(new));
    if x != y {
        let say = |(style, explode, reserved): (&str, bool, bool)| {
            format!(
                "`{style}`{}{}",
                if explode { ", exploded" } else { "" },
                if reserved { ", unescaped" } else { "" }
            )
        };
        let rule = if in_effect(x, allowed) == in_effect(y, allowed) {
            &rules::NO_EFFECT
        } else {
            &rules::PARAMETER_STYLE
        };
        documents.note(scope.by(ways), rule, style_mark(a), style_mark(b), || {
            format!("the style changed from {} to {}", say(x), say(y))
        });
    }
    let form = match y {
        ("form", true, _) => Form::Repeated,
        ("deepObject", ..) => Form::Text,
        _ => Form::Text,
    };
    documents
        .schemas
        .root(scope.operation, site(a), site(b), form, ways);
}

/// Returns style, explode and allowReserved with their defaults.
fn style<'d>((value, place): (&'d Value, &'d str)) -> (&'d str, bool, bool) {
    let default = if matches!(place, "query" | "cookie") {
        "form"
    } else {
        "simple"
    };
    let style = value
        .get("style")
        .and_then(Value::as_str)
        .unwrap_or(default);
    let explode = value
        .get("explode")
        .and_then(Value::as_bool)
        .unwrap_or(style == "form");
    let reserved = value
        .get("allowReserved")
        .and_then(Value::as_bool)
        .unwrap_or_default();
    (style, explode, reserved)
}

/// Returns the effective serialisation for these types: plain values are written the same in styles that differ for lists and objects.
fn in_effect((style, explode, reserved): (&str, bool, bool), allowed: u8) -> (&str, bool, bool) {
    let has = |types: u8| allowed & (types | types::UNKNOWN) != 0;
    if has(types::OBJECT) || has(types::ARRAY) && style != "simple" {
        return (style, explode, reserved);
    }
    let style = match style {
        "spaceDelimited" | "pipeDelimited" | "deepObject" if !has(types::ARRAY) => "form",
        style => style,
    };
    (
        style,
        has(types::ARRAY) && style != "simple" && explode,
        reserved,
    )
}

fn style_mark(value: &Value) -> Mark<'_> {
    let said = ["style", "explode", "allowReserved"]
        .iter()
        .find_map(|keyword| value.get(keyword));
    Mark::within(said, value)
}

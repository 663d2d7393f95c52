//! The value of a parameter or header, and its serialisation.

use serde_json::Value;

use super::content::content;
use super::documents::Documents;
use super::scope::Scope;
use crate::schemas::Form;
use crate::verdicts::{Both, Mark, Marks, rules};
use openapi_schemas::Style;
use openapi_schemas::reading::{Document, Site, read, types};

/// Returns the effective style for these types: plain values are written the same in styles that differ for lists and objects.
fn in_effect(style: Style<'_>, allowed: u8) -> Style<'_> {
    let has_list = allowed & (types::ARRAY | types::UNKNOWN) != 0;
    let has_object = allowed & (types::OBJECT | types::UNKNOWN) != 0;
    if has_object || has_list && style.name != "simple" {
        return style;
    }
    let name = match style.name {
        "spaceDelimited" | "pipeDelimited" | "deepObject" if !has_list => "form",
        name => name,
    };
    Style {
        name,
        is_exploded: has_list && name != "simple" && style.is_exploded,
        ..style
    }
}

/// Describes a style in a sentence.
fn described(style: Style<'_>) -> String {
    let exploded = if style.is_exploded { ", exploded" } else { "" };
    let unescaped = if style.is_reserved { ", unescaped" } else { "" };
    format!("`{}`{exploded}{unescaped}", style.name)
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
        let rule = if in_effect(old, allowed) == in_effect(new, allowed) {
            &rules::NO_EFFECT
        } else {
            &rules::PARAMETER_STYLE
        };
        let marks = Marks::new(style_mark(both.old), style_mark(both.new));
        documents.note(scope, rule, marks, || {
            let (old, new) = (described(old), described(new));
            format!("the style changed from {old} to {new}")
        });
    }
    let form = if new.name == "form" && new.is_exploded {
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

//! The value of a parameter or header, and its serialisation.

use serde_json::Value;

use super::content::content;
use super::documents::Documents;
use super::flags::is_required;
use super::scope::Scope;
use crate::schemas::Form;
use crate::verdicts::{Both, Mark, Marks, Rule, rules};
use openapi_schemas::Style;
use openapi_schemas::reading::{Document, Site, read, types};

/// Returns the effective style for these types: plain values are written the same in styles that differ for lists and objects.
pub(super) fn in_effect(style: Style<'_>, allowed: u8) -> Style<'_> {
    let has_list = allowed & (types::ARRAY | types::UNKNOWN) != 0;
    let has_object = allowed & (types::OBJECT | types::UNKNOWN) != 0;
    let name = match style.name {
        "spaceDelimited" | "pipeDelimited" | "deepObject" if !has_list && !has_object => "form",
        name => name,
    };
    let depends = has_object || has_list && name != "simple";
    Style {
        name,
        is_exploded: depends && (style.is_exploded || name == "deepObject"),
        // Whole numbers and flags have no reserved characters.
        is_reserved: style.is_reserved && allowed & !(types::INTEGER | types::BOOLEAN) != 0,
    }
}

/// Returns the rule of a changed style, by pairs of effective styles: one pair that is the same is enough.
fn style_rule(pairs: [[Style<'_>; 2]; 2]) -> &'static Rule {
    if pairs.iter().any(|[old, new]| old == new) {
        return &rules::NO_EFFECT;
    }
    let unescaped = pairs.map(|[old, new]| {
        (
            Style {
                is_reserved: true,
                ..old
            },
            new,
        )
    });
    if unescaped.iter().any(|(old, new)| old == new) {
        // A value may still be escaped.
        &rules::PARAMETER_RESPELLED
    } else {
        &rules::PARAMETER_STYLE
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
    let old = Style::of(both.old, old_location);
    let new = Style::of(both.new, new_location);
    let old_types = allowed(&mut documents.schemas.old, both.old);
    let new_types = allowed(&mut documents.schemas.new, both.new);
    let own = [in_effect(old, old_types), in_effect(new, new_types)];
    if old != new {
        let shared = [old, new].map(|style| in_effect(style, old_types | new_types));
        let marks = Marks::new(style_mark(both.old), style_mark(both.new));
        documents.note(scope, style_rule([own, shared]), marks, || {
            let (old, new) = (described(old), described(new));
            format!("the style changed from {old} to {new}")
        });
    }
    let is_always_sent = is_required(both.old) || old_location == "path";
    let is_joined = |style: &Style<'_>| !style.is_exploded || style.name == "simple";
    let form = if own.iter().all(is_joined) {
        Form::Text { is_always_sent }
    } else {
        Form::Repeated { is_always_sent }
    };
    documents.root_of(scope, both.keyword("schema"), form);
}

/// Returns the types that the schema of a parameter or header allows.
pub(super) fn allowed<'d>(side: &mut Document<'d>, value: &'d Value) -> u8 {
    read(side, &Site::new(value.get("schema"), value)).types
}

fn style_mark(value: &Value) -> Mark<'_> {
    let keywords = ["style", "explode", "allowReserved"];
    let written = keywords.iter().find_map(|keyword| value.get(keyword));
    Mark::within(written, value)
}

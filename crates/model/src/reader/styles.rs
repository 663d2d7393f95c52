//! Serialization styles of parameters, in the form of the runtime.

use serde_json::Value;

use crate::{Location, ParameterType, Style};

/// The form of a parameter on the wire.
pub(super) enum Form {
    /// One that generated code spells out: a value by its name, repeated or joined.
    Plain(ParameterType),
    /// One that the runtime writes.
    Styled(Style),
    /// There is no right form, for this reason.
    Undefined(String),
}

/// Returns the style of a parameter or an encoding; the default of its location for one that is unknown.
pub(super) fn declared(location: Location, value: &Value) -> Style {
    let style = openapi_schemas::Style::of(value, location.name());
    match variant(style.name) {
        Some(name) => Style {
            name,
            explode: style.is_exploded,
            reserved: matches!(location, Location::Query | Location::Path) && style.is_reserved,
        },
        None => declared(location, &Value::Null),
    }
}

fn variant(style: &str) -> Option<&'static str> {
    Some(match style {
        "simple" => "Simple",
        "label" => "Label",
        "matrix" => "Matrix",
        "form" => "Form",
        "spaceDelimited" => "SpaceDelimited",
        "pipeDelimited" => "PipeDelimited",
        "deepObject" => "DeepObject",
        "cookie" => "Cookie",
        _ => return None,
    })
}

/// Returns whether the specification has the style at the location.
pub(super) fn is_of(location: Location, style: &Value) -> bool {
    let Some(style) = style.get("style") else {
        return true;
    };
    let known: &[&str] = match location {
        Location::Path => &["simple", "label", "matrix"],
        Location::Query => &["form", "spaceDelimited", "pipeDelimited", "deepObject"],
        Location::Header => &["simple"],
        Location::Cookie => &["form", "cookie"],
    };
    style.as_str().is_some_and(|style| known.contains(&style))
}

/// The form of a value of this kind in this style.
pub(super) fn form(location: Location, style: Style, kind: ParameterType) -> Form {
    use ParameterType::{List, Typed};

    let is_plain = !matches!(kind, List { .. } | Typed(_));
    match (location, style.name, &kind) {
        // In a query and a cookie all styles write one value alike.
        (Location::Query, _, _) if is_plain && !style.reserved => Form::Plain(kind),
        (Location::Path | Location::Header, "Simple", _) if is_plain && !style.reserved => {
            Form::Plain(kind)
        }
        (_, "DeepObject", List { .. }) => Form::Undefined(
            "it is a list, which the style `deepObject` cannot represent".to_owned(),
        ),
        (Location::Query, "Form" | "SpaceDelimited" | "PipeDelimited", List { item, .. })
            if !style.reserved =>
        {
            let separator = match (style.explode, style.name) {
                (true, _) => None,
                (false, "SpaceDelimited") => Some(' '),
                (false, "PipeDelimited") => Some('|'),
                (false, _) => Some(','),
            };
            Form::Plain(separated(item, separator))
        }
        (Location::Header, "Simple", List { item, .. }) => Form::Plain(separated(item, Some(','))),
        _ => Form::Styled(style),
    }
}

fn separated(item: &ParameterType, separator: Option<char>) -> ParameterType {
    ParameterType::List {
        item: Box::new(item.clone()),
        separator,
    }
}

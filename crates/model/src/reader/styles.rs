//! How a parameter is written, and within which bounds: what the document says of it, as the runtime has it.

use serde_json::Value;

use crate::{Constraints, ParameterType, Place, Style};

/// The form of a parameter on the wire.
pub(super) enum Form {
    /// One that generated code spells out: a value by its name, repeated or joined.
    Plain(ParameterType),
    /// One that the runtime writes.
    Styled(Style),
    /// There is no right form, for this reason.
    Undefined(String),
}

/// What a parameter or an encoding declares, with the defaults of its place.
pub(super) fn declared(place: Place, value: &Value) -> Style {
    let default = match place {
        Place::Query | Place::Cookie => "Form",
        Place::Path | Place::Header => "Simple",
    };
    let name = value.get("style").and_then(Value::as_str).and_then(variant);
    let name = name.unwrap_or(default);
    let explode = value.get("explode").and_then(Value::as_bool);
    Style {
        name,
        explode: explode.unwrap_or(["Form", "Cookie"].contains(&name)),
        // In a path, a reserved character would begin another segment.
        reserved: place == Place::Query
            && value.get("allowReserved").and_then(Value::as_bool) == Some(true),
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

/// Whether the specification has the style at the place.
pub(super) fn is_of(place: Place, style: &Value) -> bool {
    let Some(style) = style.get("style") else {
        return true;
    };
    let known: &[&str] = match place {
        Place::Path => &["simple", "label", "matrix"],
        Place::Query => &["form", "spaceDelimited", "pipeDelimited", "deepObject"],
        Place::Header => &["simple"],
        Place::Cookie => &["form", "cookie"],
    };
    style.as_str().is_some_and(|style| known.contains(&style))
}

/// The form of a value of this kind in this style.
pub(super) fn form(place: Place, style: Style, kind: ParameterType) -> Form {
    use ParameterType::{List, Typed};

    let is_plain = !matches!(kind, List { .. } | Typed(_));
    match (place, style.name, &kind) {
        // In a query and a cookie all styles write one value alike.
        (Place::Query, _, _) if is_plain && !style.reserved => Form::Plain(kind),
        (Place::Path | Place::Header, "Simple", _) if is_plain => Form::Plain(kind),
        (_, "DeepObject", List { .. }) => {
            Form::Undefined("it is a list, for which the style `deepObject` has no form".to_owned())
        }
        (Place::Query, "Form" | "SpaceDelimited" | "PipeDelimited", List { item, .. })
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
        (Place::Header, "Simple", List { item, .. }) => Form::Plain(separated(item, Some(','))),
        _ => Form::Styled(style),
    }
}

fn separated(item: &ParameterType, separator: Option<char>) -> ParameterType {
    ParameterType::List {
        item: Box::new(item.clone()),
        separator,
    }
}

/// The bounds of a value. What bounds a text says nothing of other types.
pub fn constraints(schema: &Value) -> Constraints {
    // An enum value is what it is.
    let is_text = schema.get("type").and_then(Value::as_str) == Some("string")
        && schema.get("enum").is_none();
    let number = |key: &str| match schema.get(key) {
        Some(Value::Number(number)) => Some(number.clone()),
        _ => None,
    };
    let is_exclusive = |key: &str| schema.get(key) == Some(&Value::Bool(true));
    let text = |key: &str| schema.get(key).filter(|_| is_text);
    let positive =
        number("multipleOf").filter(|number| number.as_f64().is_some_and(|number| number > 0.0));
    Constraints {
        minimum: number("minimum").filter(|_| !is_exclusive("exclusiveMinimum")),
        maximum: number("maximum").filter(|_| !is_exclusive("exclusiveMaximum")),
        min_length: text("minLength").and_then(Value::as_u64),
        max_length: text("maxLength").and_then(Value::as_u64),
        above: number("exclusiveMinimum")
            .or_else(|| number("minimum").filter(|_| is_exclusive("exclusiveMinimum"))),
        below: number("exclusiveMaximum")
            .or_else(|| number("maximum").filter(|_| is_exclusive("exclusiveMaximum"))),
        multiple_of: positive,
        pattern: text("pattern")
            .and_then(Value::as_str)
            .filter(|pattern| regex_lite::Regex::new(pattern).is_ok())
            .map(str::to_owned),
        ..Constraints::default()
    }
}

/// The bounds of a list, beside those of its elements.
pub(super) fn of_list(schema: &Value, elements: &Value) -> Constraints {
    Constraints {
        min_items: schema.get("minItems").and_then(Value::as_u64),
        max_items: schema.get("maxItems").and_then(Value::as_u64),
        unique_items: schema.get("uniqueItems") == Some(&Value::Bool(true)),
        ..constraints(elements)
    }
}

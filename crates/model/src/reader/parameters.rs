//! Reads the parameters of an operation: their locations, types, styles and bounds.

use openapi_document::json::{is_true, text_of};
use openapi_document::pointer;
use openapi_schemas::media_type::{essence, is_json};
use openapi_schemas::{is_token, resolve};
use serde_json::Value;

use super::operation::{CHANGE, Reader, deprecated, texts};
use super::styles::{self, Form};
use super::unsendable::unsendable;
use crate::extensions::Canonical;
use crate::vocabulary::spelled;
use crate::{
    Constraints, Location, Parameter, ParameterType, Place, Scalar, Shape, Style, kind, names,
};

/// Headers that a parameter does not describe, by the specification or because the connection owns them. `Authorization` is read with the
/// credentials.
const OWNED: [&str; 7] = [
    "accept",
    "connection",
    "content-length",
    "content-type",
    "host",
    "te",
    "transfer-encoding",
];

impl Reader<'_, '_> {
    /// The operation's own parameters override those of its path item by name and location. `Err` has the reason why it cannot be called.
    pub(super) fn parameters(
        &mut self,
        lists: &[(String, usize)],
        type_name: &str,
    ) -> Result<Vec<Parameter>, String> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for (at, length) in lists {
            for index in 0..*length {
                let Some(parameter) = self.parameter(&format!("{at}/{index}"), type_name)? else {
                    continue;
                };
                let earlier = parameters.iter_mut().find(|earlier| {
                    earlier.name == parameter.name && earlier.location == parameter.location
                });
                match earlier {
                    Some(earlier) => *earlier = parameter,
                    None => parameters.push(parameter),
                }
            }
        }
        let (mut of_path, others): (Vec<_>, Vec<_>) =
            (parameters.into_iter()).partition(|one| one.location == Location::Path);
        let mut ordered = Vec::new();
        for name in placeholders(self.path) {
            if let Some(index) = of_path.iter().position(|one| one.name == name) {
                ordered.push(of_path.remove(index));
                continue;
            }
            self.notes.warn(
                "path-parameter",
                &self.pointer,
                format!("`{{{name}}}` in the path is not a parameter of the operation: it accepts any string"),
                "describe it in an override",
            );
            ordered.push(Parameter {
                required: true,
                ..Parameter::undocumented(name, Location::Path, &self.pointer)
            });
        }
        for Parameter { name, pointer, .. } in of_path {
            let path = self.path;
            let message =
                format!("`{name}` has no place `{{{name}}}` in the path `{path}`, and is not sent");
            let help = "correct the path or the name in an override";
            self.notes.warn("path-parameter", &pointer, message, help);
        }
        ordered.extend(others);
        Ok(ordered)
    }

    /// One parameter; `None` when the call does without it.
    fn parameter(&mut self, at: &str, type_name: &str) -> Result<Option<Parameter>, String> {
        let Some((pointer, value)) = resolve(&self.notes.source.value, at) else {
            return Err(format!(
                "its parameter at #{at} is a reference that leads nowhere"
            ));
        };
        let Some(name) = text_of(value, "name") else {
            return Err(format!("its parameter at #{at} has no name"));
        };
        let Unsupported { rule, problem } = match self.described(name, value, &pointer, type_name) {
            Ok(parameter) => return Ok(parameter),
            Err(unsupported) => unsupported,
        };
        if is_true(value, "required") {
            return Err(format!("it needs the parameter `{name}`: {problem}"));
        }
        let message = format!("`{name}` is left out: {problem}");
        let help = "describe it in a form that is supported, or remove it, in an override";
        self.notes.warn(rule, &pointer, message, help);
        Ok(None)
    }

    /// Reads a parameter of this name, which stands at `pointer`.
    fn described(
        &mut self,
        name: &str,
        value: &Value,
        pointer: &str,
        type_name: &str,
    ) -> Result<Option<Parameter>, Unsupported> {
        let location = location(value)?;
        if let Some(problem) = is_owned(location, name) {
            let (rule, help) = if is_token(name) {
                ("owned-header", "nothing has to be done")
            } else {
                ("parameter-place", "correct its name in an override")
            };
            let message = format!("`{name}` is left out: {problem}");
            self.notes.warn(rule, pointer, message, help);
            return Ok(None);
        }
        let Described {
            schema,
            below,
            is_json,
        } = schema_of(value)?;
        let schema_pointer = format!("{pointer}{below}");
        if schema.is_none() {
            let message = format!("`{name}` has no `schema`: it accepts any string");
            let help = "describe it in an override";
            self.notes.warn("parameter-schema", pointer, message, help);
        }
        if schema.is_some_and(|schema| schema.get("x-rust-type").is_some()) {
            let message = format!("`{name}` has `x-rust-type`, which is for responses");
            self.notes
                .wrong("parameter-type", &schema_pointer, message, CHANGE);
            return Ok(None);
        }
        let hint = format!("{type_name}{}", names::pascal(name));
        let mut place = match schema {
            Some(_) => self.registry.place(&hint, &schema_pointer),
            None => Place::of(Shape::scalar(Scalar::Text)),
        };
        // No style has a form for null: such a parameter is not set.
        place.nullable &= is_json;
        let kind = kind(&place, &|name| self.registry.schema(name));
        let declared = self.declared_style(name, value, pointer, location);
        let schema = |name: &str| self.registry.schema(name);
        let unsendable = if is_json {
            None
        } else {
            unsendable(&declared, &place, &schema)
        };
        let (kind, style) = if is_json {
            let name = "Json";
            (kind, Some(Style { name, ..declared }))
        } else {
            match styles::form(location, declared, kind.clone()) {
                Form::Plain(kind) => (kind, None),
                Form::Styled(style) => (kind, Some(style)),
                Form::Undefined(problem) => {
                    let rule = "parameter-style";
                    return Err(Unsupported { rule, problem });
                }
            }
        };
        if let Some(part) = unsendable {
            let message = format!(
                "`{name}` has {part}, which its style cannot represent: a call with it fails"
            );
            let help = "describe it in a form that is supported, or remove it, in an override";
            self.notes.warn("parameter-style", pointer, message, help);
        }
        self.note_patterns(name, &place, &schema_pointer);
        let whole = self.resolved(&place);
        let example = example_of(value).or(place.example.as_ref());
        let description = texts(value, &["description"]).into_iter();
        Ok(Some(Parameter {
            rust_name: rust_name(text_of(value, "x-rust-name").unwrap_or(name)),
            required: location == Location::Path || is_true(value, "required"),
            constraints: self.constraints(&place, &kind),
            kind,
            style,
            default: place.default.as_ref().or(whole.default.as_ref()).cloned(),
            example: example.or(whole.example.as_ref()).cloned(),
            text: description.chain(deprecated(value)).collect(),
            is_deprecated: deprecated(value).is_some() || place.deprecated || whole.deprecated,
            idempotency: None,
            is_website: self.is_website(pointer, location),
            name: name.to_owned(),
            location,
            pointer: pointer.to_owned(),
            schema: place,
        }))
    }

    /// Returns whether the schema of a parameter says that its values are websites, whose spellings are equal.
    fn is_website(&mut self, at: &str, location: Location) -> bool {
        let Some((at, schema)) = resolve(&self.notes.source.value, &format!("{at}/schema")) else {
            return false;
        };
        let canonical = self.notes.extension(&at, schema, "x-canonical");
        location == Location::Query && canonical == Some(Canonical::Website)
    }

    /// Returns the declared style of a parameter; the default of its location for one that the location does not allow.
    fn declared_style(
        &mut self,
        name: &str,
        value: &Value,
        pointer: &str,
        location: Location,
    ) -> Style {
        if styles::is_of(location, value) {
            return styles::declared(location, value);
        }
        let message = format!(
            "`{name}` has a style that its location does not allow: the default style of the location is used"
        );
        let help = "correct `style` in an override";
        self.notes.warn("parameter-style", pointer, message, help);
        styles::declared(location, &Value::Null)
    }

    /// Returns the bounds of a value, or of the elements of a list.
    fn constraints(&self, place: &Place, kind: &ParameterType) -> Constraints {
        let whole = self.resolved(place);
        match (kind, whole.items()) {
            (ParameterType::List { .. }, Some(elements)) => {
                place.constraints_of_list(elements.constraints(self.resolved(elements)))
            }
            _ => place.constraints(whole),
        }
    }

    /// Returns the place of the schema that a place refers to, or the place itself.
    fn resolved<'p>(&'p self, place: &'p Place) -> &'p Place {
        self.registry.resolved(place).unwrap_or(place)
    }

    /// Warns of each pattern of a value, or of the elements of a list, that is not checked.
    fn note_patterns(&mut self, name: &str, place: &Place, at: &str) {
        let elements = self.resolved(place).items();
        let places = std::iter::once(place).chain(elements);
        let unchecked = places.map(|place| place.unchecked_patterns(self.resolved(place)));
        for _ in 0..unchecked.sum() {
            self.notes.warn(
                "pattern",
                at,
                format!("a pattern of `{name}` is not checked: it is not a pattern of strings, or cannot be matched in linear time"),
                "no action is needed: the service checks it",
            );
        }
    }
}

/// Returns the names in the braces of a template, each once.
pub(super) fn placeholders(template: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for name in openapi_schemas::placeholders(template) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// The reason why a parameter cannot be sent.
struct Unsupported {
    rule: &'static str,
    problem: String,
}

fn location(parameter: &Value) -> Result<Location, Unsupported> {
    match parameter.get("in").and_then(Value::as_str) {
        Some("path") => Ok(Location::Path),
        Some("query") => Ok(Location::Query),
        Some(WHOLE_QUERY) if media_type(parameter).is_some_and(|one| essence(one) == FORM) => {
            Ok(Location::Query)
        }
        Some("header") => Ok(Location::Header),
        Some("cookie") => Ok(Location::Cookie),
        other => Err(Unsupported {
            rule: "parameter-place",
            problem: format!(
                "it is sent in {}, which is not supported",
                other.unwrap_or("nothing")
            ),
        }),
    }
}

/// Why the client sends a parameter by itself, or the caller cannot.
pub(super) fn is_owned(location: Location, name: &str) -> Option<String> {
    if location != Location::Header {
        return None;
    }
    if OWNED.iter().any(|header| header.eq_ignore_ascii_case(name)) {
        return Some("the client sends this header itself".to_owned());
    }
    (!is_token(name)).then(|| "this is not a valid header name".to_owned())
}

/// The argument for a parameter. A comparison at the end of its name is spelt out: `StartTime<` and `StartTime>` are two parameters.
fn rust_name(name: &str) -> String {
    let stem = name.trim_end_matches(['<', '>', '=', '!']);
    let comparison = name.get(stem.len()..).unwrap_or_default();
    names::snake(&format!("{stem} {}", spelled(comparison)))
}

/// The place of a parameter that is all of the query, and the one form of it that has parameters.
const WHOLE_QUERY: &str = "querystring";
const FORM: &str = "application/x-www-form-urlencoded";

/// The example of a parameter, or the first of several.
fn example_of(parameter: &Value) -> Option<&Value> {
    parameter.get("example").or_else(|| {
        let examples = parameter.get("examples").and_then(Value::as_object)?;
        let first = examples.values().next()?;
        first.get("dataValue").or_else(|| first.get("value"))
    })
}

fn media_type(parameter: &Value) -> Option<&str> {
    let content = parameter.get("content").and_then(Value::as_object)?;
    content.keys().next().map(String::as_str)
}

/// The schema of a parameter.
#[derive(Default)]
struct Described<'v> {
    schema: Option<&'v Value>,
    /// Its location below the parameter.
    below: String,
    /// True if the parameter is JSON in a string.
    is_json: bool,
}

fn schema_of(parameter: &Value) -> Result<Described<'_>, Unsupported> {
    if let Some(schema) = parameter.get("schema") {
        return Ok(Described {
            schema: Some(schema),
            below: "/schema".to_owned(),
            is_json: false,
        });
    }
    let content = parameter.get("content").and_then(Value::as_object);
    let Some((media_type, content)) = content.and_then(|content| content.iter().next()) else {
        return Ok(Described::default());
    };
    let below = format!("{}/schema", pointer::join("/content", media_type));
    let essence = essence(media_type);
    let schema = content.get("schema");
    let is_json = is_json(&essence);
    // The members of a form are parameters: `style: form` with `explode` sends the same.
    let is_whole = text_of(parameter, "in") == Some(WHOLE_QUERY);
    let is_form = essence == FORM && is_whole && content.get("encoding").is_none();
    if is_json || essence.starts_with("text/") || is_form {
        // JSON without a schema is any JSON.
        let any = is_json.then_some(&Value::Bool(true));
        return Ok(Described {
            schema: schema.or(any),
            below,
            is_json,
        });
    }
    Err(Unsupported {
        rule: "parameter-content",
        problem: format!("its content is `{media_type}`, which is not supported"),
    })
}

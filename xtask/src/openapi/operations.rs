//! The operations of a document: parameters, body and the one success response of each.

use serde_json::{Map, Value};

use super::extensions::{self, Pagination, Price};
use super::hoist::Hoister;
use super::resolve::{METHODS, resolve};
use crate::finding::Finding;
use crate::names;
use crate::pointer;
use crate::source::Source;

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `operationId`, or what stands in for it.
    pub id: String,
    /// The Rust method, and the module of its builder.
    pub rust_name: String,
    /// The Rust type of its builder.
    pub type_name: String,
    /// Where it stands in the document.
    pub pointer: String,
    /// Upper-case HTTP method.
    pub method: String,
    /// Path template.
    pub path: String,
    /// `summary` and `description`.
    pub text: Vec<String>,
    /// Parameters in the order of the document.
    pub parameters: Vec<Parameter>,
    /// The JSON body.
    pub body: Option<Body>,
    /// The success response's schema: a reference or a plain type. `None` when it has no body.
    pub success: Option<Value>,
    /// Where the success response stands.
    pub success_pointer: String,
    /// Documented answers that are no success: status, description, pointer.
    pub other_answers: Vec<(String, String, String)>,
    /// `x-pagination`.
    pub pagination: Option<Pagination>,
    /// `x-credits`; empty when no price is known.
    pub prices: Vec<Price>,
}

/// Where a parameter travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
}

/// One parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Name on the wire.
    pub name: String,
    /// Name of the argument or setter.
    pub rust_name: String,
    /// Where it travels.
    pub place: Place,
    /// Whether a request without it is refused.
    pub required: bool,
    /// Its type.
    pub kind: ParameterType,
    /// Bounds that are checked before anything is sent.
    pub constraints: Constraints,
    /// What the service takes when it is left out.
    pub default: Option<Value>,
    /// An example value, for documentation.
    pub example: Option<Value>,
    /// `description`.
    pub text: Vec<String>,
    /// Where it stands in the document, references followed.
    pub pointer: String,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// Any text.
    Text,
    /// A whole number; unsigned when the document's minimum is zero or more.
    Integer {
        /// Whether negative numbers are possible.
        signed: bool,
    },
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A generated type.
    Named(String),
    /// A list.
    List {
        /// Type of an element.
        item: Box<ParameterType>,
        /// What stands between the elements in one parameter; `None` when the parameter repeats.
        separator: Option<char>,
    },
}

/// Bounds of a parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// Least value.
    pub minimum: Option<serde_json::Number>,
    /// Greatest value.
    pub maximum: Option<serde_json::Number>,
    /// Least number of characters.
    pub min_length: Option<u64>,
    /// Greatest number of characters.
    pub max_length: Option<u64>,
}

/// A JSON request body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its schema: a reference or a plain type.
    pub schema: Value,
    /// Whether the operation insists on it.
    pub required: bool,
    /// Where it stands.
    pub pointer: String,
}

/// Reads all operations; what cannot be read is a finding.
pub(super) fn read<'d>(
    source: &'d Source,
    hoister: &mut Hoister<'d>,
    key_header: Option<&str>,
    findings: &mut Vec<Finding>,
) -> Vec<Operation> {
    let mut operations = Vec::new();
    let paths = source.value.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten() {
        for method in METHODS {
            let Some(value) = item.get(method) else {
                continue;
            };
            let pointer = pointer::join(&pointer::join("/paths", path), method);
            let mut reader = Reader {
                source,
                hoister,
                key_header,
                findings,
                path,
                pointer,
            };
            operations.push(reader.operation(method, item, value));
        }
    }
    operations
}

struct Reader<'r, 'd> {
    source: &'d Source,
    hoister: &'r mut Hoister<'d>,
    key_header: Option<&'r str>,
    findings: &'r mut Vec<Finding>,
    path: &'r str,
    pointer: String,
}

impl Reader<'_, '_> {
    fn operation(&mut self, method: &str, item: &Value, value: &Value) -> Operation {
        let id = match value.get("operationId").and_then(Value::as_str) {
            Some(id) => id.to_owned(),
            None => format!("{method} {}", self.path),
        };
        let name = value
            .get("x-rust-name")
            .and_then(Value::as_str)
            .unwrap_or(&id);
        let type_name = names::pascal(name);
        let (success, success_pointer) = self.success(value, &type_name);
        let body = self.body(value, &type_name);
        Operation {
            rust_name: names::snake(name),
            method: method.to_uppercase(),
            path: self.path.to_owned(),
            text: texts(value, &["summary", "description"]),
            parameters: self.parameters(item, value, &type_name),
            body,
            success,
            success_pointer,
            other_answers: self.other_answers(value),
            pagination: extensions::read(
                self.source,
                &self.pointer,
                value,
                "x-pagination",
                self.findings,
            ),
            prices: extensions::read(
                self.source,
                &self.pointer,
                value,
                "x-credits",
                self.findings,
            )
            .unwrap_or_default(),
            pointer: self.pointer.clone(),
            id,
            type_name,
        }
    }

    /// The operation's own parameters override those of its path item by name and place.
    fn parameters(&mut self, item: &Value, value: &Value, type_name: &str) -> Vec<Parameter> {
        let path_item = pointer::split_last(&self.pointer)
            .map(|(parent, _)| format!("{parent}/parameters"))
            .unwrap_or_default();
        let mut parameters: Vec<Parameter> = Vec::new();
        for (list, at) in [
            (item.get("parameters"), path_item),
            (
                value.get("parameters"),
                format!("{}/parameters", self.pointer),
            ),
        ] {
            let length = list.and_then(Value::as_array).map_or(0, Vec::len);
            for index in 0..length {
                let Some(parameter) = self.parameter(&format!("{at}/{index}"), type_name) else {
                    continue;
                };
                let earlier = parameters.iter_mut().find(|earlier| {
                    earlier.name == parameter.name && earlier.place == parameter.place
                });
                match earlier {
                    Some(earlier) => *earlier = parameter,
                    None => parameters.push(parameter),
                }
            }
        }
        for name in self.path_placeholders() {
            if !parameters
                .iter()
                .any(|one| one.place == Place::Path && one.name == name)
            {
                self.wrong(
                    &self.pointer.clone(),
                    "path-parameter",
                    format!("`{{{name}}}` in the path is no parameter of the operation"),
                );
            }
        }
        parameters
    }

    fn path_placeholders(&self) -> Vec<String> {
        self.path
            .split('{')
            .skip(1)
            .filter_map(|part| part.split_once('}'))
            .map(|(name, _)| name.to_owned())
            .collect()
    }

    fn parameter(&mut self, at: &str, type_name: &str) -> Option<Parameter> {
        let (pointer, value) = resolve(&self.source.value, at)?;
        let name = value.get("name").and_then(Value::as_str)?.to_owned();
        let place = match value.get("in").and_then(Value::as_str) {
            Some("path") => Place::Path,
            Some("query") => Place::Query,
            Some("header") => Place::Header,
            other => {
                let other = other.unwrap_or("nothing").to_owned();
                self.wrong(
                    &pointer,
                    "parameter-place",
                    format!("`{name}` travels in {other}, which is not supported"),
                );
                return None;
            }
        };
        if place == Place::Header
            && self
                .key_header
                .is_some_and(|header| header.eq_ignore_ascii_case(&name))
        {
            self.wrong(
                at,
                "key-parameter",
                format!(
                    "`{name}` is the key's header and a parameter of the operation at the same time"
                ),
            );
            return None;
        }
        let Some(schema) = value.get("schema") else {
            self.wrong(
                &pointer,
                "parameter-schema",
                format!("`{name}` has no `schema`"),
            );
            return None;
        };
        let schema_pointer = format!("{pointer}/schema");
        let hint = format!("{type_name}{}", names::pascal(&name));
        let resolved = resolve(&self.source.value, &schema_pointer).map(|(_, schema)| schema)?;
        let placed = self.hoister.place(schema, &hint, &schema_pointer);
        let kind = self.kind(&name, place, value, &placed, resolved, &schema_pointer)?;
        Some(Parameter {
            rust_name: names::snake(
                value
                    .get("x-rust-name")
                    .and_then(Value::as_str)
                    .unwrap_or(&name),
            ),
            required: place == Place::Path
                || value.get("required").and_then(Value::as_bool) == Some(true),
            kind,
            constraints: constraints(resolved),
            default: resolved.get("default").cloned(),
            example: value
                .get("example")
                .or_else(|| resolved.get("example"))
                .cloned(),
            text: texts(value, &["description"]),
            name,
            place,
            pointer,
        })
    }

    fn kind(
        &mut self,
        name: &str,
        place: Place,
        parameter: &Value,
        placed: &Value,
        resolved: &Value,
        at: &str,
    ) -> Option<ParameterType> {
        if resolved.get("type").and_then(Value::as_str) != Some("array") {
            let kind = scalar(placed, resolved);
            if kind.is_none() {
                self.wrong(
                    at,
                    "parameter-type",
                    format!("`{name}` is neither text, number, truth value nor a list of them"),
                );
            }
            return kind;
        }
        let separator = self.separator(name, place, parameter, at)?;
        let items = placed.get("items").cloned().unwrap_or_default();
        let items_at = format!("{at}/items");
        let (_, resolved_items) =
            resolve(&self.source.value, &items_at).unwrap_or((items_at, &Value::Null));
        let Some(item) = scalar(&items, resolved_items) else {
            self.wrong(
                at,
                "parameter-type",
                format!("the elements of `{name}` are neither text, number nor truth value"),
            );
            return None;
        };
        Some(ParameterType::List {
            item: Box::new(item),
            separator,
        })
    }

    fn separator(
        &mut self,
        name: &str,
        place: Place,
        parameter: &Value,
        at: &str,
    ) -> Option<Option<char>> {
        let default_style = if place == Place::Query {
            "form"
        } else {
            "simple"
        };
        let style = parameter
            .get("style")
            .and_then(Value::as_str)
            .unwrap_or(default_style);
        let explode = parameter
            .get("explode")
            .and_then(Value::as_bool)
            .unwrap_or(style == "form");
        match (place, style, explode) {
            (Place::Query, "form", true) => Some(None),
            (Place::Query, "form", false) | (Place::Path | Place::Header, "simple", _) => {
                Some(Some(','))
            }
            (Place::Query, "spaceDelimited", false) => Some(Some(' ')),
            (Place::Query, "pipeDelimited", false) => Some(Some('|')),
            _ => {
                self.wrong(
                    at,
                    "parameter-style",
                    format!("`{name}`: style `{style}` with explode {explode} is not supported"),
                );
                None
            }
        }
    }

    fn body(&mut self, value: &Value, type_name: &str) -> Option<Body> {
        let at = format!("{}/requestBody", self.pointer);
        value.get("requestBody")?;
        let (pointer, body) = resolve(&self.source.value, &at)?;
        let content = body.get("content").and_then(Value::as_object)?;
        let Some(media_type) = json_media_type(content) else {
            self.wrong(
                &pointer,
                "media-type",
                "the body is not JSON, which is the only media type supported",
            );
            return None;
        };
        let schema_pointer = format!(
            "{}/schema",
            pointer::join(&format!("{pointer}/content"), media_type)
        );
        let schema = self.source.value.pointer(&schema_pointer)?;
        Some(Body {
            schema: self
                .hoister
                .place(schema, &format!("{type_name}Body"), &schema_pointer),
            required: body.get("required").and_then(Value::as_bool) == Some(true),
            pointer: schema_pointer,
        })
    }

    /// The success response: 200 if there is one, else the first of the 2xx.
    fn success(&mut self, value: &Value, type_name: &str) -> (Option<Value>, String) {
        let at = format!("{}/responses", self.pointer);
        let responses = value.get("responses").and_then(Value::as_object);
        let mut statuses: Vec<&String> = responses
            .into_iter()
            .flatten()
            .map(|(status, _)| status)
            .filter(|status| status.starts_with('2'))
            .collect();
        statuses.sort();
        let Some(status) = statuses.first() else {
            self.wrong(
                &at,
                "success-response",
                "the operation documents no 2xx response",
            );
            return (None, at);
        };
        let at = pointer::join(&at, status);
        let Some((pointer, response)) = resolve(&self.source.value, &at) else {
            return (None, at);
        };
        let content = response.get("content").and_then(Value::as_object);
        let Some(content) = content.filter(|content| !content.is_empty()) else {
            return (None, at);
        };
        let Some(media_type) = json_media_type(content) else {
            self.wrong(
                &pointer,
                "media-type",
                "the response is not JSON, which is the only media type supported",
            );
            return (None, at);
        };
        let schema_pointer = format!(
            "{}/schema",
            pointer::join(&format!("{pointer}/content"), media_type)
        );
        let Some(schema) = self.source.value.pointer(&schema_pointer) else {
            return (None, at);
        };
        let placed = self
            .hoister
            .place(schema, &format!("{type_name}Response"), &schema_pointer);
        (Some(placed), at)
    }

    fn other_answers(&self, value: &Value) -> Vec<(String, String, String)> {
        let responses = value.get("responses").and_then(Value::as_object);
        responses
            .into_iter()
            .flatten()
            .filter(|(status, _)| !status.starts_with('2'))
            .filter_map(|(status, _)| {
                let at = pointer::join(&format!("{}/responses", self.pointer), status);
                let (_, response) = resolve(&self.source.value, &at)?;
                let description = response.get("description")?.as_str()?;
                Some((status.clone(), description.trim().to_owned(), at))
            })
            .collect()
    }

    fn wrong(&mut self, pointer: &str, rule: &'static str, message: impl Into<String>) {
        self.findings.push(self.source.finding(
            rule,
            pointer,
            message,
            "change the operation in an override under overrides/generator/, or remove it there",
        ));
    }
}

fn scalar(placed: &Value, resolved: &Value) -> Option<ParameterType> {
    let kind = resolved.get("type").and_then(Value::as_str);
    let reference = placed.get("$ref").and_then(Value::as_str);
    match (reference, kind) {
        (Some(reference), Some("string")) => reference
            .rsplit('/')
            .next()
            .map(|name| ParameterType::Named(name.to_owned())),
        (_, Some("string")) => Some(ParameterType::Text),
        (_, Some("integer")) => Some(ParameterType::Integer {
            signed: !resolved
                .get("minimum")
                .and_then(Value::as_f64)
                .is_some_and(|minimum| minimum >= 0.0),
        }),
        (_, Some("number")) => Some(ParameterType::Number),
        (_, Some("boolean")) => Some(ParameterType::Boolean),
        _ => None,
    }
}

fn constraints(schema: &Value) -> Constraints {
    let number = |key: &str| match schema.get(key) {
        Some(Value::Number(number)) => Some(number.clone()),
        _ => None,
    };
    Constraints {
        minimum: number("minimum"),
        maximum: number("maximum"),
        min_length: schema.get("minLength").and_then(Value::as_u64),
        max_length: schema.get("maxLength").and_then(Value::as_u64),
    }
}

fn texts(value: &Value, keys: &[&str]) -> Vec<String> {
    keys.iter()
        .filter_map(|key| value.get(*key).and_then(Value::as_str))
        .map(|text| text.trim().to_owned())
        .collect()
}

fn json_media_type(content: &Map<String, Value>) -> Option<&str> {
    content.keys().map(String::as_str).find(|media_type| {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        essence == "application/json" || essence.ends_with("+json")
    })
}

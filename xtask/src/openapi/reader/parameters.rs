//! Reads the parameters of an operation: where they travel, their types, styles and bounds.

use serde_json::Value;

use super::operations::{Reader, deprecated, texts};
use crate::names;
use crate::openapi::{Constraints, Parameter, ParameterType, Place, reference, resolve};
use crate::pointer;

impl Reader<'_, '_> {
    /// The operation's own parameters override those of its path item by name and place.
    pub(super) fn parameters(
        &mut self,
        item: &Value,
        value: &Value,
        type_name: &str,
    ) -> Vec<Parameter> {
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
                    format!("`{{{name}}}` in the path is not a parameter of the operation"),
                );
            }
        }
        let placeholders = self.path_placeholders();
        for one in &parameters {
            if one.place == Place::Path && !placeholders.contains(&one.name) {
                self.wrong(
                    &one.pointer,
                    "path-parameter",
                    format!(
                        "`{}` has no place `{{{0}}}` in the path `{}`",
                        one.name, self.path
                    ),
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
        let (resolved_at, resolved) = resolve(&self.source.value, &schema_pointer)?;
        let items = resolve(&self.source.value, &format!("{resolved_at}/items"));
        let placed = self.hoister.place(schema, &hint, &schema_pointer);
        let kind = self.kind(&name, place, value, &placed, resolved, &resolved_at)?;
        Some(Parameter {
            rust_name: names::snake(
                value
                    .get("x-rust-name")
                    .and_then(Value::as_str)
                    .unwrap_or(&name),
            ),
            required: place == Place::Path
                || value.get("required").and_then(Value::as_bool) == Some(true),
            constraints: match items {
                Some((_, items)) if matches!(kind, ParameterType::List { .. }) => {
                    constraints(items)
                }
                _ => constraints(resolved),
            },
            kind,
            default: resolved.get("default").cloned(),
            example: value
                .get("example")
                .or_else(|| resolved.get("example"))
                .cloned(),
            text: texts(value, &["description"])
                .into_iter()
                .chain(deprecated(value))
                .collect(),
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
        if resolved.get("x-rust-type").is_some() {
            self.wrong(
                at,
                "parameter-type",
                format!("`{name}` has `x-rust-type`, which is for what a service sends"),
            );
            return None;
        }
        if resolved.get("type").and_then(Value::as_str) != Some("array") {
            // In a query all styles write one value alike; in a path `matrix` and `label` do not.
            if place != Place::Query {
                self.separator(name, place, parameter, at)?;
            }
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
        let referenced = reference(placed).and_then(|name| self.hoister.schema(name));
        let items = referenced
            .map_or(placed, |schema| &schema.value)
            .get("items")
            .cloned()
            .unwrap_or_default();
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

/// The bounds of a value. What bounds a text says nothing of other types.
pub(crate) fn constraints(schema: &Value) -> Constraints {
    let is_text = schema.get("type").and_then(Value::as_str) == Some("string");
    let number = |key: &str| match schema.get(key) {
        Some(Value::Number(number)) => Some(number.clone()),
        _ => None,
    };
    Constraints {
        minimum: number("minimum"),
        maximum: number("maximum"),
        min_length: schema
            .get("minLength")
            .filter(|_| is_text)
            .and_then(Value::as_u64),
        max_length: schema
            .get("maxLength")
            .filter(|_| is_text)
            .and_then(Value::as_u64),
    }
}

//! Reads the operations of a document: parameters, body and the one success response of each.

use serde_json::{Map, Value};

use super::extension;
use super::schemas::Hoister;
use crate::finding::Finding;
use crate::names;
use crate::openapi::extensions::Price;
use crate::openapi::{Body, METHODS, Operation, resolve};
use crate::pointer;
use crate::source::Source;

/// Reads all operations; what cannot be read is a finding.
pub(super) fn read<'d>(
    source: &'d Source,
    hoister: &mut Hoister<'d>,
    findings: &mut Vec<Finding>,
) -> Vec<Operation> {
    let mut operations = Vec::new();
    let paths = source.value.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten() {
        let at = pointer::join("/paths", path);
        if item.get("$ref").is_some() {
            findings.push(source.finding(
                "path-reference",
                &at,
                format!("`{path}` is a reference to another path item, which is not supported"),
                "write the operations out, or remove the path, in an override under overrides/generator/",
            ));
        }
        for method in METHODS {
            let Some(value) = item.get(method) else {
                continue;
            };
            let pointer = pointer::join(&pointer::join("/paths", path), method);
            let mut reader = Reader {
                source,
                hoister,
                findings,
                path,
                pointer,
            };
            operations.push(reader.operation(method, item, value));
        }
    }
    if operations.is_empty() && findings.is_empty() {
        findings.push(source.finding(
            "no-operation",
            "/paths",
            "the document has no operation, so there is nothing to generate",
            "add one, or take back the override that removes the last one",
        ));
    }
    operations
}

pub(super) struct Reader<'r, 'd> {
    pub(super) source: &'d Source,
    pub(super) hoister: &'r mut Hoister<'d>,
    findings: &'r mut Vec<Finding>,
    pub(super) path: &'r str,
    pub(super) pointer: String,
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
            text: texts(value, &["summary", "description"])
                .into_iter()
                .chain(deprecated(value))
                .collect(),
            parameters: self.parameters(item, value, &type_name),
            body,
            success,
            success_pointer,
            other_responses: self.other_responses(value),
            pagination: extension::read(
                self.source,
                &self.pointer,
                value,
                "x-pagination",
                self.findings,
            ),
            waiter: extension::read(self.source, &self.pointer, value, "x-waiter", self.findings),
            prices: self.prices(value),
            credits_by: extension::read(
                self.source,
                &self.pointer,
                value,
                "x-credits-by",
                self.findings,
            ),
            pointer: self.pointer.clone(),
            id,
            type_name,
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
        // JSON without a schema is any JSON.
        let any = Value::Object(Map::new());
        let schema = self.source.value.pointer(&schema_pointer).unwrap_or(&any);
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
        // JSON without a schema is any JSON.
        let any = Value::Object(Map::new());
        let schema = self.source.value.pointer(&schema_pointer).unwrap_or(&any);
        let placed = self
            .hoister
            .place(schema, &format!("{type_name}Response"), &schema_pointer);
        (Some(placed), at)
    }

    fn other_responses(&self, value: &Value) -> Vec<(String, String, String)> {
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

    fn prices(&mut self, value: &Value) -> Vec<Price> {
        let prices: Vec<Price> = extension::read(
            self.source,
            &self.pointer,
            value,
            "x-credits",
            self.findings,
        )
        .unwrap_or_default();
        for (index, price) in prices.iter().enumerate() {
            if price.micros().is_none() {
                self.wrong(
                    &format!("{}/x-credits/{index}", self.pointer),
                    "credits",
                    format!(
                        "{} is not an amount of credits with at most six decimals",
                        price.credits
                    ),
                );
            }
        }
        prices
    }

    pub(super) fn wrong(&mut self, pointer: &str, rule: &'static str, message: impl Into<String>) {
        self.findings.push(self.source.finding(
            rule,
            pointer,
            message,
            "change the operation in an override under overrides/generator/, or remove it there",
        ));
    }
}

pub(super) fn texts(value: &Value, keys: &[&str]) -> Vec<String> {
    keys.iter()
        .filter_map(|key| value.get(*key).and_then(Value::as_str))
        .map(|text| text.trim().to_owned())
        .collect()
}

/// What a caller should know of an operation or a parameter that is to go.
pub(super) fn deprecated(value: &Value) -> Option<String> {
    (value.get("deprecated") == Some(&Value::Bool(true)))
        .then(|| "Deprecated by the provider.".to_owned())
}

fn json_media_type(content: &Map<String, Value>) -> Option<&str> {
    content.keys().map(String::as_str).find(|media_type| {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        essence == "application/json" || essence.ends_with("+json")
    })
}

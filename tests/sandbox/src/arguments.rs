//! Converts the strings of a request to checked arguments with the document's defaults; a refusal names every broken rule.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::{HeaderMap, header};
use serde_json::Value;

use crate::document::Document;
use crate::operation::{Operation, Parameter, Place};
use crate::paging::Page;
use crate::refusal::Refusal;
use crate::schema::{self, Violation};

/// The arguments of one call.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    values: BTreeMap<String, Value>,
    given: BTreeSet<String>,
    /// The limit and offset to apply, if the operation is paged.
    pub(crate) page: Option<Page>,
}

/// The parts of an HTTP request that hold arguments.
pub(crate) struct Source<'a> {
    pub(crate) path: Vec<(String, String)>,
    pub(crate) query: &'a str,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
}

impl Arguments {
    pub(crate) fn read(
        document: &Document,
        operation: &Operation,
        source: &Source<'_>,
    ) -> Result<Self, Refusal> {
        let mut arguments = Self::default();
        let mut violations = Vec::new();
        let query: Vec<(String, String)> = url::form_urlencoded::parse(source.query.as_bytes())
            .into_owned()
            .collect();
        let is_known = |name: &str| {
            let mut known = operation
                .parameters
                .iter()
                .filter(|p| p.place == Place::Query);
            known.any(|parameter| parameter.name == name)
        };
        for (name, _) in query.iter().filter(|(name, _)| !is_known(name)) {
            violations.push(violation(name, "is not known"));
        }
        for parameter in &operation.parameters {
            let given = match parameter.place {
                Place::Path => source.path.as_slice(),
                Place::Query => &query,
                Place::Header => &[],
            };
            let given = given.iter().filter(|(name, _)| *name == parameter.name);
            let headers = (parameter.place == Place::Header)
                .then(|| source.headers.get_all(&parameter.name).iter());
            let headers = headers.into_iter().flatten();
            let texts: Vec<_> = given
                .map(|(_, text)| text.as_str())
                .chain(headers.filter_map(|value| value.to_str().ok()))
                .collect();
            match arguments.take(document, parameter, &texts) {
                Ok(()) => {}
                Err(broken) => violations.extend(broken),
            }
        }
        if let Some(schema) = &operation.body {
            match read_body(document, schema, source) {
                Ok(body) => arguments.values.extend(body),
                Err(broken) => violations.extend(broken),
            }
        }
        if !violations.is_empty() {
            return Err(Refusal::arguments(violations));
        }
        let paging = operation.paging.as_ref();
        let number = |name: &str| arguments.values.get(name).and_then(Value::as_u64);
        arguments.page = paging.map(|paging| paging.page(number));
        Ok(arguments)
    }

    /// Returns arguments without a page, so that all records are returned.
    pub(crate) fn sample<const N: usize>(values: [(&str, Value); N]) -> Self {
        let values = values.map(|(name, value)| (name.to_owned(), value));
        Self {
            given: values.iter().map(|(name, _)| name.clone()).collect(),
            values: values.into(),
            page: None,
        }
    }

    /// Returns whether the caller gave the parameter; a default does not count.
    pub(crate) fn is_given(&self, name: &str) -> bool {
        self.given.contains(name)
    }

    /// Returns a string argument, or an empty string without one: required arguments have been checked.
    pub(crate) fn text(&self, name: &str) -> &str {
        let value = self.values.get(name);
        value.and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.values.get(name) == Some(&Value::Bool(true))
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<&str> {
        let texts = self.values.get(name).and_then(Value::as_array);
        let texts = texts.into_iter().flatten();
        texts.filter_map(Value::as_str).collect()
    }

    /// Returns the page of these records.
    pub(crate) fn slice(&self, records: Vec<Value>) -> Vec<Value> {
        match &self.page {
            Some(page) => page.of(records),
            None => records,
        }
    }

    fn take(
        &mut self,
        document: &Document,
        parameter: &Parameter,
        texts: &[&str],
    ) -> Result<(), Vec<Violation>> {
        let name = &parameter.name;
        let schema = document.resolve(&parameter.schema);
        if texts.is_empty() {
            if parameter.required {
                return Err(vec![violation(name, "is required")]);
            }
            let inner = document.meant(schema).get("default");
            if let Some(default) = schema.get("default").or(inner) {
                self.values.insert(name.clone(), default.clone());
            }
            return Ok(());
        }
        let value = parameter_value(document, parameter, schema, texts)
            .map_err(|rule| vec![violation(name, &rule)])?;
        let broken = schema::check(document, schema, &value);
        if !broken.is_empty() {
            return Err(broken.iter().map(|b| violation(name, &b.rule)).collect());
        }
        self.given.insert(name.clone());
        self.values.insert(name.clone(), value);
        Ok(())
    }
}

/// Converts strings to a JSON value by the type of the schema, or returns the rule that they break.
fn parameter_value(
    document: &Document,
    parameter: &Parameter,
    schema: &Value,
    texts: &[&str],
) -> Result<Value, String> {
    let schema = document.meant(schema);
    let is_array = schema.get("type").and_then(Value::as_str) == Some("array");
    if texts.len() > 1 && (parameter.joined || !is_array) {
        return Err("must be given once".to_owned());
    }
    if !is_array {
        return typed(schema, texts.first().unwrap_or(&""));
    }
    let item = document.meant(schema.get("items").unwrap_or(&Value::Null));
    let separator = |letter| parameter.joined && letter == ',';
    let texts = texts.iter().flat_map(|text| text.split(separator));
    texts.map(|text| typed(item, text)).collect()
}

fn typed(schema: &Value, text: &str) -> Result<Value, String> {
    let kind = schema.get("type").and_then(Value::as_str);
    let value = match kind {
        Some("integer") => text.parse::<i64>().map(Value::from).ok(),
        Some("number") => text.parse::<f64>().map(Value::from).ok(),
        Some("boolean") => text.parse::<bool>().map(Value::from).ok(),
        _ => Some(Value::from(text)),
    };
    value.ok_or_else(|| format!("must be of type {}", kind.unwrap_or("any")))
}

fn read_body(
    document: &Document,
    schema: &Value,
    source: &Source<'_>,
) -> Result<serde_json::Map<String, Value>, Vec<Violation>> {
    let media_type = source.headers.get(header::CONTENT_TYPE);
    let media_type = media_type.and_then(|value| value.to_str().ok());
    if !media_type.is_some_and(|value| value.starts_with("application/json")) {
        return Err(vec![violation("body", "must be sent as application/json")]);
    }
    let Ok(value) = serde_json::from_slice::<Value>(source.body) else {
        return Err(vec![violation("body", "must be JSON")]);
    };
    let broken = schema::check(document, schema, &value);
    if !broken.is_empty() {
        let named = |broken: Violation| match broken.place.strip_prefix('/') {
            Some(property) => violation(property, &broken.rule),
            None => violation("body", &broken.rule),
        };
        return Err(broken.into_iter().map(named).collect());
    }
    Ok(value.as_object().cloned().unwrap_or_default())
}

fn violation(parameter: &str, rule: &str) -> Violation {
    Violation {
        place: parameter.to_owned(),
        rule: rule.to_owned(),
    }
}

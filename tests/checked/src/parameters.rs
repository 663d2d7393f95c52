//! Reads the parameters of a request, each by its style and its schema.

use std::collections::BTreeMap;

use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde_json::{Value, json};

use crate::Document;
use crate::document::Operation;
use crate::schema::{Violation, violations};
use crate::wire::{self, Style};

/// Returns the parameters of a request. Each is checked by its schema.
pub(crate) fn parameters(
    document: &Document,
    operation: &Operation<'_>,
    captured: &[(String, String)],
    head: &Parts,
    all_broken: &mut Vec<Violation>,
) -> BTreeMap<(String, String), Value> {
    let cookies = head.headers.get_all(header::COOKIE).iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok());
    let mut source = Source {
        captured,
        headers: &head.headers,
        query: wire::pairs(head.uri.query().unwrap_or_default(), "&"),
        cookies: cookies.flat_map(|text| wire::pairs(text, ";")).collect(),
    };
    let mut found = BTreeMap::new();
    // An object without a wire name takes the remaining pairs, so it comes last.
    let mut declared = operation.parameters.clone();
    declared.sort_by_key(|parameter| {
        let style = Style::of(parameter, "form");
        let is_spread = style.name == "form" && style.explode;
        is_spread && wire::kind(document, schema(parameter).0, 8) == wire::Kind::Object
    });
    for parameter in declared {
        let text = |key: &str| parameter.get(key).and_then(Value::as_str);
        let (name, place) = (text("name"), text("in"));
        let (name, place) = (name.unwrap_or_default(), place.unwrap_or_default());
        if document.is_of_protocol(operation, place, name) {
            continue;
        }
        let (schema, is_json) = schema(parameter);
        let value = source.take(document, parameter, place, name);
        let value = value.map(|value| match (is_json, value?) {
            (true, Value::String(text)) => Some(serde_json::from_str(&text)),
            (_, value) => Some(Ok(value)),
        });
        let broken = match value {
            Err(rule) => vec![Violation::new(name, rule)],
            Ok(Some(Err(_))) => vec![Violation::new(name, "must be JSON")],
            Ok(None) if parameter.get("required") == Some(&json!(true)) => {
                vec![Violation::new(name, "is required")]
            }
            Ok(None) => continue,
            Ok(Some(Ok(value))) => {
                let broken = if is_json {
                    violations(document, schema, &value, name)
                } else {
                    let typed = wire::typed(document, schema, &value);
                    violations(document, schema, &typed, name)
                };
                found.insert((place.to_owned(), name.to_owned()), value);
                broken
            }
        };
        let rules = broken.into_iter().map(|broken| broken.rule);
        all_broken.extend(rules.map(|rule| Violation::new(name, rule)));
    }
    let fixed = operation.fixed();
    for pair in &source.query {
        if !fixed.contains(pair) && !document.is_of_protocol(operation, "query", &pair.0) {
            all_broken.push(Violation::new(&pair.0, "is not known"));
        }
    }
    found
}

/// The parts of a request that have parameters. Pairs are removed when they are read.
struct Source<'a> {
    captured: &'a [(String, String)],
    headers: &'a HeaderMap,
    query: Vec<(String, String)>,
    cookies: Vec<(String, String)>,
}

impl Source<'_> {
    /// Returns the value of a parameter, or the rule that it breaks.
    fn take(
        &mut self,
        document: &Document,
        parameter: &Value,
        place: &str,
        name: &str,
    ) -> Result<Option<Value>, String> {
        let any = json!({});
        let (schema, is_json) = schema(parameter);
        let schema = if is_json { &any } else { schema };
        let pairs = match place {
            "query" => &mut self.query,
            "cookie" => &mut self.cookies,
            _ => return self.one(document, parameter, schema, place, name),
        };
        wire::of_pairs(document, schema, &Style::of(parameter, "form"), name, pairs)
    }
    /// Returns the value in a path or a header, which is one string.
    fn one(
        &self,
        document: &Document,
        parameter: &Value,
        schema: &Value,
        place: &str,
        name: &str,
    ) -> Result<Option<Value>, String> {
        let is_path = place == "path";
        let captured = self.captured.iter().find(|(one, _)| is_path && one == name);
        let header = self.headers.get(name).filter(|_| place == "header");
        let header = header.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        let decode = |text: &str| {
            if is_path {
                wire::decoded(text, false)
            } else {
                text.trim().to_owned()
            }
        };
        let (style, kind) = (
            Style::of(parameter, "simple"),
            wire::kind(document, schema, 8),
        );
        let text = captured.map(|(_, text)| text.clone()).or(header);
        text.map(|text| wire::one(kind, &style, name, &text, &decode))
            .transpose()
    }
}

/// Returns the schema of a parameter, and whether its value is JSON.
pub(crate) fn schema(parameter: &Value) -> (&Value, bool) {
    let content = parameter.get("content").and_then(Value::as_object);
    let media = content.and_then(|content| content.values().next());
    match media {
        Some(media) => (media.get("schema").unwrap_or(&Value::Null), true),
        None => (parameter.get("schema").unwrap_or(&Value::Null), false),
    }
}

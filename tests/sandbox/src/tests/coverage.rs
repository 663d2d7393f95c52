//! The sample data against the response schemas: every property, every enum value, every null and every empty string occurs.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Server;
use crate::document::Document;
use crate::vocabulary;

/// Parts of the schemas without sample data, accepted by a reviewer.
const GAPS: &str = "sandbox-gaps.txt";

/// Parts that a schema allows, or that occur in a value: `News.title`, `News.title is null`, `News.sentiment = Positive`.
struct Walk<'a> {
    document: &'a Document,
    facts: BTreeSet<String>,
}

impl Walk<'_> {
    /// Collects the parts that occur in the value or, without one, that the schema allows.
    fn visit(&mut self, schema: &Value, name: &str, value: Option<&Value>) {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let meant = self.document.resolve(schema);
            // The name in the client.
            let name = vocabulary::name(meant).or_else(|| reference.rsplit('/').next());
            return self.visit(meant, name.unwrap(), value);
        }
        let own = schema.get("x-rust-type-name").and_then(Value::as_str);
        let name = own.unwrap_or(name);
        let members = |key: &str| {
            schema
                .get(key)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        for part in members("allOf") {
            self.visit(part, name, value.filter(|v| !v.is_null()));
        }
        for enum_value in members("enum") {
            if value.is_none_or(|value| value == enum_value) {
                self.facts.insert(format!("{name} = {enum_value}"));
            }
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for (property, schema) in properties.into_iter().flatten() {
            let value = match value {
                Some(object) => match object.get(property) {
                    Some(value) => Some(value),
                    None => continue,
                },
                None => None,
            };
            self.property(schema, &format!("{name}.{property}"), value);
        }
        let inner = schema.get("items").or(schema.get("additionalProperties"));
        let Some(inner) = inner.filter(|inner| inner.is_object()) else {
            return;
        };
        match value {
            None => self.visit(inner, name, None),
            Some(Value::Array(items)) => {
                items.iter().for_each(|v| self.visit(inner, name, Some(v)))
            }
            Some(Value::Object(map)) => map.values().for_each(|v| self.visit(inner, name, Some(v))),
            Some(_) => {}
        }
    }

    fn property(&mut self, schema: &Value, name: &str, value: Option<&Value>) {
        let resolved = self.document.resolve(schema);
        let nullable = schema.get("nullable") == Some(&Value::Bool(true));
        let description = resolved.get("description").and_then(Value::as_str);
        let may_be_empty =
            description.is_some_and(|text| text.to_lowercase().contains("may be empty"));
        let is_null = value.is_none_or(Value::is_null);
        let is_empty = value.is_none_or(|value| *value == "" || *value == Value::Array(vec![]));
        if nullable && is_null {
            self.facts.insert(format!("{name} is null"));
        }
        if may_be_empty && is_empty {
            self.facts.insert(format!("{name} is empty"));
        }
        if value.is_none_or(|value| !value.is_null()) {
            self.facts.insert(name.to_owned());
            self.visit(schema, name, value);
        }
    }
}

#[tokio::test]
async fn every_fact_of_the_response_schemas_occurs_in_the_data() {
    let server = Server::start().await;
    let document = &server.sandbox.service.document;
    let walk = || Walk {
        document,
        facts: BTreeSet::new(),
    };
    let (mut allowed, mut shown) = (walk(), walk());

    let mut others = Vec::new();
    let mut responses = server.full_responses().await;
    let known = r#"{"company_name": "Known", "website": "example.com"}"#;
    responses.push(("addCompany", server.post("addCompany", known).await));
    for name in ["RejectedRecord", "Newcomer"] {
        let body = format!(r#"{{"company_name": "{name}", "website": "newcomer.example"}}"#);
        let added = server.post("addCompany", &body).await.json();
        let status = format!("requestStatus/{}", added["request_id"].as_str().unwrap());
        for _ in 0..3 {
            responses.push(("requestStatus", server.get(&status).await));
        }
    }
    for (operation, method, path, body) in server.other_calls() {
        let request = server.bare(method, &path).body(body.to_string());
        let request = request.header("content-type", "application/json");
        let request = request.header("x-api-key", server.sandbox.api_key());
        let reply = server.send(request).await;
        assert_eq!(reply.status, 200, "{operation}: {}", reply.text);
        // Remains until sample data are written.
        assert!(reply.headers.contains_key("x-sandbox-data"), "{operation}");
        others.push((operation, reply));
    }
    for operation in &document.operations {
        let schema = operation.response.as_ref().unwrap();
        allowed.visit(schema, &operation.id, None);
        let others = others.iter().map(|(id, reply)| (id.as_str(), reply));
        let replies = responses.iter().map(|(id, reply)| (*id, reply));
        for (_, reply) in replies.chain(others).filter(|(id, _)| *id == operation.id) {
            shown.visit(schema, &operation.id, Some(&reply.json()));
        }
    }
    // Guards against a walk that finds nothing.
    for ending in [" is null", " is empty", "\""] {
        let of_kind = allowed.facts.iter().filter(|fact| fact.ends_with(ending));
        assert!(of_kind.count() > 3, "{ending}");
    }
    assert!(allowed.facts.len() > 300, "{:?}", allowed.facts);
    let missing = allowed.facts.difference(&shown.facts);
    let missing: Vec<_> = missing.map(String::as_str).collect();
    let reviewed = reviewed_facts::read(GAPS);
    let head = reviewed.lines().filter(|line| line.starts_with('#'));
    let head: Vec<&str> = head.collect();
    let gaps = [head, missing].concat().join("\n") + "\n";
    reviewed_facts::assert_reviewed(GAPS, Some(&gaps));
}

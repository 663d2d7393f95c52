//! The sample data against the response schemas: every property, every enum value, every null and every empty text occurs.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Server;
use crate::document::Document;
use crate::operation::Operation;

/// Facts that no response of the sandbox shows. Both fields are assumed in two places, because the right one is unknown. The
/// responses have them in the other place.
const EXCEPTIONS: &[&str] = &["NewsArticle.status", "NewsResponse.primary_tag"];

pub(super) fn response_schema<'a>(document: &'a Document, operation: &Operation) -> &'a Value {
    let path = operation.path.replace('/', "~1");
    let method = operation.method.as_str().to_lowercase();
    let schema = "responses/200/content/application~1json/schema";
    document
        .at(&format!("/paths/{path}/{method}/{schema}"))
        .unwrap()
}

/// What a schema allows, or a value shows: `News.title`, `News.title is null`, `News.sentiment = Positive`.
struct Walk<'a> {
    document: &'a Document,
    facts: BTreeSet<String>,
}

impl Walk<'_> {
    /// With a value: what it shows. Without: what the schema allows.
    fn visit(&mut self, schema: &Value, name: &str, value: Option<&Value>) {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let name = reference.rsplit('/').next().unwrap();
            return self.visit(self.document.resolve(schema), name, value);
        }
        for part in schema
            .get("allOf")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            self.visit(part, name, value.filter(|v| !v.is_null()));
        }
        for enum_value in schema
            .get("enum")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
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

    let mut responses = server.full_responses().await;
    let known = r#"{"company_name": "Known", "website": "example.com"}"#;
    responses.push((
        "addCompany",
        server.post("/v1/company/addition", known).await,
    ));
    for name in ["RejectedRecord", "Newcomer"] {
        let body = format!(r#"{{"company_name": "{name}", "website": "newcomer.example"}}"#);
        let added = server.post("/v1/company/addition", &body).await.json();
        let status = format!("/v1/status/{}", added["request_id"].as_str().unwrap());
        for _ in 0..3 {
            responses.push(("requestStatus", server.get(&status).await));
        }
    }
    for operation in &document.operations {
        let schema = response_schema(document, operation);
        allowed.visit(schema, &operation.id, None);
        for (_, reply) in responses.iter().filter(|(id, _)| *id == operation.id) {
            shown.visit(schema, &operation.id, Some(&reply.json()));
        }
    }
    // A walk that finds nothing would agree with anything.
    for fact in [
        "NewsArticle.primary_tag",
        "Sentiment = \"Neutral\"",
        "JobPost.type is empty",
        "AddCompanyResponse.request_id is null",
    ] {
        assert!(allowed.facts.contains(fact), "{fact}");
    }
    let missing: Vec<_> = allowed
        .facts
        .difference(&shown.facts)
        .map(String::as_str)
        .collect();
    assert_eq!(missing, EXCEPTIONS);
}

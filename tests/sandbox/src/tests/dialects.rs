//! Both dialects against their documents, by a JSON Schema validator; and a large world with pages.

use boon::{Compiler, Schemas};
use serde_json::{Map, Value, json};

use super::Server;
use crate::vocabulary::BLANK;
use crate::{Dialect, Sandbox, Size};

/// Converts a schema of the vocabulary to JSON Schema: `nullable` becomes a type, and the empty string an alternative.
fn json_schema(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(json_schema).collect(),
        Value::Object(object) => {
            let inner: Map<String, Value> = object
                .iter()
                .filter(|(name, _)| !["nullable", BLANK].contains(&name.as_str()))
                .map(|(name, value)| match name.as_str() {
                    "enum" | "default" | "example" => (name.clone(), value.clone()),
                    _ => (name.clone(), json_schema(value)),
                })
                .collect();
            let mut all: Vec<Value> = vec![inner.into()];
            for (name, other) in [
                ("nullable", json!({ "type": "null" })),
                (BLANK, json!({ "const": "" })),
            ] {
                if object.get(name) == Some(&Value::Bool(true)) {
                    all.push(other);
                }
            }
            match all.len() {
                1 => all.remove(0),
                _ => json!({ "anyOf": all }),
            }
        }
        other => other.clone(),
    }
}

/// Returns the validation errors of responses to calls that get all data.
async fn violations(dialect: Dialect) -> Vec<String> {
    let sandbox = Sandbox::builder().dialect(dialect).start().await.unwrap();
    let server = Server::of(sandbox);
    let service = &server.sandbox.service;
    let mut found = Vec::new();
    for (id, reply) in server.full_responses().await {
        let mut operations = service.document.operations.iter();
        let operation = operations.find(|operation| operation.id == id).unwrap();
        let (document, schema) = service.spoken(operation);
        // Unpublished responses have no schema.
        let Some(schema) = schema else { continue };
        let components = &document.served.0["components"];
        let (components, schema) = (json_schema(components), json_schema(schema));
        let schema = json!({ "allOf": [schema], "components": components });
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource("schema.json", schema).unwrap();
        let index = compiler.compile("schema.json", &mut schemas).unwrap();
        if let Err(error) = schemas.validate(&reply.json(), index) {
            found.push(format!("{id}: {error:#}"));
        }
    }
    found
}

#[tokio::test]
async fn responses_keep_to_the_document_of_their_dialect() {
    for dialect in [Dialect::Observed, Dialect::Published] {
        assert_eq!(violations(dialect).await, [""; 0], "{dialect:?}");
    }
}

#[tokio::test]
async fn the_dialects_differ_and_cost_the_same() {
    let mut bodies = Vec::new();
    for dialect in [Dialect::Observed, Dialect::Published] {
        let sandbox = Sandbox::builder().dialect(dialect).start().await.unwrap();
        let server = Server::of(sandbox);
        let all = server.full_responses().await.into_iter();
        let all: Vec<_> = all.map(|(_, reply)| reply.json()).collect();
        bodies.push((all, server.sandbox.bill()));
    }
    let [(observed, cost), (published, same_cost)] = bodies.try_into().unwrap();
    assert_ne!(observed, published);
    assert_eq!(cost, same_cost);
}

#[tokio::test]
async fn a_large_world_pages_and_is_drawn_by_its_seed() {
    let mut all = Vec::new();
    for seed in [1, 1, 2] {
        let builder = Sandbox::builder().size(Size::Large).seed(seed);
        let server = Server::of(builder.start().await.unwrap());
        let found = server.get("companySearch?query=analytics").await.json();
        let found = found["data"].as_array().unwrap();
        assert!(found.len() > 3, "{found:?}");
        let website = found[1]["website"].as_str().unwrap();
        let jobs = server.client().job_posts(website).limit(50);
        let total = jobs.clone().send().await.unwrap().body.count.unwrap();
        let mut pages = jobs.items();
        let mut ids = Vec::new();
        while let Some(job) = pages.next().await {
            ids.push(job.unwrap().job_id);
        }
        assert_eq!(ids.len(), usize::try_from(total).unwrap());
        all.push((website.to_owned(), ids));
    }
    let [one, again, other] = all.try_into().unwrap();
    assert_eq!(one, again);
    assert_ne!(one, other);
}

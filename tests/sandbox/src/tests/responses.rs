//! Responses against the client's types and against the document: decoding keeps everything, and everything sent is declared.

use company_intel::types::AddCompanyRequest;
use company_intel::types::EnrichmentSection;
use company_intel::{Error, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{FULL_CALLS, Server};
use crate::schema;

#[tokio::test]
async fn every_path_works_with_and_without_a_slash_at_its_end() {
    let server = Server::start().await;
    for (_, path, body) in FULL_CALLS.iter().filter(|(_, path, _)| !path.contains('{')) {
        let path = server.path(path);
        let (path, query) = path.split_once('?').unwrap_or((&path, ""));
        let plain = format!("{}?{query}", path.trim_end_matches('/'));
        let slashed = format!("{}/?{query}", path.trim_end_matches('/'));
        let (plain, slashed) = match body {
            Some(body) => (
                server.post(&plain, body).await,
                server.post(&slashed, body).await,
            ),
            None => (server.get(&plain).await, server.get(&slashed).await),
        };
        assert_eq!((plain.status, slashed.status), (200, 200), "{path}");
        assert_eq!(plain.text, slashed.text, "{path}");
    }
}

#[tokio::test]
async fn answers_keep_to_the_schemas_and_declare_every_property() {
    let server = Server::start().await;
    let document = &server.sandbox.service.document;
    for (operation, reply) in server.full_responses().await {
        let operation = document
            .operations
            .iter()
            .find(|o| o.id == operation)
            .unwrap();
        let schema = operation.response.as_ref().unwrap();
        let violations = schema::check(document, schema, &reply.json());
        assert_eq!(violations, [], "{}", operation.id);
    }
}

/// Decodes strictly, and compares the response with the value of the types.
fn check<T: DeserializeOwned + Serialize>(response: Result<Response<T>, Error>) {
    let response = response.unwrap();
    let sent: Value = serde_json::from_slice(&response.raw).unwrap();
    // Decoding outside of a client is strict: a record that does not decode is an error.
    let strict: T = serde_json::from_slice(&response.raw).unwrap();
    let held = serde_json::to_value(&strict).unwrap();
    assert_eq!(comparable(held), comparable(sent));
    assert!(response.reported_charge().is_some());
}

/// Removes nulls and empty containers, which the types do not distinguish from missing ones; converts numbers to floats.
fn comparable(value: Value) -> Value {
    let is_empty = |value: &Value| match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(object) => object.is_empty(),
        _ => false,
    };
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(items) => items.into_iter().map(comparable).collect(),
        Value::Object(object) => {
            let object = object
                .into_iter()
                .map(|(name, value)| (name, comparable(value)));
            Value::Object(object.filter(|(_, value)| !is_empty(value)).collect())
        }
        other => other,
    }
}

#[tokio::test]
async fn every_answer_decodes_with_the_clients_types_and_nothing_is_lost() {
    let server = Server::start().await;
    let client = server.client();
    for company in ["example.com", "quarry-software.example", "t1d3w4t3"] {
        check(client.news(company).limit(100).send().await);
        check(client.news(company).unique_article(true).send().await);
        check(client.enrichment(company).send().await);
        check(client.headcount_trends(company).send().await);
        check(client.employee_reviews(company).limit(100).send().await);
        check(client.product_reviews(company).send().await);
        check(client.job_posts(company).limit(100).offset(1).send().await);
        check(client.social_posts(company).limit(100).send().await);
    }
    let products = client
        .product_reviews("example.com")
        .products(["101-1", "101-2"]);
    check(products.limit(50).send().await);
    check(client.company_search("o").send().await);
    check(client.industry_search("software").send().await);
    let sections = [EnrichmentSection::Location, EnrichmentSection::Technology];
    check(
        client
            .enrichment("example.com")
            .sections(sections)
            .send()
            .await,
    );
    check(
        client
            .add_company(AddCompanyRequest::new("Known", "example.com"))
            .send()
            .await,
    );
    let added = client
        .add_company(AddCompanyRequest::new("New", "new.example"))
        .send()
        .await
        .unwrap();
    for _ in 0..3 {
        check(
            client
                .request_status(added.body.request_id.as_ref().unwrap())
                .send()
                .await,
        );
    }
    check(Ok(added));
}

#[tokio::test]
async fn two_sandboxes_give_the_same_bytes() {
    let (one, two) = (Server::start().await, Server::start().await);
    let responses = one
        .full_responses()
        .await
        .into_iter()
        .zip(two.full_responses().await);
    for ((operation, one), (_, two)) in responses {
        assert_eq!(one.text, two.text, "{operation}");
    }
    for (_, path, _) in FULL_CALLS
        .iter()
        .filter(|(_, path, body)| body.is_none() && !path.contains('{'))
    {
        assert_eq!(one.get(path).await.text, two.get(path).await.text, "{path}");
    }
}

//! The service refuses parameters that a document does not allow: guards against a check that refuses nothing.
#![allow(clippy::unwrap_used)]

use assistant_client::{Client, Method};
use checked_tests::Service;
use serde_json::Value;

const DOCUMENT: &str = "openapi: 3.0.3
info: {title: Parameters, version: '1'}
paths:
  /things/{id}:
    get:
      operationId: thing
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, minimum: 1}}
        - {name: kind, in: query, required: true, schema: {type: string, enum: [a, b]}}
        - {name: sizes, in: query, schema: {type: array, maxItems: 2, items: {type: integer}}}
        - {name: X-Day, in: header, schema: {type: string, pattern: '^[0-9]+$'}}
      responses: {'200': {description: A thing.}}
";

#[tokio::test]
async fn parameters_that_the_document_does_not_allow_are_refused() {
    let service = Service::start(DOCUMENT, &[]).await.unwrap();
    let client = Client::builder(service.url()).build().unwrap();
    for (path, query, day, reason) in [
        (
            "/things/1",
            vec![("kind", "a"), ("sizes", "1"), ("sizes", "2")],
            "7",
            None,
        ),
        ("/things/0", vec![("kind", "a")], "7", Some("`id`")),
        ("/things/one", vec![("kind", "a")], "7", Some("`id`")),
        ("/things/1", vec![], "7", Some("`kind`")),
        ("/things/1", vec![("kind", "c")], "7", Some("`kind`")),
        (
            "/things/1",
            vec![("kind", "a"), ("sizes", "1"), ("sizes", "x")],
            "7",
            Some("`sizes`"),
        ),
        (
            "/things/1",
            vec![
                ("kind", "a"),
                ("sizes", "1"),
                ("sizes", "2"),
                ("sizes", "3"),
            ],
            "7",
            Some("`sizes`"),
        ),
        ("/things/1", vec![("kind", "a")], "today", Some("`X-Day`")),
        (
            "/things/1",
            vec![("kind", "a"), ("other", "1")],
            "7",
            Some("other"),
        ),
        ("/others", vec![], "7", Some("no operation get /others")),
    ] {
        let mut call = client.raw(Method::GET, path).header("x-day", day);
        for (name, value) in &query {
            call = call.query(name, value);
        }
        let _ = call.send::<Value>().await;
        let all = service.take_all();
        let [received] = all.as_slice() else {
            panic!("{path} {query:?}: {all:?}");
        };
        match (received, reason) {
            (Ok(_), None) => {}
            (Err(refusal), Some(reason)) => assert!(refusal.contains(reason), "{refusal}"),
            _ => panic!("{path} {query:?}: {received:?}"),
        }
    }
}

//! Runs each example against the checking service, which receives the intended values.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    dead_code
)]

use checked_tests::{Document, Service};
use serde_json::{Value, json};

#[path = "../examples/assistant.rs"]
mod assistant;
#[path = "../examples/chat.rs"]
mod chat;

const ASSISTANT: &str = include_str!("../../documents/assistant/openapi.yaml");

fn bodies(service: &Service) -> Vec<(String, Value)> {
    let received = service.take_received().into_iter();
    received.map(|one| (one.operation, one.body)).collect()
}

#[tokio::test]
async fn a_file_by_reference_is_a_file_and_each_tool_and_channel_has_its_tag() {
    let service = Service::start(ASSISTANT, &[]).await.unwrap();
    assistant::run(&service.url()).await.unwrap();
    let agent = json!({
        "name": "clerk",
        "instructions": null,
        "labels": [],
        "tools": [{"type": "web_search"}, {"type": "function", "function": {"name": "add", "strict": true}}],
        "channel": {"type": 2, "target": "https://clerk.example", "signed": true},
    });
    let part = |name: &str, file: &str, kind: &str, text: &str| json!({"name": name, "file": file, "type": kind, "text": text});
    let bytes = "application/octet-stream";
    let parts = json!([
        part("file", "a.csv", "text/csv", "a,b"),
        {"name": "purpose", "file": null, "type": null, "text": "batch"},
        part("more", "more", bytes, "one"),
        part("more", "more", bytes, "two"),
    ]);
    assert_eq!(
        bodies(&service),
        [
            ("uploadFile".to_owned(), json!("as it is")),
            ("uploadFile".to_owned(), parts),
            ("createAgent".to_owned(), agent)
        ]
    );
}

#[tokio::test]
async fn a_reply_arrives_as_the_events_of_the_document() {
    let service = Service::start(ASSISTANT, &[("chat", chat::EVENTS)])
        .await
        .unwrap();
    let lines = chat::run(&service.url()).await.unwrap();
    let body = json!({"message": "Greet me.", "stream": true});
    assert_eq!(bodies(&service), [("chat".to_owned(), body)]);
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(
        lines[0].contains("r1") && lines[3].contains("day."),
        "{lines:?}"
    );
    assert!(
        lines[2].starts_with("unknown") && lines[2].contains("mood"),
        "{lines:?}"
    );
}

/// Guards the other tests: the service refuses raw requests that the document does not allow.
#[tokio::test]
async fn what_the_document_does_not_allow_is_refused() {
    let service = Service::start(ASSISTANT, &[]).await.unwrap();
    let client = assistant_client::Client::builder(service.url())
        .build()
        .unwrap();
    for body in [
        json!({"name": "clerk"}),
        json!({"name": 1, "tools": []}),
        json!({"name": "clerk", "tools": null}),
        json!({"name": "clerk", "tools": [{}]}),
        json!({"name": "clerk", "tools": [{"type": "web_search", "function": {"name": "add"}}]}),
        json!({"name": "clerk", "tools": [{"type": "function", "function": {}}]}),
        json!({"name": "clerk", "tools": [], "channel": {"target": "a"}}),
        json!({"name": "clerk", "tools": [], "channel": {"type": 2, "target": "a", "signed": false}}),
    ] {
        let call = client
            .raw(assistant_client::Method::POST, "/agents")
            .json(&body);
        let error = call.send::<Value>().await.unwrap_err();
        assert_eq!(
            error.status().map(|status| status.as_u16()),
            Some(400),
            "{body}: {error}"
        );
    }
    assert_eq!(bodies(&service), []);
}

/// Removes nulls and empty lists, which a decoded object does not distinguish from missing ones.
fn known(value: &Value) -> Value {
    match value {
        Value::Object(all) => all
            .iter()
            .filter(|(_, value)| !value.is_null() && **value != json!([]))
            .map(|(name, value)| (name.clone(), known(value)))
            .collect(),
        Value::Array(all) => all.iter().map(known).collect(),
        other => other.clone(),
    }
}

/// Each documented example decodes, and is serialized unchanged.
#[test]
fn documented_examples_are_written_as_they_were_read() {
    fn same<T: serde::Serialize + serde::de::DeserializeOwned>(example: &Value) {
        let read: T = serde_json::from_value(example.clone()).unwrap();
        let written = serde_json::to_value(&read).unwrap();
        assert_eq!(known(&written), known(example));
    }
    let mut seen = 0;
    let document = Document(serde_yaml::from_str(ASSISTANT).unwrap());
    let paths = document.0["paths"].as_object().unwrap();
    for operation in paths
        .values()
        .flat_map(|item| item.as_object().unwrap().values())
    {
        let id = operation.get("operationId").and_then(Value::as_str);
        let Some((id, (_, example))) = id.zip(document.example(operation)) else {
            continue;
        };
        seen += 1;
        match id {
            "uploadFile" => same::<assistant_client::types::StoredFile>(&example),
            "createAgent" => same::<assistant_client::types::Agent>(&example),
            other => panic!("no type for `{other}`"),
        }
    }
    assert_eq!(seen, 2);
}

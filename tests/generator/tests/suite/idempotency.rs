//! The header of an idempotency key: as `x-idempotency` says, and as it is detected.

use openapi_document::source::Source;
use openapi_model::{Model, extensions::Idempotency};
use serde_json::{Value, json};

use crate::support::Workspace;

/// A document of one operation with a required header, and more members of the operation.
fn document(method: &str, header: &str, more: &Value) -> Value {
    let mut operation = json!({
        "operationId": "order",
        "parameters": [{
            "name": header, "in": "header", "required": true, "schema": {"type": "string", "format": "uuid"},
        }],
        "responses": {"204": {"description": "Done."}},
    });
    for (key, value) in more.as_object().unwrap() {
        operation[key] = value.clone();
    }
    let mut item = json!({});
    item[method] = operation;
    json!({
        "openapi": "3.0.3",
        "info": {"title": "Orders", "version": "1"},
        "paths": {"/orders": item},
    })
}

fn read(document: &Value) -> Model {
    let source = Source::parse("a.json", document.to_string()).unwrap();
    openapi_model::read(&source).unwrap()
}

#[test]
fn a_header_for_the_key_is_found_where_a_key_has_a_use() {
    let own = |header: &str| json!({"x-idempotency": {"header": header, "window": 60}});
    for (method, header, more, expected) in [
        (
            "post",
            "Idempotency-Key",
            json!({}),
            Some(("Idempotency-Key", None)),
        ),
        (
            "delete",
            "x-idempotency-key",
            json!({}),
            Some(("x-idempotency-key", None)),
        ),
        ("get", "Idempotency-Key", json!({}), None),
        (
            "post",
            "Idempotency-Key",
            json!({"x-idempotency": false}),
            None,
        ),
        ("post", "X-Request-Id", json!({}), None),
        (
            "post",
            "X-Request-Id",
            own("x-request-id"),
            Some(("x-request-id", Some(60))),
        ),
        (
            "post",
            "X-Other",
            own("X-Undocumented"),
            Some(("X-Undocumented", Some(60))),
        ),
    ] {
        let model = read(&document(method, header, &more));
        let parameters = &model.operations[0].parameters;
        let keys: Vec<_> = parameters
            .iter()
            .filter_map(|one| Some((one, one.idempotency.as_ref()?)))
            .collect();
        let found = keys
            .iter()
            .map(|(_, key)| (*key).clone())
            .collect::<Vec<_>>();
        let expected = expected.map(|(header, window)| Idempotency {
            header: header.to_owned(),
            window,
        });
        assert_eq!(found, Vec::from_iter(expected), "{method} {header} {more}");
        assert!(
            keys.iter().all(|(parameter, _)| !parameter.required),
            "{method} {header} {more}"
        );
    }
}

#[test]
fn a_header_that_the_client_sends_itself_is_no_key() {
    for header in ["Authorization", "content-type", "Host", "two words", ""] {
        let more = json!({"x-idempotency": {"header": header}});
        let model = read(&document("post", "X-Other", &more));
        let warning = &model.warnings[0];
        assert_eq!(warning.rule, "idempotency", "{header}");
        assert!(warning.message.contains(header), "{}", warning.message);
        let parameters = &model.operations[0].parameters;
        assert!(parameters.iter().all(|one| one.idempotency.is_none()));
    }
}

#[test]
fn the_key_is_a_setter_and_its_window_is_sent_to_the_runtime() {
    let more = json!({"x-idempotency": {"header": "X-Request-Id", "window": 60}});
    let workspace = Workspace::with(&document("post", "X-Request-Id", &more).to_string());
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    let builder = workspace.read("generated/src/operations/order.rs");
    let builder: String = builder.split_whitespace().collect();
    for part in [
        "pubfnx_request_id(mutself,",
        "request.idempotency_key(\"X-Request-Id\",Some(Duration::from_secs(60u64)),self.x_request_id.as_deref(),",
    ] {
        assert!(builder.contains(part), "{part}: {builder}");
    }
}

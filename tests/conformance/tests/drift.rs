//! `Response::drift`: differences between responses and the document. The snapshot has a paragraph for each disagreement that
//! `overrides/upstream` settles: its evidence in the observed form, and the same in the published form.

use company_intel::{Client, Credits};
use serde_json::Value;

use crate::support::document::type_of;
use crate::support::evidence::evidence;
use crate::support::operations::call;
use crate::support::placed::placed;
use crate::support::server::{json_response, responding};
use crate::support::snapshot::assert_snapshot;
use crate::support::whole::whole;

/// Returns the drift of a payload of this type, in the response of an operation that has it.
async fn lines_of_type(name: &str, payload: &Value) -> Vec<String> {
    let (operation, body) = placed(name, payload);
    let body = whole(&operation, &body.to_string());
    let mut drift = call(&operation, &body).await.unwrap().drift;
    drift.retain(|line| !line.contains("a required property"));
    drift
}

#[tokio::test]
async fn every_disagreement_observed_and_published() {
    let mut text = String::new();
    for file in evidence() {
        let id = file.file_stem().unwrap().to_str().unwrap();
        let evidence: Value =
            serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let Some(name) = type_of(evidence["schema"].as_str().unwrap()) else {
            continue;
        };
        let published = &evidence["published"];
        assert!(
            published.is_object(),
            "{id}: the evidence has no `published`, the payload as the document has it"
        );
        text += &format!("{id}\n");
        for (form, payload) in [("observed", &evidence["payload"]), ("published", published)] {
            let lines = lines_of_type(&name, payload).await;
            let lines = if lines.is_empty() {
                "no drift".to_owned()
            } else {
                lines.join("\n             ")
            };
            text += &format!("  {form:9}  {lines}\n");
        }
    }
    assert_snapshot("drift", text);
}

#[tokio::test]
async fn the_payloads_of_the_reference_have_no_drift() {
    for (operation, payload) in reviewed_facts::all("payloads") {
        let returned = call(&operation, &payload).await.unwrap();
        assert_eq!(returned.drift, [""; 0], "{operation}");
    }
}

#[tokio::test]
async fn drift_needs_no_service_and_costs_nothing() {
    let server = responding(json_response(
        r#"{"data": [{"new": 1}], "credits_consumed": 4}"#,
    ))
    .await;
    let limited = Client::builder(server.url())
        .api_key("k")
        .budget(Credits::from_micros(4_000_000))
        .build()
        .unwrap();
    let response = limited.job_posts("k7f3q9").send().await.unwrap();
    assert_eq!(server.requests().len(), 1);
    let before = limited.budget().usage();

    // Drift is computed on a thread that could not send anything, more than once, and for another view of the body.
    let lines = std::thread::spawn(move || {
        let first = response.drift();
        assert_eq!(response.drift(), first);
        assert_eq!(response.map(|_| ()).drift(), first);
        first
    });
    let lines = lines.join().unwrap();
    assert_eq!(lines[0].pointer, "/data/0/new");
    assert_eq!(limited.budget().usage(), before);
    assert_eq!(before.spent, Credits::from_micros(4_000_000));
}

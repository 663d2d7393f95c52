//! The payload of every operation is read completely, under the names in the snapshot, and nothing of it is lost. Two payloads combine
//! members that no response combines: a reason beside a company, and a known company beside a request.

use serde_json::{Value, json};

use crate::support::operations::{call, names};
use crate::support::payloads::essence;
use crate::support::snapshot::assert_snapshot;
use crate::support::whole::whole;

#[tokio::test]
async fn every_payload_is_read_whole_and_under_the_names_of_its_snapshot() {
    for operation in names() {
        let payload = reviewed_facts::payload(operation);
        let returned = call(operation, &payload).await.unwrap();
        assert_eq!(returned.raw, payload.as_bytes());
        let sent: Value = serde_json::from_str(&payload).unwrap();
        assert_eq!(
            essence(&returned.value),
            essence(&sent),
            "the types lack a field"
        );
        let cost = sent["credits_consumed"]
            .as_f64()
            .map(|credits| credits * 1e6);
        assert_eq!(
            returned.micros.map(|micros| micros as f64),
            cost,
            "{operation}"
        );
        assert_snapshot(&format!("payload-{operation}"), returned.shown);
    }
}

#[tokio::test]
async fn a_section_that_was_not_asked_for_is_absent_and_its_neighbours_are_not() {
    let payload: Value = serde_json::from_str(&reviewed_facts::payload("enrichment")).unwrap();
    let sections = payload["data"].as_object().unwrap();
    assert!(sections.len() > 10);
    for (name, section) in sections {
        let body = json!({"data": {name.as_str(): section}});
        let sent = whole("enrichment", &body.to_string());
        let read = call("enrichment", &sent).await.unwrap();
        assert_eq!(essence(&read.value), essence(&body), "{name}");
    }
}

#[tokio::test]
async fn a_product_list_without_reviews_has_empty_extras() {
    let whole: Value = serde_json::from_str(&reviewed_facts::payload("product_reviews")).unwrap();
    let product = &whole["data"]["product"][0];
    for (name, value) in product.as_object().unwrap() {
        let body = json!({"data": {"product": [{name.as_str(): value}]}});
        let read = call("product_reviews", &body.to_string()).await.unwrap();
        assert_eq!(essence(&read.value), essence(&body), "{name}");
    }
}

//! The payload of every operation is read completely, under the names in the snapshot, and nothing of it is lost. Two payloads combine
//! members that no response combines: a reason beside a company, and a known company beside a request.

use serde_json::Value;

use crate::support::operations::{call, names};
use crate::support::payloads::essence;
use crate::support::snapshot::assert_snapshot;

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

//! Responses that were kept, and are read in another run.

use generated_client::testing::{Reply, Script};
use generated_client::{Error, Outcome, Response};
use things_client::Client;
use things_client::types::Page;

use crate::support::api::KEY;
use crate::support::scripted_client::credits;

const PAGE: &str = r#"{"cost": 2.5, "things": [1, "two", 3.0], "new": 1}"#;

#[tokio::test(start_paused = true)]
async fn stored_bytes_are_read_as_the_call_read_them() {
    let builder = Client::builder("https://example.com").api_key(KEY);
    let script = Script::new([Reply::new(200, PAGE)]);
    let client = builder.transport(script).build().unwrap();
    let fresh = client.things().send().await.unwrap();
    let stored = Response::<Page>::from_bytes(fresh.raw.clone()).unwrap();
    assert_eq!(stored.body, fresh.body);
    assert_eq!(
        (stored.body.things.len(), stored.body.things.rejects().len()),
        (2, 1)
    );
    assert_eq!(stored.drift(), fresh.drift());
    assert!(
        stored
            .drift()
            .iter()
            .any(|drift| drift.to_string().contains("/new"))
    );
    assert_eq!(stored.reported_charge(), Some(credits("2.5")));
    assert_eq!(
        (stored.meta.outcome(), stored.meta.attempts),
        (Outcome::NotSent, 0)
    );
    assert!(!stored.meta.settle(credits("1")));
}

#[test]
fn stored_bytes_that_are_no_response_are_a_decode_error_that_keeps_them() {
    let error = Response::<Page>::from_bytes("[1]").unwrap_err();
    assert!(matches!(error, Error::Decode(_)), "{error:?}");
    assert_eq!(error.body().map(|body| &**body), Some(&b"[1]"[..]));
    assert_eq!(error.outcome(), Outcome::NotSent);
    assert!(!error.is_retryable());
}

//! Events at INFO: what a person wants to see of calls, and never a secret. Time is paused.

use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::testing::{Reply, Script};
use serde_json::Value;
use things_client::Client as Things;
use tracing::Level;

use crate::support::api::KEY;
use crate::support::scripted_client::{self, PAID, UNKNOWN, call, credits};
use crate::support::span_recorder::{Fields, Recorder};

fn told(recorder: &Recorder) -> Vec<(Level, Fields)> {
    let events = recorder.take().events;
    for (_, fields) in &events {
        assert!(!format!("{fields:?}").contains("canary"), "{fields:?}");
    }
    events
}

fn messages(events: &[(Level, Fields)]) -> Vec<&str> {
    let messages = events.iter().map(|(_, fields)| fields["message"].as_str());
    messages
        .map(|message| message.split(':').next().unwrap())
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_retry_and_a_cool_down_are_told_with_how_long_they_take() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let script = Script::new([
        Reply::new(429, KEY).header("retry-after", "20"),
        Reply::fails(TransportErrorKind::Connect),
        Reply::new(200, r#"{"cost": 2}"#),
    ]);
    let builder = scripted_client::Script::of([]).builder();
    let client = builder.transport(script).build().unwrap();
    let mut request = Request::new(&PAID);
    request.query("canary", &"canary");
    client.send::<Value>(request).await.unwrap();
    let events = told(&recorder);
    assert_eq!(
        messages(&events),
        [
            "the service asks for a pause",
            "an attempt failed and is retried",
            "an attempt failed and is retried",
        ]
    );
    assert!(events.iter().all(|(level, _)| *level == Level::INFO));
    let fields: Vec<&Fields> = events.iter().map(|(_, fields)| fields).collect();
    assert!(fields[0]["seconds"].starts_with("20"), "{fields:?}");
    assert_eq!(fields[1]["http.response.status_code"], "429");
    assert_eq!(
        (&*fields[1]["operation"], &*fields[1]["attempts"]),
        ("paid", "1")
    );
    assert_eq!(fields[2]["error.type"], "connect");
    assert!(fields[2]["pause_seconds"].parse::<f64>().unwrap() >= 0.5);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_reserves_an_estimate_is_told() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let script = || scripted_client::Script::of([scripted_client::DONE]).builder();
    let client = script().budget(credits("9")).build().unwrap();
    let batch = client.scoped(credits("5"));
    call(&batch, &UNKNOWN).await.unwrap();
    let events = told(&recorder);
    assert_eq!(messages(&events), ["the price is unknown"]);
    assert!(events[0].1["message"].contains("assume_price"));
    assert_eq!((events[0].0, &*events[0].1["reserved"]), (Level::INFO, "5"));
    // Neither a price that is assumed nor a budget without a limit.
    for client in [
        script()
            .budget(credits("9"))
            .assume_price(credits("3"))
            .build()
            .unwrap(),
        script().build().unwrap(),
    ] {
        call(&client, &UNKNOWN).await.unwrap();
    }
    assert_eq!(told(&recorder).len(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_wait_is_told_whatever_it_is() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    for (last, is_done) in [
        (r#"{"detail": {"made": "canary"}}"#, "true"),
        (r#"{"detail": {"reason": "canary"}}"#, "false"),
    ] {
        let script = Script::new([Reply::new(200, "{}"), Reply::new(200, last)]);
        let builder = Things::builder("https://example.com").api_key(KEY);
        let client = builder.transport(script).build().unwrap();
        let ended = client.progress("canary").wait().await;
        assert_eq!(ended.is_ok().to_string(), is_done);
        let events = told(&recorder);
        assert_eq!(messages(&events), ["a wait has ended"]);
        assert_eq!(events[0].1["is_done"], is_done);
    }
}

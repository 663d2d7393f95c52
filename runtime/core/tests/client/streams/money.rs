//! Effects of a stream on the money, the attempts and the cool-down. Time is paused.

use std::time::Duration;

use generated_client::document::Operation;
use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::testing::{Reply, Script};
use generated_client::{Client, Credits, Error, Outcome, StatusCode};
use tokio::time::{Instant, sleep, timeout};

use super::{builder, chunks, three};
use crate::support::scripted_client::{FREE, PAID, UNKNOWN, books, call, credits};

const ZERO: Credits = Credits::ZERO;

fn client(replies: impl IntoIterator<Item = Reply>) -> (Client, Script) {
    let script = Script::new(replies);
    let client = builder(&script).budget(credits("10")).build().unwrap();
    (client, script)
}

fn to(operation: &'static Operation) -> Request {
    Request::new(operation)
}

#[tokio::test(start_paused = true)]
async fn the_head_puts_the_price_at_risk_and_nothing_later_changes_that() {
    let at_risk = (ZERO, ZERO, credits("2"));
    for (what, reply) in [
        ("read", three()),
        ("dropped", three()),
        ("forgotten", three().every(Duration::from_secs(9))),
        ("broken off", three().breaks_off(TransportErrorKind::Body)),
    ] {
        let (client, script) = client([reply, three()]);
        let mut stream = client.send_stream(to(&PAID)).await.unwrap();
        let price = Outcome::Unknown(Some(credits("2")));
        assert_eq!(stream.meta.outcome(), price, "{what}");
        assert_eq!(stream.reported_charge(), None);
        assert_eq!(books(client.budget()), at_risk, "{what}");
        match what {
            "dropped" => drop(stream),
            "forgotten" => std::mem::forget(stream),
            "broken off" => {
                let (arrived, error) = chunks(&mut stream).await;
                let error = error.unwrap();
                assert_eq!(arrived, ["one", "two", "three"]);
                assert_eq!(error.outcome(), price);
                assert!(!error.is_retryable());
                assert!(stream.next().await.is_none(), "an error ends it");
                assert!(error.settle(credits("1.5")));
                assert_eq!(books(client.budget()), (credits("1.5"), ZERO, ZERO));
                assert!(!stream.meta.settle(ZERO), "it is settled");
                continue;
            }
            _ => assert_eq!(chunks(&mut stream).await.0, ["one", "two", "three"]),
        }
        sleep(Duration::from_secs(100)).await;
        assert_eq!(books(client.budget()), at_risk, "{what}");
        assert_eq!(script.sent().len(), 1, "{what}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_charge_in_a_body_is_not_looked_for_and_is_settled_by_the_caller() {
    let (client, _) = client([Reply::new(200, r#"{"cost": 1}"#)]);
    let mut stream = client.send_stream(to(&PAID)).await.unwrap();
    assert_eq!(chunks(&mut stream).await.0, [r#"{"cost": 1}"#]);
    assert_eq!(books(client.budget()), (ZERO, ZERO, credits("2")));
    assert_eq!(client.budget().at_risk()[0].call.operation, "paid");
    assert!(stream.meta.settle(credits("1")));
    assert_eq!(books(client.budget()), (credits("1"), ZERO, ZERO));
}

#[tokio::test(start_paused = true)]
async fn a_free_or_unbilled_stream_costs_nothing_and_one_of_unknown_price_risks_what_is_expected() {
    let (client, script) = client([three(), three(), three()]);
    let stream = client.send_stream(to(&FREE)).await.unwrap();
    assert_eq!(stream.meta.outcome(), Outcome::Unknown(Some(ZERO)));
    assert_eq!(books(client.budget()), (ZERO, ZERO, ZERO));

    let unbilled = builder(&script).unbilled([StatusCode::OK]);
    let unbilled = unbilled.budget(credits("10")).build().unwrap();
    let stream = unbilled.send_stream(to(&PAID)).await.unwrap();
    assert_eq!(stream.meta.outcome(), Outcome::Rejected);
    assert_eq!(books(unbilled.budget()), (ZERO, ZERO, ZERO));

    let stream = client.send_stream(to(&UNKNOWN)).await.unwrap();
    let expected = credits("3");
    assert_eq!(stream.meta.outcome(), Outcome::Unknown(Some(expected)));
    assert_eq!(books(client.budget()), (ZERO, ZERO, expected));
    assert_eq!(script.sent().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn attempts_before_the_head_are_those_of_any_call_and_none_follows_it() {
    let (client, script) = client([
        Reply::fails(TransportErrorKind::Connect),
        Reply::new(429, "").header("retry-after", "20"),
        three().breaks_off(TransportErrorKind::Timeout),
        three(),
    ]);
    let mut stream = client.send_stream(to(&PAID)).await.unwrap();
    assert_eq!(stream.meta.attempts, 3);
    assert_eq!(stream.meta.earlier_attempts().len(), 2);
    assert!(script.sent()[2].at - script.sent()[1].at >= Duration::from_secs(20));
    let (arrived, error) = chunks(&mut stream).await;
    let error = error.unwrap();
    assert_eq!((arrived.len(), error.attempts()), (3, 3));
    assert!(matches!(&error, Error::Transport(e) if e.kind() == TransportErrorKind::Timeout));
    assert_eq!(script.sent().len(), 3);
    assert_eq!(books(client.budget()), (ZERO, ZERO, credits("2")));
    // The cool-down is over: the next call is made at once.
    let before = Instant::now();
    _ = client.send_stream(to(&PAID)).await.unwrap();
    assert_eq!((before.elapsed(), script.sent().len()), (Duration::ZERO, 4));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_dropped_before_its_head_is_at_risk() {
    let slow = || three().after(Duration::from_secs(50));
    let (client, script) = client([slow(), slow()]);
    let call = client.send_stream(to(&PAID));
    timeout(Duration::from_secs(1), call).await.unwrap_err();
    assert_eq!(books(client.budget()), (ZERO, ZERO, credits("2")));

    let detached = builder(&script).detached(true).build().unwrap();
    let call = detached.send_stream(to(&PAID));
    timeout(Duration::from_secs(1), call).await.unwrap_err();
    assert_eq!(books(detached.budget()), (ZERO, credits("2"), ZERO));
    sleep(Duration::from_secs(60)).await;
    assert_eq!(books(detached.budget()), (ZERO, ZERO, credits("2")));
}

#[tokio::test(start_paused = true)]
async fn open_streams_take_no_place_among_the_calls_in_flight() {
    let endless = || Reply::chunked(200, vec!["."; 1000]).every(Duration::from_secs(60));
    let script = Script::new([endless(), endless(), Reply::new(200, r#"{"cost": 0}"#)]);
    let client = builder(&script).max_in_flight(1).build().unwrap();
    let _open = [
        client.send_stream(to(&FREE)).await.unwrap(),
        client.send_stream(to(&FREE)).await.unwrap(),
    ];
    let other = timeout(Duration::from_secs(1), call(&client, &FREE)).await;
    other.unwrap().unwrap();
}

#[test]
fn a_runtime_that_ends_ends_its_streams_and_leaves_nothing_reserved() {
    let runtime = || {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        builder.enable_time().build().unwrap()
    };
    let slow = || three().every(Duration::from_secs(3600));
    let (client, _) = client([slow(), slow()]);
    let first = runtime();
    let [mut stream, bounded] = first.block_on(async {
        [
            client.send_stream(to(&PAID)).await.unwrap(),
            client.send_stream(to(&PAID)).await.unwrap(),
        ]
    });
    drop(first);
    // Outside of any runtime, too.
    let mut bounded = bounded.deadline(Duration::from_secs(9));
    for stream in [&mut stream, &mut bounded] {
        let (arrived, error) = runtime().block_on(chunks(stream));
        let error = error.unwrap();
        assert_eq!(arrived.len(), 0);
        assert!(
            error.to_string().contains("the runtime was shut down"),
            "{error}"
        );
        assert!(error.may_have_been_charged());
    }
    assert_eq!(books(client.budget()), (ZERO, ZERO, credits("4")));
}

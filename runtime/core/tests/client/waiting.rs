//! Waiting for what a service does after its response. Time is paused.

use std::pin::Pin;
use std::time::Duration;

use futures_core::Stream;
use generated_client::error::{TransportErrorKind, WaitingCause};
use generated_client::waiting::Wait;
use generated_client::{Credits, Error, Outcome, Response};
use things_client::types::Progress;
use tokio::time::Instant;

use crate::support::scripted_client::{booked, books, credits};
use crate::support::things::{Body, Fails, Hangs, Later, Reply, Service, Slow, VISIT, visit};

fn free(service: &Service) -> Wait<Progress> {
    service.client().progress("t1").wait()
}

fn told(detail: &str) -> Reply {
    Body(200, format!(r#"{{"detail": {detail}}}"#))
}

fn pending() -> Reply {
    told(r#"{"made": null, "reason": null, "status": "pending"}"#)
}

fn done() -> Reply {
    told(r#"{"made": "k7f3q9"}"#)
}

fn cause(error: &Error) -> &WaitingCause {
    match error {
        Error::Waiting(error) => &error.cause,
        other => panic!("{other:?}"),
    }
}

fn last(error: &Error) -> Option<&Response<()>> {
    match error {
        Error::Waiting(error) => error.last.as_deref(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn nothing_but_the_value_says_so() {
    let not_yet = [
        r#"{"status": "done", "made": null}"#,
        r#"{"status": "failed"}"#,
        r#"{"made": ""}"#,
        r#"{"reason": ""}"#,
        r#"{"other": {"made": "x"}}"#,
        "null",
        "[]",
        r#""made""#,
        "{}",
    ];
    let service = Service::of(not_yet.map(told).into_iter().chain([done()]));
    free(&service).await.unwrap();
    assert_eq!(service.asked().len(), not_yet.len() + 1);

    for made in [
        r#"{"status": "pending", "made": "x"}"#,
        r#"{"status": "never heard of", "made": 7}"#,
        r#"{"made": "x", "reason": "but"}"#,
        r#"{"made/it": "x"}"#,
        r#"{"m\u0061de": "x"}"#,
    ] {
        let service = Service::of([told(made)]);
        free(&service).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn what_stands_beside_the_value_cannot_hide_it() {
    let response = r#"{"size": 1e999, "text": "\ud800", "detail": {"made": "x"}}"#;
    let service = Service::of([Body(200, response.to_owned())]);
    assert_eq!(free(&service).await.unwrap().raw, response);
}

#[tokio::test(start_paused = true)]
async fn an_excerpt_shows_the_reason_in_one_line_and_the_error_keeps_it() {
    let sent = format!(r"no\n\u001b[31mERROR {}", "x".repeat(1000));
    let service = Service::of([told(&format!(r#"{{"reason": "{sent}"}}"#))]);
    let error = free(&service).await.unwrap_err();
    let WaitingCause::Failed { reason } = cause(&error) else {
        panic!("{error:?}");
    };
    assert!(reason.starts_with("no\n\u{1b}[31mERROR x") && reason.len() > 1000);
    assert_eq!(
        error.to_string(),
        "progress (GET /progress/{ticket}) failed; the error contains the reason"
    );
    let excerpt = error.excerpt().unwrap();
    assert!(excerpt.starts_with("no [31mERROR x"), "{excerpt}");
    assert_eq!(excerpt.chars().count(), 200);
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_may_pass_is_asked_again() {
    let busy = || Later(503, "1", String::new());
    let responses = [
        pending(),
        // One call: it is attempted three times.
        busy(),
        busy(),
        busy(),
        Fails(TransportErrorKind::Connect),
        Fails(TransportErrorKind::Connect),
        Fails(TransportErrorKind::Connect),
        // A paid call is never retried after these.
        Fails(TransportErrorKind::Timeout),
        Fails(TransportErrorKind::Timeout),
        Fails(TransportErrorKind::Timeout),
        Later(429, "600", String::new()),
        pending(),
        done(),
    ];
    let service = Service::of(responses);
    free(&service).await.unwrap();
    assert_eq!(service.asked().len(), 13);
    // No sooner than the service wants.
    let after_429 = service.pauses()[10];
    assert!((600.0..700.0).contains(&after_429), "{after_429}");
}

#[tokio::test(start_paused = true)]
async fn it_gives_up_at_the_deadline_with_the_last_answer() {
    for (deadline, last_poll) in [
        (None, 899.0),
        (Some(60), 59.0),
        (Some(6), 5.0),
        (Some(1), 0.5),
    ] {
        let service = Service::of(std::iter::repeat_with(pending).take(100));
        let mut wait = free(&service);
        if let Some(seconds) = deadline {
            wait = wait.deadline(Duration::from_secs(seconds));
        }
        let start = Instant::now();
        let error = wait.await.unwrap_err();
        // After a last question, early enough for its response.
        assert_eq!(start.elapsed().as_secs_f64(), last_poll);
        let pauses = service.pauses().iter().sum::<f64>();
        assert!((pauses - last_poll).abs() < 0.01, "{pauses}");
        assert!(matches!(cause(&error), WaitingCause::Deadline), "{error:?}");
        assert_eq!(
            error.to_string(),
            "progress (GET /progress/{ticket}): not done at the last poll before the deadline"
        );
        assert!(last(&error).unwrap().raw.ends_with(br#""pending"}}"#));
        assert!(error.body().unwrap().ends_with(br#""pending"}}"#));
    }
    // However short it is, it asks once; without any time, nothing.
    let service = Service::of([done()]);
    free(&service)
        .deadline(Duration::from_millis(1))
        .await
        .unwrap();
    let service = Service::of([]);
    let wait = free(&service).deadline(Duration::ZERO);
    assert!(matches!(
        cause(&wait.await.unwrap_err()),
        WaitingCause::Call(Error::DeadlineExceeded(_))
    ));
    // However long, it can be told.
    let service = Service::of([pending(), done()]);
    free(&service).deadline(Duration::MAX).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_last_poll_begins_in_time_for_its_answer() {
    for (seconds, last_poll) in [(0, 59.0), (2, 56.0), (9, 50.0)] {
        let slow = || Slow(seconds, r#"{"detail": {}}"#.to_owned());
        let service = Service::of(std::iter::repeat_with(slow).take(100));
        let wait = free(&service).deadline(Duration::from_secs(60));
        let start = Instant::now();
        let error = wait.await.unwrap_err();
        assert!(matches!(cause(&error), WaitingCause::Deadline), "{error:?}");
        // A poll that ends after the last one would begin is the last.
        let ended = start.elapsed().as_secs_f64();
        let latest = last_poll + seconds as f64;
        assert!(ended >= last_poll && ended <= latest, "{ended}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_deadline_ends_a_poll_in_flight_and_what_a_paid_one_may_have_cost_is_at_risk() {
    let two = Duration::from_secs(2);
    let service = Service::of([Hangs]);
    let start = Instant::now();
    let error = free(&service).deadline(two).await.unwrap_err();
    assert_eq!(start.elapsed(), two);
    assert_eq!(error.outcome(), Outcome::Unknown(Some(Credits::ZERO)));

    let service = Service::of([Hangs]);
    let client = service.builder().budget(credits("5")).build().unwrap();
    let start = Instant::now();
    let wait = client.visit(VISIT).wait().deadline(two);
    let error = wait.await.unwrap_err();
    assert_eq!(start.elapsed(), two);
    assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("2"))));
    assert_eq!(books(client.budget()), booked("0", "0", "2"));
    assert_eq!(service.asked().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn at_the_deadline_the_failure_is_the_cause_if_there_was_no_answer() {
    let service = Service::of([Later(429, "3600", String::new())]);
    let error = free(&service).await.unwrap_err();
    assert!(
        matches!(cause(&error), WaitingCause::Call(Error::Status(_))),
        "{error:?}"
    );
    let unknown = "completion unknown: progress (GET /progress/{ticket})";
    assert!(error.to_string().starts_with(unknown), "{error}");
    assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
    assert_eq!(service.asked().len(), 1);
    assert!(error.is_retryable());
}

#[tokio::test(start_paused = true)]
async fn pauses_grow_by_half_up_to_thirty_seconds_and_are_up_to_twice_as_long_by_chance() {
    let mut sum = 0.0;
    let mut seen = Vec::new();
    for _ in 0..20 {
        let service = Service::of(std::iter::repeat_with(pending).take(13).chain([done()]));
        free(&service).await.unwrap();
        let mut least: f64 = 2.0;
        for pause in service.pauses() {
            // To the millisecond of the clock.
            assert!(
                pause >= least - 0.001 && pause <= 2.0 * least + 0.002,
                "{pause} {least}"
            );
            sum += pause / least;
            seen.push(pause);
            least = (least * 1.5).min(30.0);
        }
    }
    let mean = sum / seen.len() as f64;
    assert!((1.3..1.7).contains(&mean), "{mean}");
}

#[tokio::test(start_paused = true)]
async fn all_answers_can_be_seen_on_the_way() {
    let service = Service::of([pending(), pending(), done()]);
    let mut polls = free(&service).polls();
    assert!(service.asked().is_empty());
    for asked in 1..=3 {
        polls.next().await.unwrap().unwrap();
        assert_eq!(service.asked().len(), asked);
    }
    for _ in 0..2 {
        assert!(polls.next().await.is_none());
    }

    let service = Service::of([pending(), told(r#"{"reason": "no"}"#)]);
    let mut polls = free(&service).polls();
    polls.next().await.unwrap().unwrap();
    // Giving up `next` is not giving up the stream.
    let next = tokio::time::timeout(Duration::from_secs(1), polls.next());
    assert!(next.await.is_err());
    assert!(matches!(polls.next().await, Some(Err(Error::Waiting(_)))));
    assert!(polls.next().await.is_none());
    assert_eq!(service.asked().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_free_answer_costs_nothing_and_for_a_paid_one_draws_on_the_budget() {
    let service = Service::of([pending(), pending(), done()]);
    let client = service.builder().budget(Credits::ZERO).build().unwrap();
    client.progress("t1").wait().await.unwrap();
    assert_eq!(books(client.budget()), booked("0", "0", "0"));

    let service = Service::of([visit(), visit()]);
    let client = service.builder().budget(credits("5")).build().unwrap();
    let start = Instant::now();
    let error = client.visit(VISIT).wait().await.unwrap_err();
    assert!(error.of_call().budget().is_some(), "{error:?}");
    // It ends at once, not at the deadline.
    assert!(start.elapsed() < Duration::from_secs(20));
    assert!(last(&error).is_some());
    assert_eq!(client.budget().usage().spent, credits("4"));
    assert_eq!(service.asked().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_be_asked_is_the_callers_mistake_at_once() {
    let service = Service::of([]);
    let error = service.client().progress("").wait().await.unwrap_err();
    assert!(matches!(error, Error::Argument(_)), "{error:?}");
}

#[tokio::test]
async fn a_wait_can_be_sent_to_another_task() {
    let service = Service::of([done(), done()]);
    let wait = free(&service);
    assert_eq!(format!("{wait:?}"), "Wait { .. }");
    tokio::spawn(wait.into_future()).await.unwrap().unwrap();
    let mut polls = free(&service).polls();
    assert_eq!(format!("{polls:?}"), "Polls { .. }");
    let poll = tokio::spawn(async move {
        std::future::poll_fn(|context| Pin::new(&mut polls).poll_next(context)).await
    });
    poll.await.unwrap().unwrap().unwrap();
}

//! When calls go out: pauses, the cool-down, the deadline, and places in flight. Time is paused.

use std::time::Duration;

use generated_client::error::TransportErrorKind;
use generated_client::testing::{self, Reply};
use generated_client::{Client, Credits, Error, Outcome};
use tokio::time::Instant;

use crate::support::api::builder;
use crate::support::scripted_client::{
    After, DONE, FREE, Fails, Hangs, PAID, Responds, Script, booked, books, call, credits, start,
};

#[tokio::test(start_paused = true)]
async fn attempts_are_half_a_second_apart_then_twice_that_or_as_the_service_says() {
    let lost = Fails(TransportErrorKind::Connect);
    let script = Script::of([lost.clone(), lost, DONE]);
    let client = script.builder().build().unwrap();
    assert_eq!(call(&client, &PAID).await.unwrap().meta.attempts, 3);
    let pauses = script.pauses();
    assert!(
        (0.5..=1.0).contains(&pauses[0]) && (1.0..=2.0).contains(&pauses[1]),
        "{pauses:?}"
    );

    let script = Script::of([Responds(503, Some("20"), ""), DONE]);
    let client = script.builder().build().unwrap();
    call(&client, &PAID).await.unwrap();
    assert!(
        (20.0..20.1).contains(&script.pauses()[0]),
        "{:?}",
        script.pauses()
    );
}

#[tokio::test(start_paused = true)]
async fn a_service_says_in_several_ways_when_a_call_may_come_again() {
    for (status, name, value, seconds) in [
        (429, "retry-after-ms", "20500", 20.5),
        (503, "retry-after-ms", "20500", 20.5),
    ] {
        let first = Reply::new(status, "").header(name, value);
        let script = testing::Script::new([first, Reply::from(DONE)]);
        let client: Client = builder(script.clone()).build().unwrap();
        call(&client, &PAID).await.unwrap();
        let sent = script.sent();
        let pause = (sent[1].at - sent[0].at).as_secs_f64();
        assert!((seconds..seconds + 0.1).contains(&pause), "{name}: {pause}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_pause_that_is_too_long_comes_back_at_once_with_the_hint() {
    let start = Instant::now();
    let script = Script::of([Responds(503, Some("61"), "")]);
    let client = script.builder().build().unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(61)));
    assert!(error.is_retryable());
    assert_eq!(start.elapsed(), Duration::ZERO);

    // Within what may be asked for, and beyond the deadline of the call.
    let script = Script::of([Responds(503, Some("30"), "")]);
    let client = script
        .builder()
        .deadline(Duration::from_secs(20))
        .build()
        .unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(30)));
    assert_eq!(start.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_are_in_flight_than_allowed() {
    let script = Script::of([Hangs, Hangs, Hangs]);
    let client = script.builder().max_in_flight(2).build().unwrap();
    let calls: Vec<_> = (0..3)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { call(&client, &FREE).await })
        })
        .collect();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(script.attempts(), 2);
    calls[0].abort();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(script.attempts(), 3);
}

#[tokio::test(start_paused = true)]
async fn durations_without_end_do_not_overflow() {
    for deadline in [
        Duration::MAX,
        Duration::from_secs(u64::MAX / 2),
        Duration::from_nanos(u64::MAX),
    ] {
        let script = Script::of([Responds(503, Some("1"), ""), DONE]);
        let client = script.builder().deadline(deadline).build().unwrap();
        call(&client, &PAID).await.unwrap();
    }
    for after in [
        "18446744073709551615",
        "9223372036854775807",
        "99999999999999999999999999",
        "Fri, 31 Dec 9999 23:59:59 GMT",
    ] {
        let script = Script::of([Responds(429, Some(after), "")]);
        let client = script.builder().deadline(Duration::MAX).build().unwrap();
        let error = call(&client, &PAID).await.unwrap_err();
        let hint = error.retry_after().unwrap();
        assert!(hint > Duration::from_secs(86_400), "{after}");
        // Adding it to a clock never panics.
        assert!(std::time::Instant::now().checked_add(hint).is_some());
        let error = call(&client, &PAID).await.unwrap_err();
        assert!(
            matches!(error, Error::DeadlineExceeded(_)),
            "{after}: {error:?}"
        );
        assert_eq!(script.attempts(), 1, "{after}");
    }
}

#[tokio::test(start_paused = true)]
async fn without_time_nothing_is_sent() {
    let script = Script::of([DONE]);
    let client = script.builder().deadline(Duration::ZERO).build().unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    assert_eq!(books(client.budget()), booked("0", "0", "0"));
    assert_eq!(script.attempts(), 0);
}

#[tokio::test(start_paused = true)]
async fn any_number_of_places_works() {
    for (places, attempts) in [(0, 1), (1, 1), (2, 2), (usize::MAX, 3)] {
        let script = Script::of([Hangs, Hangs, Hangs]);
        let client = script.builder().max_in_flight(places).build().unwrap();
        for _ in 0..3 {
            start(&client, &FREE).await;
        }
        assert_eq!(script.attempts(), attempts, "{places}");
    }
    let script = Script::of(vec![Hangs; 20]);
    let client = script.builder().build().unwrap();
    for _ in 0..20 {
        start(&client, &FREE).await;
    }
    assert_eq!(script.attempts(), 8, "unless it is set");
}

#[tokio::test(start_paused = true)]
async fn without_a_stated_deadline_a_late_answer_is_not_cut_off_and_not_asked_for_again() {
    let script = Script::of([
        After(1000, Box::new(DONE)),
        After(1000, Box::new(Responds(503, Some("0"), ""))),
    ]);
    let client = script.builder().build().unwrap();
    call(&client, &PAID).await.unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(
        (error.attempts(), error.retry_after()),
        (1, Some(Duration::ZERO))
    );
    assert!(error.is_retryable());
}

#[tokio::test(start_paused = true)]
async fn a_stated_deadline_ends_an_attempt_in_flight_and_what_it_may_have_cost_is_at_risk() {
    for (operation, at_risk) in [(&PAID, "2"), (&FREE, "0")] {
        let script = Script::of([After(1000, Box::new(DONE))]);
        let two = Duration::from_secs(2);
        let client = script.builder().deadline(two).build().unwrap();
        let started = Instant::now();
        let error = call(&client, operation).await.unwrap_err();
        assert_eq!(started.elapsed(), two);
        assert!(
            matches!(&error, Error::Transport(error) if error.kind() == TransportErrorKind::Timeout),
            "{error:?}"
        );
        assert!(
            error
                .to_string()
                .contains("the deadline of the call passed"),
            "{error}"
        );
        assert_eq!(error.outcome(), Outcome::Unknown(Some(credits(at_risk))));
        assert_eq!(error.attempts(), 1);
        let risked = (Credits::ZERO, Credits::ZERO, credits(at_risk));
        assert_eq!(books(client.budget()), risked);
    }
}

#[tokio::test(start_paused = true)]
async fn a_detached_attempt_goes_on_after_the_deadline_and_its_charge_is_booked() {
    let script = Script::of([After(10, Box::new(DONE)), After(10, Box::new(DONE))]);
    let builder = script.builder().detached(true).max_in_flight(1);
    let client = builder.deadline(Duration::from_secs(3)).build().unwrap();
    let started = Instant::now();
    let error = call(&client, &PAID).await.unwrap_err();
    assert_eq!(started.elapsed().as_secs(), 3);
    assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("2"))));
    assert!(error.to_string().contains("it continues"), "{error}");
    // One that waits for its place is not sent at all.
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    assert_eq!(started.elapsed().as_secs(), 6);
    let reserved = (Credits::ZERO, credits("2"), Credits::ZERO);
    assert_eq!(books(client.budget()), reserved);
    tokio::time::sleep(Duration::from_secs(10)).await;
    let spent = (credits("2"), Credits::ZERO, Credits::ZERO);
    assert_eq!(books(client.budget()), spent);
    assert_eq!(script.attempts(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_place_or_for_the_budget_waits_until_the_deadline() {
    for in_flight in [1, 8] {
        let script = Script::of([After(400, Box::new(DONE))]);
        let client = script
            .builder()
            .max_in_flight(in_flight)
            .budget(credits("2"))
            .build()
            .unwrap();
        let first = start(&client, &PAID).await;
        let started = Instant::now();
        let error = call(&client, &PAID).await.unwrap_err();
        assert!(
            matches!(error, Error::DeadlineExceeded(_)),
            "{in_flight}: {error:?}"
        );
        assert_eq!(started.elapsed().as_secs(), 300);
        assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent));
        assert!(error.is_retryable());
        first.await.unwrap().unwrap();
        assert_eq!(books(client.budget()), booked("2", "0", "0"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_noticed_after_the_deadline_comes_too_late() {
    let script = Script::of([]);
    let client = script.builder().budget(credits("2")).build().unwrap();
    let held = client.budget().reserve(credits("2")).await.unwrap();
    let waiting = start(&client, &PAID).await;
    held.refund();
    // As when a laptop sleeps.
    tokio::time::advance(Duration::from_secs(400)).await;
    let error = waiting.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    assert_eq!(books(client.budget()), booked("0", "0", "0"));
}

#[tokio::test(start_paused = true)]
async fn a_pause_of_a_minute_is_obeyed() {
    for status in [429, 503] {
        let script = Script::of([Responds(status, Some("60"), ""), DONE]);
        let client = script.builder().build().unwrap();
        call(&client, &PAID).await.unwrap();
        assert_eq!(script.pauses()[0].round(), 60.0, "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_pauses_leaves_its_place_to_others() {
    let script = Script::of([Responds(503, Some("20"), ""), DONE, DONE]);
    let client = script.builder().max_in_flight(1).build().unwrap();
    let pausing = start(&client, &PAID).await;
    let started = Instant::now();
    call(&client, &PAID).await.unwrap();
    assert_eq!(started.elapsed(), Duration::ZERO);
    pausing.await.unwrap().unwrap();
}

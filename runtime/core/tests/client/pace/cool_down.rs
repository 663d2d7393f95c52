//! The cool-down that a 429 opens for a whole client. Time is paused.

use std::time::Duration;

use generated_client::{Error, Outcome, RetryPolicy};
use tokio::time::Instant;

use crate::support::scripted_client::{
    After, DONE, FREE, PAID, Responds, Script, booked, books, call, credits, start,
};

#[tokio::test(start_paused = true)]
async fn a_429_holds_every_call_of_the_client() {
    let script = Script::of([Responds(429, Some("10"), ""), DONE, DONE]);
    let client = script.builder().build().unwrap();
    let start = Instant::now();
    let (first, second) = tokio::join!(call(&client, &PAID), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        call(&client, &PAID).await
    });
    first.unwrap();
    second.unwrap();
    assert_eq!(start.elapsed().as_secs(), 10);

    let script = Script::of([Responds(429, Some("200"), ""), DONE]);
    let client = script.builder().build().unwrap();
    call(&client, &PAID).await.unwrap_err();
    let error = call(&client, &PAID).await.unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    assert_eq!(
        error.to_string(),
        "paid (GET /paid) was not sent: rate limited for another 200 s"
    );
    assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(200)));
    assert_eq!(script.attempts(), 1);
    tokio::time::sleep(Duration::from_secs(200)).await;
    call(&client, &PAID).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn who_waited_for_the_budget_while_a_cool_down_began_waits_for_it_too() {
    let turned_away = After(5, Box::new(Responds(429, Some("30"), "")));
    let script = Script::of([turned_away, DONE]);
    let client = script
        .builder()
        .retry(RetryPolicy::Never)
        .budget(credits("3"))
        .build()
        .unwrap();
    let first = start(&client, &PAID).await;
    let second = start(&client, &PAID).await;
    first.await.unwrap().unwrap_err();
    second.await.unwrap().unwrap();
    assert!(
        (30.0..36.0).contains(&script.pauses()[0]),
        "{:?}",
        script.pauses()
    );

    let turned_away = After(5, Box::new(Responds(429, Some("61"), "")));
    let script = Script::of([turned_away]);
    let client = script.builder().budget(credits("3")).build().unwrap();
    let first = start(&client, &PAID).await;
    let second = start(&client, &PAID).await;
    first.await.unwrap().unwrap_err();
    let error = second.await.unwrap().unwrap_err();
    assert_eq!(error.retry_after().unwrap().as_secs(), 61);
    assert_eq!(books(client.budget()), booked("0", "0", "0"));
}

#[tokio::test(start_paused = true)]
async fn a_cool_down_that_grows_while_somebody_waits_counts() {
    let late = After(5, Box::new(Responds(429, Some("40"), "")));
    let script = Script::of([late, Responds(429, Some("10"), ""), DONE]);
    let client = script.builder().retry(RetryPolicy::Never).build().unwrap();
    let started = Instant::now();
    let _slow = start(&client, &PAID).await;
    call(&client, &PAID).await.unwrap_err();
    call(&client, &PAID).await.unwrap();
    assert_eq!(started.elapsed().as_secs(), 45);
}

#[tokio::test(start_paused = true)]
async fn a_429_without_a_hint_or_with_one_in_the_past_holds_the_client_for_the_pause() {
    for after in [None, Some("0"), Some("Wed, 21 Oct 2015 07:28:00 GMT")] {
        let script = Script::of([Responds(429, after, ""), DONE]);
        let client = script.builder().retry(RetryPolicy::Never).build().unwrap();
        call(&client, &PAID).await.unwrap_err();
        call(&client, &FREE).await.unwrap();
        assert!(
            (0.5..=1.01).contains(&script.pauses()[0]),
            "{after:?} {:?}",
            script.pauses()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_hint_without_sense_does_not_stop_a_client_for_good() {
    for after in ["99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"] {
        let script = Script::of([Responds(429, Some(after), ""), DONE]);
        let client = script.builder().build().unwrap();
        call(&client, &PAID).await.unwrap_err();
        tokio::time::sleep(Duration::from_secs(239)).await;
        let error = call(&client, &PAID).await.unwrap_err();
        assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
        tokio::time::sleep(Duration::from_secs(2)).await;
        call(&client, &PAID).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn a_429_holds_clients_that_are_scoped_from_the_same_one() {
    let script = Script::of([Responds(429, Some("20"), ""), DONE]);
    let client = script.builder().retry(RetryPolicy::Never).build().unwrap();
    call(&client.scoped(credits("5")), &PAID).await.unwrap_err();
    call(&client.scoped(credits("5")), &PAID).await.unwrap();
    assert_eq!(script.pauses()[0].round(), 20.0);
}

#[tokio::test(start_paused = true)]
async fn a_cool_down_beyond_the_deadline_is_not_waited_for() {
    let script = Script::of([Responds(429, Some("30"), "")]);
    let client = script
        .builder()
        .deadline(Duration::from_secs(20))
        .build()
        .unwrap();
    let started = Instant::now();
    for attempts in [1, 0] {
        let error = call(&client, &PAID).await.unwrap_err();
        assert_eq!(error.attempts(), attempts);
        assert_eq!(error.retry_after().unwrap().as_secs(), 30);
    }
    assert_eq!(started.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_held_back_says_what_holds_it_back_and_not_what_its_last_attempt_said() {
    let script = Script::of([
        Responds(503, Some("10"), ""),
        Responds(429, Some("3600"), ""),
    ]);
    let client = script.builder().build().unwrap();
    let pausing = start(&client, &PAID).await;
    call(&client, &PAID).await.unwrap_err();
    let error = pausing.await.unwrap().unwrap_err();
    assert!(matches!(error, Error::DeadlineExceeded(_)), "{error:?}");
    assert_eq!((error.attempts(), error.outcome()), (1, Outcome::Rejected));
    // Ten seconds of the longest cool-down are over.
    assert_eq!(error.retry_after().unwrap().as_secs(), 290);
}

//! The errors of pages and of single records: what they say, and where a run goes on after them. Time is paused.

use std::time::Duration;

use futures_core::Stream;
use generated_client::error::PagingCause;
use generated_client::paging::{Items, Paged, Pages};
use generated_client::{Error, Outcome};

use crate::support::scripted_client::credits;
use crate::support::things::{Body, Later, Service, numbers, page};

#[tokio::test(start_paused = true)]
async fn an_error_of_a_page_says_all_that_the_error_of_its_call_says() {
    let response = r#"{"cost": 2, "things": 1, "total": 3}"#;
    let service = Service::of([Body(200, response.to_owned())]);
    let error = service.client().things().items().next().await;
    let error = error.unwrap().unwrap_err();
    assert_eq!(error.operation(), Some("things"));
    assert_eq!(error.status().unwrap(), 200);
    assert_eq!(error.body().unwrap(), response);
    assert_eq!(error.path(), Some("/things"));
    assert!(error.headers().is_some());
    assert_eq!(error.outcome(), Outcome::Charged(credits("2")));
    assert!(error.may_have_been_charged() && !error.is_retryable());
    assert!(matches!(error.of_call(), Error::Decode(_)));

    let service = Service::of([Later(429, "7200", "slowly".to_owned())]);
    let error = service.client().things().pages().next().await;
    let error = error.unwrap().unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7200)));
    assert_eq!((error.attempts(), error.outcome()), (1, Outcome::Rejected));
    assert!(error.is_retryable() && !error.may_have_been_charged());
    assert_eq!(error.body().unwrap(), "slowly");
    assert_eq!(error.path(), None);
    assert_eq!(error.excerpt().as_deref(), Some("slowly"));
    assert!(!error.to_string().contains("slowly"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_total_that_does_not_fit_is_set_aside_and_the_run_goes_on() {
    let service = Service::of([page("0", r#""many""#, &["0"]), page("1", "null", &[])]);
    let mut items = service.client().things().items();
    assert_eq!(items.next().await.unwrap().unwrap(), 0);
    assert_eq!(items.size_hint(), (0, None));
    assert!(items.next().await.is_none());
    assert_eq!(service.asked(), ["", "offset=1"]);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_was_not_asked_for_costs_once_and_keeps_its_bytes() {
    for (offset, message) in [
        (
            "0",
            "things (GET /things) was asked for the page at offset 3 and sent the one at 0; \
             start a new run at 3, or at 6 after using the records of `take_refused`",
        ),
        (
            "null",
            "things (GET /things) was asked for the page at offset 3 and sent the records of the one at 0; \
             start a new run at 3, or at 6 after using the records of `take_refused`",
        ),
    ] {
        let first = || page(offset, "7", &["0", "1", "2"]);
        let service = Service::of([first(), first()]);
        let client = service.client();
        let mut items = client.things().items();
        assert_eq!(numbers(&mut items).await.len(), 3);
        assert_eq!(service.asked().len(), 2);
        assert_eq!(client.budget().usage().spent, credits("4"));

        let service = Service::of([first(), first()]);
        let mut pages = service.client().things().pages();
        pages.next().await.unwrap().unwrap();
        let error = pages.next().await.unwrap().unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(error.body().unwrap().ends_with(br#""things": [0, 1, 2]}"#));
        assert_eq!(error.status().unwrap(), 200);
        assert_eq!((error.attempts(), error.resume_offset()), (1, Some(3)));
        assert_eq!(error.outcome(), Outcome::Charged(credits("2")));
        assert!(!error.is_retryable());
        let Error::Paging(error) = error else {
            panic!("{error:?}");
        };
        let PagingCause::Stalled {
            echoed,
            repeats,
            after,
            page,
            ..
        } = error.cause
        else {
            panic!("{error:?}");
        };
        assert_eq!(echoed, (offset == "0").then_some(0));
        assert_eq!((repeats, after, error.missing), (Some(0), 6, None));
        assert_eq!(page.reported_charge(), Some(credits("2")));
        assert!(pages.next().await.is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_that_does_not_decode_stands_in_its_place_and_the_others_come() {
    let bad = r#"{"about": "Erika"}"#;
    let service = Service::of([
        page("0", "5", &["0", bad, "2"]),
        page("3", "5", &[r#""three""#, "4"]),
    ]);
    let mut items = service.client().things().items();
    let mut seen = Vec::new();
    while let Some(item) = items.next().await {
        match item {
            Ok(thing) => seen.push(Ok(thing)),
            Err(error) => {
                assert_eq!(error.resume_offset(), Some(items.offset()));
                seen.push(Err(error));
            }
        }
    }
    let [Ok(0), Err(first), Ok(2), Err(second), Ok(4)] = seen.as_slice() else {
        panic!("{seen:?}");
    };
    let Error::Record(record) = first else {
        panic!("{first:?}");
    };
    assert_eq!((record.reject.index, record.reject.raw.get()), (1, bad));
    assert_eq!(
        (first.resume_offset(), second.resume_offset()),
        (Some(2), Some(4))
    );
    assert_eq!(
        (first.operation(), first.path()),
        (Some("things"), Some(""))
    );
    assert_eq!(
        (first.attempts(), first.outcome()),
        (1, Outcome::Charged(credits("2")))
    );
    assert!(first.may_have_been_charged() && !first.is_retryable());
    let message =
        "things (GET /things): the record before offset 2 does not decode: invalid type: object";
    assert!(first.to_string().starts_with(message), "{first}");
    // Records hold personal data.
    assert!(!format!("{first} {first:?} {first:#?}").contains("Erika"));
}

/// Asserts that pages and records of the operation end at once with this refusal.
async fn assert_refused<P: Paged>(operation: P, message: &str) {
    let mut pages = Pages::new(operation.clone());
    let error = pages.next().await.unwrap().err().unwrap();
    assert!(matches!(error, Error::Argument(_)), "{error:?}");
    assert_eq!(error.to_string(), message);
    assert_eq!(error.resume_offset(), None);
    assert!(pages.next().await.is_none());
    let mut items = Items::new(operation);
    assert!(items.next().await.unwrap().is_err());
    assert!(items.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn pages_that_cannot_be_are_refused_before_anything_is_sent() {
    let service = Service::of([]);
    let client = service.client();
    assert_refused(
        client.things().limit(0),
        "things: `limit` is 0, and such pages have no records: set at least 1",
    )
    .await;
    assert_refused(
        client.groups(),
        "groups: `of` is missing, and paging requires it",
    )
    .await;
    assert!(service.asked().is_empty());
}

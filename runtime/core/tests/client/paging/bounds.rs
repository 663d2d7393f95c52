//! Bounds of a run through pages: the number of records, the credits, and a caller that gives up. Time is paused.

use std::time::Duration;

use generated_client::{Credits, Error, Outcome};

use super::seven;
use crate::support::scripted_client::{books, credits};
use crate::support::things::{Hangs, Service, numbers, page};

#[tokio::test(start_paused = true)]
async fn what_is_taken_bounds_what_is_asked_for() {
    for (wanted, calls) in [(0, 0), (1, 1), (3, 1), (4, 2), (7, 3), (100, 3)] {
        let service = seven();
        let things = service.client().things().limit(3);
        let mut items = things.items().take(wanted);
        let taken = numbers(&mut items).await;
        let expected: Vec<i64> = (0..7).take(wanted as usize).collect();
        assert_eq!(taken, expected);
        assert!(items.next().await.is_none());
        assert_eq!(service.asked().len(), calls, "{wanted}");
        // No page is made smaller.
        assert!(
            service
                .asked()
                .iter()
                .all(|query| query.starts_with("limit=3"))
        );
    }
    let service = seven();
    let mut pages = service.client().things().pages().take(2).take(5);
    let mut taken = 0;
    while let Some(page) = pages.next().await {
        page.unwrap();
        taken += 1;
    }
    assert_eq!((taken, service.asked().len(), pages.offset()), (2, 2, 6));
    let service = seven();
    let mut items = service.client().things().items().take(5).take(2);
    assert_eq!(numbers(&mut items).await, [0, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_may_cost_so_much_ends_before_it_costs_more() {
    let service = seven();
    let client = service.builder().budget(credits("100")).build().unwrap();
    let mut items = client.things().items().at_most(credits("5"));
    assert_eq!(numbers(&mut items).await, [0, 1, 2, 3, 4, 5]);
    assert!(items.next().await.is_none());
    assert_eq!(client.budget().usage().spent, credits("4"));

    let service = seven();
    let client = service.client();
    // The smaller bound counts.
    let pages = client.things().pages().at_most(credits("9"));
    let mut pages = pages.at_most(credits("3.9")).at_most(credits("20"));
    pages.next().await.unwrap().unwrap();
    let error = pages.next().await.unwrap().unwrap_err();
    assert_eq!(error.resume_offset(), Some(3));
    assert!(error.of_call().budget().is_some(), "{error:?}");
    assert!(matches!(error, Error::Paging(_)));
    assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent));
    assert!(
        error.to_string().contains("no page from offset 3 on"),
        "{error}"
    );
    assert!(error.to_string().contains("3.9 credits"), "{error}");
    assert_eq!(service.asked().len(), 1);
    assert_eq!(client.budget().usage().spent, credits("2"));
}

#[tokio::test(start_paused = true)]
async fn a_run_without_a_price_reserves_no_more_than_its_bound() {
    let service = Service::of([Hangs]);
    let client = service.builder().budget(credits("100")).build().unwrap();
    let mut items = client.unpriced_things().items().at_most(credits("5"));
    let first = tokio::time::timeout(Duration::from_secs(1), items.next()).await;
    assert!(first.is_err());
    assert_eq!(client.budget().usage().reserved, credits("5"));
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_dropped_leaves_its_call_at_risk_and_one_that_waits_does_not_call_twice() {
    let service = Service::of([page("0", "7", &["0", "1", "2"]), Hangs]);
    let client = service.builder().budget(credits("10")).build().unwrap();
    let mut items = client.things().items().take(4);
    for _ in 0..3 {
        items.next().await.unwrap().unwrap();
    }
    // Giving up `next` is not giving up the stream.
    for _ in 0..3 {
        let next = tokio::time::timeout(Duration::from_secs(9), items.next()).await;
        assert!(next.is_err());
        let (spent, reserved) = (credits("2"), credits("2"));
        assert_eq!(books(client.budget()), (spent, reserved, Credits::ZERO));
    }
    assert_eq!(service.asked().len(), 2);
    assert_eq!(items.offset(), 3);
    drop(items);
    let (spent, at_risk) = (credits("2"), credits("2"));
    assert_eq!(books(client.budget()), (spent, Credits::ZERO, at_risk));
}

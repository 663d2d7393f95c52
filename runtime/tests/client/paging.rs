//! Pages and their records as streams. Time is paused.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures_core::Stream;
use metered_client::{Credits, Error, Items, Outcome, Pages, PagingCause, TransportErrorKind};

use crate::script::{UNKNOWN, books, credits};
use crate::support::KEY;
use crate::things::{
    Answer, Body, Fails, Hangs, Later, Service, Thing, Things, groups, numbers, page,
};

/// Seven things in three pages.
fn seven() -> Service {
    Service::of([
        page("0", "7", &["0", "1", "2"]),
        page("3", "7", &["3", "4", "5"]),
        page("6", "7", &["6"]),
    ])
}

#[tokio::test(start_paused = true)]
async fn records_come_over_all_pages_and_each_page_is_asked_for_when_its_first_record_is() {
    let service = seven();
    let mut items = Things::of(&service.client()).limit(3).items();
    assert_eq!(items.offset(), 0);
    for number in 0..7_u64 {
        assert_eq!(service.asked().len() as u64, number.div_ceil(3));
        assert_eq!(items.next().await.unwrap().unwrap(), Thing::from(number));
        assert_eq!(items.offset(), number + 1);
    }
    for _ in 0..3 {
        assert!(items.next().await.is_none());
    }
    assert_eq!(
        service.asked(),
        ["limit=3", "limit=3&offset=3", "limit=3&offset=6"]
    );
}

#[tokio::test(start_paused = true)]
async fn pages_are_whole_answers_with_what_they_cost() {
    let service = seven();
    let client = service.client();
    let mut pages = Things::of(&client).limit(3).pages();
    assert!(service.asked().is_empty());
    for (calls, offset) in [(1, 3), (2, 6), (3, 7)] {
        let page = pages.next().await.unwrap().unwrap();
        assert_eq!(page.meta.outcome, Outcome::Charged(credits("2")));
        assert!(page.raw.starts_with(b"{"));
        assert_eq!((service.asked().len(), pages.offset()), (calls, offset));
    }
    assert!(pages.next().await.is_none());
    assert!(pages.next().await.is_none());
    assert_eq!(client.ledger().usage().spent, credits("6"));
}

#[tokio::test(start_paused = true)]
async fn the_first_page_is_asked_for_as_the_caller_says_and_short_pages_lose_nothing() {
    let service = Service::of([
        page("10", "null", &["10", "11"]),
        page("null", "null", &["12"]),
        page("13", "null", &["13", "14", "15"]),
        page("16", "null", &[]),
    ]);
    let mut items = Things::of(&service.client()).limit(5).offset(10).items();
    assert_eq!(numbers(&mut items).await, [10, 11, 12, 13, 14, 15]);
    let offsets = [10, 12, 13, 16].map(|offset| format!("limit=5&offset={offset}"));
    assert_eq!(service.asked(), offsets);
    assert_eq!(items.offset(), 16);
}

#[tokio::test(start_paused = true)]
async fn the_hint_of_sizes_follows_the_total_and_what_is_taken() {
    let service = seven();
    let mut items = Things::of(&service.client()).items().take(100);
    assert_eq!(items.size_hint(), (0, Some(100)));
    for left in (0..7).rev() {
        items.next().await.unwrap().unwrap();
        assert_eq!(items.size_hint(), (0, Some(left)));
    }
    let service = seven();
    let mut items = Things::of(&service.client()).items();
    assert_eq!(items.size_hint(), (0, None));
    items.next().await;
    assert_eq!(items.size_hint(), (0, Some(6)));
    assert_eq!(items.take(4).size_hint(), (0, Some(4)));

    let service = seven();
    let mut pages = Things::of(&service.client()).pages();
    assert_eq!(pages.size_hint(), (0, None));
    pages.next().await;
    // Pages can be short.
    assert_eq!(pages.size_hint(), (0, Some(4)));
    let mut pages = pages.take(1);
    assert_eq!(pages.size_hint(), (0, Some(1)));
    pages.next().await;
    assert_eq!(pages.size_hint(), (0, Some(0)));
}

#[tokio::test(start_paused = true)]
async fn what_is_taken_bounds_what_is_asked_for() {
    for (wanted, calls) in [(0, 0), (1, 1), (3, 1), (4, 2), (7, 3), (100, 3)] {
        let service = seven();
        let mut items = Things::of(&service.client()).limit(3).items().take(wanted);
        let taken = numbers(&mut items).await;
        assert_eq!(taken, (0..wanted.min(7)).collect::<Vec<_>>());
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
    let mut pages = Things::of(&service.client()).pages().take(2).take(5);
    let mut taken = 0;
    while let Some(page) = pages.next().await {
        page.unwrap();
        taken += 1;
    }
    assert_eq!((taken, service.asked().len(), pages.offset()), (2, 2, 6));
    let service = seven();
    let mut items = Things::of(&service.client()).items().take(5).take(2);
    assert_eq!(numbers(&mut items).await, [0, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_may_cost_so_much_ends_before_it_costs_more() {
    let service = seven();
    let client = service.builder().budget(credits("100")).build().unwrap();
    let mut items = Things::of(&client).items().at_most(credits("5"));
    assert_eq!(numbers(&mut items).await, [0, 1, 2, 3, 4, 5]);
    assert!(items.next().await.is_none());
    assert_eq!(client.ledger().usage().spent, credits("4"));

    let service = seven();
    let client = service.client();
    // The smaller bound counts.
    let pages = Things::of(&client).pages().at_most(credits("9"));
    let mut pages = pages.at_most(credits("3.9")).at_most(credits("20"));
    pages.next().await.unwrap().unwrap();
    let error = pages.next().await.unwrap().unwrap_err();
    assert_eq!(error.resume_offset(), Some(3));
    assert!(matches!(error.of_call(), Error::Budget(_)), "{error:?}");
    assert!(matches!(error, Error::Paging(_)));
    assert_eq!((error.attempts(), error.outcome()), (0, Outcome::NotSent));
    assert!(
        error.to_string().contains("no page from offset 3 on"),
        "{error}"
    );
    assert!(error.to_string().contains("3.9 credits"), "{error}");
    assert_eq!(service.asked().len(), 1);
    assert_eq!(client.ledger().usage().spent, credits("2"));
}

#[tokio::test(start_paused = true)]
async fn a_run_without_a_price_reserves_all_that_is_left_of_its_bound_and_of_the_budget() {
    let service = Service::of([Hangs]);
    let client = service.builder().budget(credits("100")).build().unwrap();
    let things = Things {
        operation: &UNKNOWN,
        ..Things::of(&client)
    };
    let mut items = things.items().at_most(credits("5"));
    let first = tokio::time::timeout(Duration::from_secs(1), items.next()).await;
    assert!(first.is_err());
    // Its first page may cost more than the bound.
    assert_eq!(client.ledger().usage().reserved, credits("100"));
}

/// Ends of a run after three things, with what the service was asked in vain, and what then comes of it.
#[tokio::test(start_paused = true)]
async fn whatever_ends_a_run_it_goes_on_from_where_the_error_says() {
    let not_json = || Body(200, r#"{"cost": 2, "things": [3"#.to_owned());
    let cases: Vec<(&str, Answer)> = vec![
        ("timeout", Fails(TransportErrorKind::Timeout)),
        ("reset", Fails(TransportErrorKind::Other)),
        ("no answer", Hangs),
        ("500", Body(500, "busy".to_owned())),
        ("404", Body(404, r#"{"cost": 2}"#.to_owned())),
        ("429 for hours", Later(429, "36000", String::new())),
        ("not JSON", not_json()),
        (
            "no page",
            Body(200, r#"{"cost": 2, "things": 7}"#.to_owned()),
        ),
        ("another offset", page("0", "7", &["0", "1", "2"])),
        ("the same page", page("null", "7", &["0", "1", "2"])),
    ];
    for (what, answer) in cases {
        let service = Service::of([page("0", "7", &["0", "1", "2"]), answer]);
        let mut items = Things::of(&service.client()).limit(3).items();
        let mut got = Vec::new();
        let error = loop {
            let next = tokio::time::timeout(Duration::from_secs(3600), items.next()).await;
            match next {
                Ok(Some(Ok(thing))) => got.push(thing.0),
                Ok(Some(Err(error))) => break Some(error),
                Ok(None) => panic!("{what} was no error"),
                // Nobody but the caller gives up a transport of the caller's.
                Err(_) => break None,
            }
        };
        let resume = error.map_or_else(|| items.offset(), |error| error.resume_offset().unwrap());
        assert_eq!(
            (got.as_slice(), resume),
            ([0, 1, 2].as_slice(), 3),
            "{what}"
        );
        assert_eq!(items.offset(), 3, "{what}");
        drop(items);
        let service = Service::of([page("3", "7", &["3", "4", "5"]), page("6", "7", &["6"])]);
        let mut rest = Things::of(&service.client())
            .limit(3)
            .offset(resume)
            .items();
        assert_eq!(numbers(&mut rest).await, [3, 4, 5, 6], "{what}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_of_a_page_says_all_that_the_error_of_its_call_says() {
    let answer = r#"{"cost": 2, "things": [1], "total": "many"}"#;
    let service = Service::of([Body(200, answer.to_owned())]);
    let error = Things::of(&service.client()).items().next().await;
    let error = error.unwrap().unwrap_err();
    assert_eq!(error.operation(), Some("paid"));
    assert_eq!(error.status().unwrap(), 200);
    assert_eq!(error.body().unwrap(), answer);
    assert_eq!(error.path(), Some("/total"));
    assert!(error.headers().is_some());
    assert_eq!(error.outcome(), Outcome::Charged(credits("2")));
    assert!(error.may_have_been_charged() && !error.is_retryable());
    assert!(matches!(error.of_call(), Error::Decode(_)));

    let service = Service::of([Later(429, "7200", "slowly".to_owned())]);
    let error = Things::of(&service.client()).pages().next().await;
    let error = error.unwrap().unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_secs(7200)));
    assert_eq!((error.attempts(), error.outcome()), (1, Outcome::Rejected));
    assert!(error.is_retryable() && !error.may_have_been_charged());
    assert_eq!(error.body().unwrap(), "slowly");
    assert_eq!(error.path(), None);
    assert!(error.to_string().contains("slowly"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_page_that_was_not_asked_for_costs_once_and_keeps_its_bytes() {
    for (offset, message) in [
        (
            "0",
            "paid (GET /paid) was asked for the page at offset 3 and sent the one at 0; \
             start a new run at 3, or at 6 after using the records of `take_refused`",
        ),
        (
            "null",
            "paid (GET /paid) was asked for the page at offset 3 and sent the records of the one at 0; \
             start a new run at 3, or at 6 after using the records of `take_refused`",
        ),
    ] {
        let first = || page(offset, "7", &["0", "1", "2"]);
        let service = Service::of([first(), first()]);
        let client = service.client();
        let mut items = Things::of(&client).items();
        assert_eq!(numbers(&mut items).await.len(), 3);
        assert_eq!(service.asked().len(), 2);
        assert_eq!(client.ledger().usage().spent, credits("4"));

        let service = Service::of([first(), first()]);
        let mut pages = Things::of(&service.client()).pages();
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
        assert_eq!(page.meta.reported_charge, Some(credits("2")));
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
    let mut items = Things::of(&service.client()).items();
    let mut seen = Vec::new();
    while let Some(item) = items.next().await {
        match item {
            Ok(thing) => seen.push(Ok(thing.0)),
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
    assert_eq!((first.operation(), first.path()), (Some("paid"), Some("")));
    assert_eq!(
        (first.attempts(), first.outcome()),
        (1, Outcome::Charged(credits("2")))
    );
    assert!(first.may_have_been_charged() && !first.is_retryable());
    let message =
        "paid (GET /paid): the record before offset 2 does not decode: invalid type: object";
    assert!(first.to_string().starts_with(message), "{first}");
    // A record is about somebody.
    assert!(!format!("{first} {first:?} {first:#?}").contains("Erika"));
}

#[tokio::test(start_paused = true)]
async fn the_key_does_not_show_where_a_record_is_quoted() {
    let bad = format!(r#""{KEY}""#);
    let service = Service::of([page("0", "1", &[&bad])]);
    let error = Things::of(&service.client()).items().next().await;
    let error = error.unwrap().unwrap_err();
    assert!(
        error.to_string().contains("invalid type: string"),
        "{error}"
    );
    assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_dropped_leaves_its_call_at_risk_and_one_that_waits_does_not_call_twice() {
    let service = Service::of([page("0", "7", &["0", "1", "2"]), Hangs]);
    let client = service.builder().budget(credits("10")).build().unwrap();
    let mut items = Things::of(&client).items().take(4);
    for _ in 0..3 {
        items.next().await.unwrap().unwrap();
    }
    // Giving up `next` is not giving up the stream.
    for _ in 0..3 {
        let next = tokio::time::timeout(Duration::from_secs(9), items.next()).await;
        assert!(next.is_err());
        let (spent, reserved) = (credits("2"), credits("2"));
        assert_eq!(books(client.ledger()), (spent, reserved, Credits::ZERO));
    }
    assert_eq!(service.asked().len(), 2);
    assert_eq!(items.offset(), 3);
    drop(items);
    let (spent, at_risk) = (credits("2"), credits("2"));
    assert_eq!(books(client.ledger()), (spent, Credits::ZERO, at_risk));
}

#[tokio::test(start_paused = true)]
async fn pages_that_cannot_be_are_refused_before_anything_is_sent() {
    let service = Service::of([]);
    let client = service.client();
    let without = Things {
        is_given_what_it_requires: false,
        ..Things::of(&client)
    };
    for (things, message) in [
        (
            Things::of(&client).limit(0),
            "paid: `limit` is 0, and such pages have no records: ask for at least 1",
        ),
        (
            without,
            "paid: `of` is missing, and without it there are no pages",
        ),
    ] {
        let mut pages = things.clone().pages();
        let error = pages.next().await.unwrap().unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error:?}");
        assert_eq!(error.to_string(), message);
        assert_eq!(error.resume_offset(), None);
        assert!(pages.next().await.is_none());
        let mut items = things.items();
        assert!(items.next().await.unwrap().is_err());
        assert!(items.next().await.is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn lists_beside_each_other_go_on_from_where_the_last_of_them_is() {
    let service = Service::of([
        groups(&[
            (r#""a""#, "5", &["10", "11"]),
            (r#""b""#, "3", &["20", "21", "22"]),
            (r#""c""#, "4", &["30"]),
        ]),
        // In another order, and without the one that is at its end.
        groups(&[
            (r#""c""#, "4", &["31", "32", "33"]),
            (r#""a""#, "5", &["11", "12", "13"]),
        ]),
        groups(&[(r#""a""#, "5", &["14"]), (r#""c""#, "4", &[])]),
    ]);
    let mut items = Things::of(&service.client()).items();
    let mut numbers = numbers(&mut items).await;
    assert_eq!(service.asked(), ["", "offset=1", "offset=4"]);
    numbers.sort_unstable();
    assert_eq!(numbers, [10, 11, 12, 13, 14, 20, 21, 22, 30, 31, 32, 33]);
}

#[tokio::test(start_paused = true)]
async fn a_page_of_lists_is_resumed_as_a_whole() {
    let first = groups(&[(r#""a""#, "3", &["10", "11"]), (r#""b""#, "3", &["20"])]);
    let second = groups(&[
        (r#""a""#, "3", &["11", "12"]),
        (r#""b""#, "3", &[r#""?""#, "22"]),
    ]);
    let service = Service::of([first, second]);
    let mut items = Things::of(&service.client()).items();
    for offset in [0, 0, 1, 1] {
        items.next().await.unwrap().unwrap();
        assert_eq!(items.offset(), offset);
    }
    let error = items.next().await.unwrap().unwrap_err();
    assert_eq!(error.resume_offset(), Some(1));
    assert_eq!(items.next().await.unwrap().unwrap(), Thing::from(22));
    assert!(items.next().await.is_none());
    assert_eq!(items.offset(), 3);
}

#[tokio::test(start_paused = true)]
async fn one_page_is_in_memory_at_a_time() {
    let service = seven();
    let mut items = Things::of(&service.client()).items();
    for left in [2, 1, 0, 2, 1, 0, 0] {
        items.next().await.unwrap().unwrap();
        assert_eq!(Thing::alive(), left);
    }
}

#[tokio::test]
async fn streams_can_be_sent_to_another_task_and_live_for_themselves() {
    fn spawnable<T: Send + Unpin + 'static>(stream: T) -> T {
        stream
    }
    let service = seven();
    let client = service.client();
    let items: Items<Things> = spawnable(Things::of(&client).items());
    let pages: Pages<Things> = spawnable(Things::of(&client).pages());
    drop((client, pages));
    let mut items = items;
    let task = tokio::spawn(async move { numbers(&mut items).await });
    assert_eq!(task.await.unwrap().len(), 7);
}

#[test]
fn streams_work_as_streams_without_a_runtime_of_their_own() {
    let service = Service::of([page("0", "1", &["0"])]);
    let mut items = pin!(Things::of(&service.client()).items());
    let mut context = Context::from_waker(Waker::noop());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let _inside = runtime.enter();
    assert!(items.as_mut().poll_next(&mut context).is_pending());
    // The call goes on by itself.
    runtime.block_on(tokio::task::yield_now());
    let next = items.as_mut().poll_next(&mut context);
    assert!(matches!(next, Poll::Ready(Some(Ok(Thing(0))))));
    let end = items.as_mut().poll_next(&mut context);
    assert!(matches!(end, Poll::Ready(None)));
}

#[tokio::test(start_paused = true)]
async fn debug_output_shows_where_a_stream_is_and_nothing_of_the_records() {
    let service = seven();
    let mut items = Things::of(&service.client()).items().take(9);
    items.next().await.unwrap().unwrap();
    assert_eq!(
        format!("{items:?}"),
        "Items { offset: 1, ready: 2, wanted: Some(8), .. }"
    );
    let mut pages = Things::of(&service.client()).pages();
    pages.next().await.unwrap().unwrap_err();
    assert_eq!(
        format!("{pages:?}"),
        "Pages { offset: 0, wanted: None, .. }"
    );
}

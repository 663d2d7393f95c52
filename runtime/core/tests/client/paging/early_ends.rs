//! How runs through pages end early: pages that come again, totals that fall, pages without records. All that came is given, and paid for once.

use futures_core::Stream;
use generated_client::error::PagingCause;
use generated_client::{Error, Outcome};

use crate::support::scripted_client::credits;
use crate::support::things::{Reply, Service, groups, numbers, page};

/// Returns a page of seven without an offset.
fn of_seven(things: &[&str]) -> Reply {
    page("null", "7", things)
}

/// Returns the numbers of records promised and received; `None` for another cause.
fn short(error: &Error) -> Option<(u64, u64)> {
    let Error::Paging(error) = error else {
        return None;
    };
    match error.cause {
        PagingCause::Short {
            promised, received, ..
        } => Some((promised, received)),
        _ => None,
    }
}

#[tokio::test(start_paused = true)]
async fn the_records_of_a_refused_page_are_given_once_and_the_run_may_go_on_after_them() {
    let pages = [of_seven(&["5", "5"]), of_seven(&["5", "5"])];
    let service = Service::of(pages.clone());
    let client = service.client();
    let mut items = client.things().items();
    assert!(items.take_refused().is_none());
    assert_eq!(numbers(&mut items).await, [5, 5]);
    let refused = items.take_refused().unwrap();
    assert_eq!(refused.meta.outcome(), Outcome::Charged(credits("2")));
    assert_eq!(*refused.body.things, [5, 5]);
    assert!(items.take_refused().is_none());

    let service = Service::of(pages);
    let mut stream = service.client().things().pages();
    stream.next().await.unwrap().unwrap();
    let error = stream.next().await.unwrap().unwrap_err();
    let Error::Paging(error) = error else {
        panic!("{error:?}");
    };
    let PagingCause::Stalled { after, page, .. } = error.cause else {
        panic!("{error:?}");
    };
    assert_eq!((error.offset, after), (2, 4));
    let refused = stream.take_refused().unwrap();
    assert_eq!(refused.raw, page.raw);
    assert_eq!(refused.body.things.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_last_page_is_delivered_before_the_error_that_more_was_promised() {
    let responses = [of_seven(&["0", "1"]), page("null", "3", &["2"])];
    let service = Service::of(responses.clone());
    let mut pages = service.client().things().pages();
    pages.next().await.unwrap().unwrap();
    pages.next().await.unwrap().unwrap();
    assert_eq!(
        (pages.size_hint(), pages.missing()),
        ((0, Some(1)), Some(3))
    );
    let error = pages.next().await.unwrap().unwrap_err();
    assert_eq!(
        (short(&error), error.resume_offset()),
        (Some((7, 3)), Some(3))
    );
    assert!(pages.take_refused().is_none());
    assert_eq!(pages.size_hint(), (0, Some(0)));

    // Who wants no more has no error.
    let service = Service::of(responses.clone());
    let mut items = service.client().things().items().take(3);
    assert_eq!(numbers(&mut items).await, [0, 1, 2]);
    assert!(items.next().await.is_none());
    let service = Service::of(responses);
    let mut items = service.client().things().items();
    for (is_record, most) in [(true, 6), (true, 5), (true, 1), (false, 0)] {
        assert_eq!(items.next().await.unwrap().is_ok(), is_record);
        assert_eq!(items.size_hint().1, Some(most));
    }
}

#[tokio::test(start_paused = true)]
async fn of_several_lists_the_one_that_ended_short_is_told_and_the_others_are_not_paid_for_again() {
    let service = Service::of([
        groups(&[(r#""a""#, "9", &["0"]), (r#""b""#, "3", &["1"])]),
        groups(&[(r#""b""#, "3", &["2", "3"])]),
    ]);
    let mut items = service.client().groups().of(["all"]).items();
    for (number, missing) in [(0, None), (1, None), (2, Some(1)), (3, Some(1))] {
        assert_eq!(items.next().await.unwrap().unwrap(), number);
        assert_eq!(items.missing(), missing);
    }
    let error = items.next().await.unwrap().unwrap_err();
    assert_eq!(
        (short(&error), error.resume_offset()),
        (Some((12, 4)), Some(3))
    );
    assert_eq!(
        error.to_string(),
        "groups (GET /groups) promised 12 records and sent 4; start a new run at 3, and stop when a run delivers nothing \
         (records of a list are missing from offset 1 on)"
    );
    let Error::Paging(error) = error else {
        panic!("{error:?}");
    };
    assert_eq!(error.missing, Some(1));
}

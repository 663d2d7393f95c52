//! A table over sockets: each promise of a run through pages, for a list of each style, against a service that misbehaves. A cell is a
//! test.

mod command_line;
mod rows;
mod service;
mod single;

use lists_client::Error;
use lists_client::error::PagingCause;
use lists_client::paging::Position;
use tokio::net::TcpListener;

use rows::{Row, Run, Says, Unit};
use service::{CALLS, Deed, RECORDS, Running, SIZE};

/// Makes one test of a promise for each row.
macro_rules! promise {
    ($name:ident: $($row:ident)*) => {
        mod $name {
            $(
                #[tokio::test]
                async fn $row() {
                    super::$name($crate::listings::rows::$row).await;
                }
            )*
        }
    };
    ($name:ident) => {
        $crate::listings::promise!(
            $name: list_issues list_tracks list_charges query_database list_files list_articles list_users list_notes
                search_reports search_hits
        );
    };
}

use promise;

fn ids(records: std::ops::Range<usize>) -> Vec<u64> {
    records.map(|id| id as u64).collect()
}

/// Returns the records until the end or an error.
async fn rest(run: &mut Box<dyn Run>) -> (Vec<u64>, Option<Error>) {
    let mut ids = Vec::new();
    loop {
        match run.next().await {
            Some(Ok(id)) => ids.push(id),
            Some(Err(error)) => return (ids, Some(error)),
            None => return (ids, None),
        }
    }
}

fn cause(error: Option<Error>) -> PagingCause {
    match error {
        Some(Error::Paging(error)) => error.cause,
        other => panic!("{other:?}"),
    }
}

promise!(records_come_once_lazily_and_the_end_is_known);
async fn records_come_once_lazily_and_the_end_is_known(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Honest).await;
    let mut run = running.items();
    assert_eq!(running.calls(), 0);
    for id in 0..RECORDS {
        assert_eq!(run.next().await.unwrap().unwrap(), id as u64);
        assert_eq!(running.calls(), id / SIZE + 1);
    }
    assert!(run.is_over());
    assert!(run.next().await.is_none());
    assert_eq!(running.calls(), CALLS);
}

promise!(a_run_goes_on_after_each_record_and_take_asks_for_no_more);
async fn a_run_goes_on_after_each_record_and_take_asks_for_no_more(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Honest).await;
    for taken in 0..=RECORDS {
        let before = running.calls();
        let mut run = running.items().take(taken as u64);
        assert_eq!(rest(&mut run).await.0, ids(0..taken));
        assert_eq!(running.calls() - before, taken.div_ceil(SIZE));
        let position: Position = run.position().to_string().parse().unwrap();
        let (further, error) = rest(&mut running.items().resume(&position)).await;
        assert!(error.is_none(), "{taken} {error:?}");
        assert_eq!(further, ids(taken..RECORDS));
    }
}

promise!(a_run_goes_on_after_a_call_that_failed);
async fn a_run_goes_on_after_a_call_that_failed(row: fn() -> Row) {
    for call in 1..=CALLS {
        let running = Running::start(row(), Deed::Fails(call)).await;
        let (mut all, error) = rest(&mut running.items()).await;
        let stored = error.unwrap().position().unwrap().to_string();
        assert!(!stored.contains("a-key"));
        let mut resumed = running.items().resume(&stored.parse().unwrap());
        let (further, error) = rest(&mut resumed).await;
        assert!(error.is_none(), "{error:?}");
        all.extend(further);
        assert_eq!((all, running.calls()), (ids(0..RECORDS), CALLS + 1));
    }
}

promise!(a_run_goes_on_after_a_page_without_its_list);
async fn a_run_goes_on_after_a_page_without_its_list(row: fn() -> Row) {
    for call in 1..=CALLS {
        let running = Running::start(row(), Deed::Lacks(call)).await;
        let (mut all, error) = rest(&mut running.items()).await;
        assert_eq!(all, ids(0..(call - 1) * SIZE));
        let error = error.unwrap();
        assert_eq!(error.body().unwrap(), r#"{"error":"quota exceeded"}"#);
        let mut resumed = running.items().resume(error.position().unwrap());
        all.extend(rest(&mut resumed).await.0);
        assert_eq!((all, running.calls()), (ids(0..RECORDS), CALLS + 1));
    }
}

promise!(credits_bound_a_run_which_goes_on_later);
async fn credits_bound_a_run_which_goes_on_later(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Honest).await;
    let (mut all, error) = rest(&mut running.items().at_most(2)).await;
    assert_eq!((all.len(), running.calls()), (2 * SIZE, 2));
    let position = error.unwrap().position().unwrap().clone();
    all.extend(rest(&mut running.items().resume(&position)).await.0);
    assert_eq!((all, running.calls()), (ids(0..RECORDS), CALLS));
}

promise!(a_page_that_comes_again_is_an_error_with_a_way_on);
async fn a_page_that_comes_again_is_an_error_with_a_way_on(row: fn() -> Row) {
    for call in 2..=CALLS {
        let running = Running::start(row(), Deed::Repeats(call)).await;
        let mut run = running.items();
        let (first, error) = rest(&mut run).await;
        let before = (call - 1) * SIZE;
        assert_eq!((first, running.calls()), (ids(0..before), call));
        let position = error.as_ref().unwrap().position().unwrap().clone();
        let cause = cause(error);
        let PagingCause::Stalled { position_after, .. } = cause else {
            panic!("{cause:?}");
        };
        assert!(run.has_refused() && run.next().await.is_none());
        // Without the records of that page, its call is repeated; with them, the run goes on after it.
        let (again, error) = rest(&mut running.items().resume(&position)).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(again, ids(before..RECORDS));
        let is_last_id = row().unit() == Unit::Last;
        assert_eq!(
            position_after.is_some(),
            call < CALLS && !is_last_id || is_counted(&row())
        );
        if let Some(position) = position_after.filter(|_| call < CALLS) {
            let (after, error) = rest(&mut running.items().resume(&position)).await;
            assert!(error.is_none(), "{error:?}");
            assert_eq!(after, ids(call * SIZE..RECORDS));
        }
    }
}

/// Returns whether pages name the next page by numbers only, which also hold for a page that was not requested.
fn is_counted(row: &Row) -> bool {
    row.says.iter().all(|says| matches!(says, Says::Total(_)))
}

promise!(a_circle_is_an_error_before_its_second_round: list_issues list_tracks query_database list_files);
async fn a_circle_is_an_error_before_its_second_round(row: fn() -> Row) {
    for call in 2..CALLS {
        let running = Running::start(row(), Deed::Circle(call)).await;
        let (all, error) = rest(&mut running.items()).await;
        assert_eq!((all, running.calls()), (ids(0..call * SIZE), call));
        let cause = cause(error);
        assert!(matches!(cause, PagingCause::Unknown { .. }), "{cause:?}");
    }
}

promise!(an_endless_row_of_empty_pages_is_an_error_with_a_position: list_issues list_tracks query_database list_files);
async fn an_endless_row_of_empty_pages_is_an_error_with_a_position(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Endless).await;
    let (none, error) = rest(&mut running.items()).await;
    assert_eq!((none, running.calls()), (Vec::new(), 100));
    let position = error.as_ref().unwrap().position().unwrap().clone();
    assert!(error.unwrap().to_string().contains("100th in a row"));
    // A later run begins after these pages, and allows as many empty pages again.
    rest(&mut running.items().resume(&position)).await;
    assert_eq!(running.calls(), 200);
}

promise!(a_total_that_is_not_reached_is_an_error: list_files list_users search_hits);
async fn a_total_that_is_not_reached_is_an_error(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Counts(RECORDS + 1)).await;
    let (all, error) = rest(&mut running.items()).await;
    assert_eq!(all, ids(0..RECORDS));
    assert!(matches!(
        cause(error),
        PagingCause::Short {
            promised: 9,
            received: 8,
            ..
        }
    ));
    // A total that is too low ends a run: no call is made beyond it.
    let running = Running::start(row(), Deed::Counts(2 * SIZE)).await;
    let (all, error) = rest(&mut running.items()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!((all, running.calls()), (ids(0..2 * SIZE), 2));
}

promise!(an_early_end_is_an_error_where_a_total_promised_more: list_issues list_tracks list_charges query_database list_files list_articles search_reports);
async fn an_early_end_is_an_error_where_a_total_promised_more(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Ends(2)).await;
    let (all, error) = rest(&mut running.items()).await;
    assert_eq!((all, running.calls()), (ids(0..2 * SIZE), 2));
    // A total promises nothing where a link may begin anywhere.
    let is_link = row().says.iter().any(|says| matches!(says, Says::Link(_)));
    if row().has_total() && !is_link {
        let position = error.as_ref().unwrap().position().unwrap().clone();
        assert!(matches!(cause(error), PagingCause::Short { .. }));
        // A later run requests the last page again, which now has a next one.
        let (further, error) = rest(&mut running.items().resume(&position)).await;
        assert!(error.is_none(), "{error:?}");
        assert_eq!(further, ids(2 * SIZE..RECORDS));
    } else {
        assert!(error.is_none(), "{error:?}")
    }
}

promise!(a_run_ends_although_a_page_is_skipped);
async fn a_run_ends_although_a_page_is_skipped(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Skips(2)).await;
    let (all, _) = rest(&mut running.items()).await;
    assert_eq!(all[..SIZE + 2], [0, 1, 2, 6, 7]);
    assert!(running.calls() <= CALLS + 1, "{}", running.calls());
}

promise!(no_record_is_lost_when_pages_get_smaller: list_issues list_tracks list_charges query_database list_files search_hits);
async fn no_record_is_lost_when_pages_get_smaller(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Shrinks).await;
    let (all, error) = rest(&mut running.items()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(all, ids(0..RECORDS));
}

promise!(a_record_that_does_not_decode_stands_in_its_place);
async fn a_record_that_does_not_decode_stands_in_its_place(row: fn() -> Row) {
    let running = Running::start(row(), Deed::Spoils).await;
    let mut run = running.items();
    let (before, error) = rest(&mut run).await;
    assert_eq!(before, ids(0..5));
    let error = error.unwrap();
    assert!(matches!(error, Error::Record(_)), "{error}");
    assert_eq!(rest(&mut run).await.0, ids(6..RECORDS));
    let mut resumed = running.items().resume(error.position().unwrap());
    assert_eq!(rest(&mut resumed).await.0, ids(6..RECORDS));
    // A type of the caller decodes it.
    let (all, error) = rest(&mut running.items_as()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(all, ids(0..RECORDS));
}

promise!(credentials_go_to_no_other_origin: list_issues list_tracks);
async fn credentials_go_to_no_other_origin(row: fn() -> Row) {
    let other = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let running = Running::start(row(), Deed::Astray(other.local_addr().unwrap())).await;
    let (first, error) = rest(&mut running.items()).await;
    assert_eq!((first, running.calls()), (ids(0..SIZE), 1));
    let error = error.unwrap().to_string();
    assert!(error.contains("another origin"), "{error}");
    let came = tokio::time::timeout(std::time::Duration::from_millis(20), other.accept());
    assert!(came.await.is_err(), "a client connected there");
}

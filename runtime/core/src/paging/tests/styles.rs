//! Single cases of each style of paging, against a faulty service. `tests/conformance/tests/listings/` has the guarantees that all styles share.

mod kinds;

use std::collections::BTreeSet;

use super::super::{Items, Pages, Position};
use crate::Error;
use crate::error::PagingCause;
use crate::request::options::CallOptions;
use crate::request::request::Request;
use kinds::*;

/// Returns the records until the end or an error.
async fn rest<K: Kind>(items: &mut Items<Things<K>>) -> (Vec<u64>, Option<Error>) {
    let mut ids = Vec::new();
    loop {
        match items.next().await {
            Some(Ok(thing)) => ids.push(thing.id),
            Some(Err(error)) => return (ids, Some(error)),
            None => return (ids, None),
        }
    }
}

fn all() -> Vec<u64> {
    (0..RECORDS as u64).collect()
}

#[tokio::test]
async fn each_page_is_a_call_with_another_key() {
    let (things, asked) = service::<Cursor>(Fault::Honest);
    let mut items = Items::new(things);
    let (ids, error) = rest(&mut items).await;
    assert!(error.is_none() && ids == all(), "{error:?}");
    let keys = asked.lock().unwrap().keys.clone();
    assert_eq!(keys[0], "mine");
    let others: BTreeSet<&String> = keys.iter().collect();
    assert_eq!(others.len(), CALLS);
}

#[tokio::test]
async fn a_run_that_ended_before_the_total_goes_on_at_its_last_page() {
    let (things, asked) = service::<Cursor>(Fault::Ends(2));
    let (ids, error) = rest(&mut Items::new(things.clone())).await;
    assert_eq!(ids, all()[..2 * SIZE]);
    let position = error.unwrap().position().unwrap().clone();
    // A later run requests the last page again, which now has a next one.
    let (ids, error) = rest(&mut Items::new(things).resume(&position).unwrap()).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(ids, all()[2 * SIZE..]);
    assert_eq!(asked.lock().unwrap().queries.len(), 4);
}

#[tokio::test]
async fn a_page_without_its_list_is_an_error_with_its_bytes_and_a_position() {
    for body in [
        "{}",
        r#"{"error": "quota exceeded"}"#,
        r#"{"things": null}"#,
    ] {
        for call in 1..=CALLS {
            let (things, asked) = service::<Linked>(Fault::Sends(call, body));
            let (mut ids, error) = rest(&mut Items::new(things.clone())).await;
            assert_eq!(ids, all()[..(call - 1) * SIZE], "{body}");
            let error = error.unwrap();
            assert!(matches!(error.of_call(), Error::Decode(_)), "{error:?}");
            assert_eq!(error.body().unwrap(), body);
            let position = error.position().unwrap();
            let (further, error) = rest(&mut Items::new(things).resume(position).unwrap()).await;
            assert!(error.is_none(), "{error:?}");
            ids.extend(further);
            assert_eq!(
                (ids, asked.lock().unwrap().queries.len()),
                (all(), CALLS + 1)
            );
        }
    }
}

/// Runs through pages of which the second is this body. Returns true for an end without an error.
async fn ends_with<K: Kind>(body: &'static str) -> bool {
    let (things, _) = service::<K>(Fault::Sends(2, body));
    let (ids, error) = rest(&mut Items::new(things)).await;
    assert_eq!(ids, [0, 1, 2], "{body}");
    error.is_none()
}

#[tokio::test]
async fn null_in_place_of_the_list_is_the_end_if_the_page_says_so() {
    assert!(ends_with::<Offset>(r#"{"things": null, "more": false}"#).await);
    assert!(!ends_with::<Offset>(r#"{"things": null, "more": true}"#).await);
    assert!(!ends_with::<Offset>(r#"{"records": [3], "more": false}"#).await);
    assert!(ends_with::<Numbered>(r#"{"things": null, "pages": 2}"#).await);
    assert!(ends_with::<Numbered>(r#"{"pages": 1}"#).await);
    assert!(!ends_with::<Numbered>(r#"{"records": [3], "pages": 2}"#).await);
    assert!(ends_with::<Linked>(r#"{"things": null, "links": {"next": null}}"#).await);
    assert!(!ends_with::<Linked>(r#"{"things": null, "links": {}}"#).await);
    // No records at all.
    for body in [
        r#"{"total": 0}"#,
        r#"{"total": 0, "things": null}"#,
        r#"{"total": 0, "things": []}"#,
    ] {
        let (things, asked) = service::<Counted>(Fault::Sends(1, body));
        let (ids, error) = rest(&mut Items::new(things)).await;
        assert!(ids.is_empty() && error.is_none(), "{body}: {error:?}");
        assert_eq!(asked.lock().unwrap().queries.len(), 1);
    }
}

async fn refers<K: Kind>(at: &'static str, json: &'static str) -> (usize, String) {
    let (things, _) = service::<K>(Fault::Refers(1, at, json));
    let (ids, error) = rest(&mut Items::new(things)).await;
    (
        ids.len(),
        error.map(|error| error.to_string()).unwrap_or_default(),
    )
}

#[tokio::test]
async fn a_reference_that_cannot_be_one_is_an_error_and_a_number_is_sent_with_its_digits() {
    for (json, kind) in [
        ("{\"id\": 3}", "an object"),
        ("[3]", "an array"),
        ("true", "`true`"),
    ] {
        let (count, error) = refers::<Cursor>("/meta/next", json).await;
        assert!(
            count == 3 && error.contains(&format!("has {kind} in place of")),
            "{error}"
        );
        let (count, error) = refers::<Linked>("/links/next", json).await;
        assert!(
            count == 3 && error.contains(&format!("has {kind} in place of")),
            "{error}"
        );
    }
    assert_eq!(
        refers::<Cursor>("/meta/next", "3").await,
        (RECORDS, String::new())
    );
    let (count, error) = refers::<Linked>("/links/next", "3").await;
    assert!(
        count == 3 && error.contains("a number in place of"),
        "{error}"
    );
    let last = r#"{"things": [{"id": 0}, 7], "has_more": true}"#;
    let (things, _) = service::<LastId>(Fault::Sends(1, last));
    let mut items = Items::new(things);
    items.next().await.unwrap().unwrap();
    assert!(matches!(items.next().await, Some(Err(Error::Record(_)))));
    let error = items.next().await.unwrap().err().unwrap();
    assert!(
        error.to_string().contains("a last record without"),
        "{error}"
    );
}

#[tokio::test]
async fn an_empty_page_that_repeats_its_own_cursor_or_link_is_the_end() {
    let (things, asked) = service::<Relative>(Fault::Sends(
        2,
        r#"{"things": [], "next": "?of=a%20b&at=3"}"#,
    ));
    let (ids, error) = rest(&mut Items::new(things)).await;
    assert!(ids == [0, 1, 2] && error.is_none(), "{error:?}");
    assert_eq!(asked.lock().unwrap().queries.len(), 2);
    let same = r#"{"things": [], "meta": {"next": "3"}}"#;
    let (things, asked) = service::<Cursor>(Fault::Sends(2, same));
    let mut items = Items::new(things);
    let (ids, error) = rest(&mut items).await;
    // The first page promised 8 records.
    assert!(ids == [0, 1, 2] && error.unwrap().to_string().contains("promised 8 records"));
    assert_eq!(asked.lock().unwrap().queries.len(), 2);
    // With records, it is a page that leads to itself.
    let same = r#"{"things": [{"id": 9}], "meta": {"next": "3"}}"#;
    let (things, _) = service::<Cursor>(Fault::Sends(2, same));
    let (_, error) = rest(&mut Items::new(things)).await;
    assert!(
        error
            .unwrap()
            .to_string()
            .contains("leads to an earlier page")
    );
}

/// Runs through pages of which the first is this body, from the cursor 3 on. Returns the numbers of records and calls, and the error.
async fn begins_with<K: Kind>(body: &'static str) -> (usize, usize, String) {
    let (mut things, asked) = service::<K>(Fault::Sends(1, body));
    things.cursor = Some("3");
    let (ids, error) = rest(&mut Items::new(things)).await;
    let calls = asked.lock().unwrap().queries.len();
    let error = error.map(|error| error.to_string());
    (ids.len(), calls, error.unwrap_or_default())
}

#[tokio::test]
async fn a_first_page_that_repeats_the_cursor_or_link_of_the_caller_costs_no_further_call() {
    let end = (0, 1, String::new());
    let empty = r#"{"things": [], "meta": {"next": "3"}}"#;
    assert_eq!(begins_with::<Cursor>(empty).await, end);
    let empty = r#"{"things": [], "meta": {"next": 3}}"#;
    assert_eq!(begins_with::<CursorInBody>(empty).await, end);
    let empty = r#"{"things": [], "next": "?of=a%20b"}"#;
    assert_eq!(begins_with::<Relative>(empty).await, end);
    let empty = r#"{"things": [], "links": {"next": "https://example.com/v1/things?of=a%20b"}}"#;
    assert_eq!(begins_with::<Linked>(empty).await, end);
    // With records, it is a page that leads to itself.
    for (records, calls, error) in [
        begins_with::<Cursor>(r#"{"things": [{"id": 3}], "meta": {"next": "3"}}"#).await,
        begins_with::<Relative>(r#"{"things": [{"id": 3}], "next": "?of=a%20b"}"#).await,
    ] {
        assert_eq!((records, calls), (1, 1), "{error}");
        assert!(error.contains("leads to an earlier page"), "{error}");
    }
    // Another cursor than that of the caller is followed.
    let other = r#"{"things": [], "meta": {"next": "6"}}"#;
    assert_eq!(begins_with::<Cursor>(other).await, (2, 2, String::new()));
}

#[tokio::test]
async fn records_of_the_page_before_and_records_beyond_the_total_are_counted() {
    let (things, _) = service::<Linked>(Fault::Overlaps);
    let mut items = Items::new(things);
    let (ids, error) = rest(&mut items).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(ids, [0, 1, 2, 2, 3, 4, 5, 5, 6, 7]);
    let found = items.discrepancies();
    assert_eq!((found.repeated, found.beyond_total), (2, 0));
    let low = r#"{"things": [{"id": 0}, {"id": 1}, {"id": 2}], "total": 2}"#;
    let (things, _) = service::<InBody>(Fault::Sends(1, low));
    let mut items = Items::new(things);
    let (ids, error) = rest(&mut items).await;
    assert!(ids == [0, 1, 2] && error.is_none(), "{error:?}");
    let found = items.discrepancies();
    assert_eq!((found.repeated, found.beyond_total), (0, 1));
}

#[tokio::test]
async fn a_resumed_run_takes_what_is_left_of_what_was_taken() {
    let (things, asked) = service::<Numbered>(Fault::Honest);
    let mut pages = Pages::new(things).take(2);
    for _ in 0..2 {
        let page = pages.next().await.unwrap().unwrap();
        assert_eq!(page.body.things.received(), 3);
    }
    assert!(pages.next().await.is_none());
    let position = pages.position();
    let mut again = pages.resume(&position).unwrap().take(1);
    assert!(again.next().await.is_none(), "`take` counts what came");
    assert_eq!(asked.lock().unwrap().queries.len(), 2);
}

#[tokio::test]
async fn a_position_is_valid_only_for_its_operation_and_style() {
    let (things, _) = service::<Cursor>(Fault::Honest);
    for position in [
        r#"{"version":2,"operation":"listThings","page":"first","skip":0,"records":0}"#,
        r#"{"version":1,"operation":"listOthers","page":"first","skip":0,"records":0}"#,
        r#"{"version":1,"operation":"listThings","page":{"link":"/v1/things"},"skip":0,"records":0}"#,
        r#"{"version":1,"operation":"listThings","page":{"offset":3},"skip":0,"records":3}"#,
    ] {
        let position: Position = position.parse().unwrap();
        let error = Items::new(things.clone()).resume(&position).unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error}");
    }
}

/// Interceptors rely on the documented parameters, which these calls exceed.
#[test]
fn a_link_of_an_undocumented_call_makes_an_undocumented_call() {
    let link = "/v1/things?trace=1&at=3";
    let mut request = Request::new(&THINGS);
    assert!(!request.clone().follow(link, false).has_extra_query());
    assert!(request.clone().follow(link, true).has_extra_query());
    let mut options = CallOptions::default();
    options.extras.query("trace", &1);
    assert!(
        request
            .options(&options)
            .follow(link, false)
            .has_extra_query()
    );
    // The query of the earlier call is known only from its link.
    let (things, _) = service::<Linked>(Fault::Honest);
    let position = r#"{"version":1,"operation":"listThings","page":{"link":"/v1/things?at=3"},"skip":0,"records":3}"#;
    let position: Position = position.parse().unwrap();
    let resumed = Pages::new(things).resume(&position).unwrap();
    assert!(resumed.request().has_extra_query());
}

#[tokio::test]
async fn credentials_go_to_no_other_origin() {
    for link in [
        r#""https://evil.example/v1/things?at=3""#,
        r#""//evil.example/v1/things?at=3""#,
        r#""http://example.com/v1/things?at=3""#,
        r#""https://example.com:444/v1/things?at=3""#,
        r#""https://user@example.com/v1/things?at=3""#,
        r#""https://[""#,
    ] {
        let (things, asked) = service::<Relative>(Fault::Refers(1, "/next", link));
        let (ids, error) = rest(&mut Items::new(things.clone())).await;
        assert_eq!(ids, [0, 1, 2]);
        let Some(Error::Paging(error)) = error else {
            panic!("{error:?}");
        };
        let is_unknown = matches!(error.cause, PagingCause::Unknown { .. });
        assert!(is_unknown, "{error}");
        // A link in a position is not followed either.
        let position = format!(
            r#"{{"version":1,"operation":"listThings","page":{{"link":{link}}},"skip":0,"records":3}}"#
        );
        let position: Position = position.parse().unwrap();
        let (_, error) = rest(&mut Items::new(things).resume(&position).unwrap()).await;
        assert!(matches!(error, Some(Error::Argument(_))), "{error:?}");
        assert_eq!(asked.lock().unwrap().queries.len(), 1);
    }
}

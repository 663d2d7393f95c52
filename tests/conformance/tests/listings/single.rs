//! Single cases of paging, against pages that no row of the table has.

use std::collections::BTreeSet;

use lists_client::error::PagingCause;
use lists_client::money::PriceSource;
use lists_client::operations::{ListFiles, ListTracks};
use lists_client::paging::{Items, Paged, Pages, Position};
use lists_client::testing::{Reply, Script};
use lists_client::types::{QueryDatabaseBody, SearchHitsBody};
use lists_client::{Client, Error, RetryPolicy};

use super::ids;
use super::rows::Id;

/// A service that sends these bodies in turn.
fn sending<const N: usize>(bodies: [&str; N]) -> (Client, Script) {
    scripted(bodies.map(|body| Reply::new(200, body.to_owned())))
}

fn scripted<const N: usize>(replies: [Reply; N]) -> (Client, Script) {
    let script = Script::new(replies);
    let builder = Client::builder("https://example.com/v1").api_key("a-key");
    let builder = builder.retry(RetryPolicy::Never).transport(script.clone());
    (builder.build().unwrap(), script)
}

fn records(records: impl IntoIterator<Item = u64>) -> String {
    let one = |id| format!(r#"{{"id": {id}, "size": 1}}"#);
    let all: Vec<String> = records.into_iter().map(one).collect();
    format!("[{}]", all.join(", "))
}

/// Returns a page of files with its cursor as JSON. There are eight of them.
fn files(of: std::ops::Range<u64>, next: &str) -> String {
    let files = records(of);
    format!(r#"{{"files": {files}, "nextPageToken": {next}, "total": 8}}"#)
}

/// Returns a page of tracks with its link as JSON.
fn tracks(of: std::ops::Range<u64>, next: &str) -> String {
    let items = records(of);
    format!(r#"{{"tracks": {{"items": {items}, "next": {next}}}}}"#)
}

fn list_files(client: &Client) -> ListFiles {
    client.list_files()
}

fn list_tracks(client: &Client) -> ListTracks {
    client.list_tracks("7").of("a b")
}

/// Returns the records until the end or an error, and the message of that.
async fn rest<P: Paged<Item: Id>>(items: &mut Items<P>) -> (Vec<u64>, String) {
    let mut ids = Vec::new();
    loop {
        match items.next().await {
            Some(Ok(record)) => ids.push(record.id()),
            Some(Err(error)) => return (ids, error.to_string()),
            None => return (ids, String::new()),
        }
    }
}

/// Returns the records of a run through these pages, the message of its error, and the number of calls.
async fn through<P: Paged<Item: Id>, const N: usize>(
    list: fn(&Client) -> P,
    bodies: [&str; N],
) -> (Vec<u64>, String, usize) {
    let (client, script) = sending(bodies);
    let (all, error) = rest(&mut Items::new(list(&client))).await;
    (all, error, script.sent().len())
}

/// Returns whether a run whose second page is this body ends without an error.
async fn ends_with<P: Paged<Item: Id>>(list: fn(&Client) -> P, bodies: [&str; 2]) -> bool {
    let (all, error, calls) = through(list, bodies).await;
    assert_eq!((all, calls), (ids(0..3), 2), "{bodies:?}");
    error.is_empty()
}

/// The end of a run after one page without records.
fn nothing() -> (Vec<u64>, String, usize) {
    (Vec::new(), String::new(), 1)
}

#[tokio::test]
async fn null_in_place_of_the_list_is_the_end_if_the_page_says_so() {
    let all = records(0..3);
    let first = format!(r#"{{"data": {all}, "has_more": true}}"#);
    for (body, is_end) in [
        (r#"{"data": null, "has_more": false}"#, true),
        (r#"{"data": null, "has_more": true}"#, false),
        (r#"{"records": [3], "has_more": false}"#, false),
    ] {
        let list = |client: &Client| client.list_charges();
        assert_eq!(ends_with(list, [&first, body]).await, is_end, "{body}");
    }
    let first = format!(r#"{{"articles": {all}, "meta": {{"total_pages": 3}}}}"#);
    for (body, is_end) in [
        (r#"{"articles": null, "meta": {"total_pages": 2}}"#, true),
        (r#"{"meta": {"total_pages": 1}}"#, true),
        (r#"{"records": [3], "meta": {"total_pages": 2}}"#, false),
    ] {
        let list = |client: &Client| client.list_articles();
        assert_eq!(ends_with(list, [&first, body]).await, is_end, "{body}");
    }
    let first = tracks(0..3, r#""?of=a%20b&at=3""#);
    for (body, is_end) in [
        (r#"{"tracks": {"items": null, "next": null}}"#, true),
        (r#"{"tracks": {"items": null}}"#, false),
        ("{}", false),
    ] {
        let ended = ends_with(list_tracks, [&first, body]).await;
        assert_eq!(ended, is_end, "{body}");
    }
    // No records at all.
    for body in [
        r#"{"total": 0}"#,
        r#"{"total": 0, "files": null}"#,
        r#"{"total": 0, "files": []}"#,
    ] {
        assert_eq!(through(list_files, [body]).await, nothing(), "{body}");
    }
}

#[tokio::test]
async fn a_reference_that_cannot_be_one_is_an_error_and_a_number_is_sent_with_its_digits() {
    for (json, kind) in [
        (r#"{"id": 3}"#, "an object"),
        ("[3]", "an array"),
        ("true", "`true`"),
    ] {
        let said = format!("has {kind} in place of");
        let of_files = through(list_files, [&files(0..3, json)]).await;
        let of_tracks = through(list_tracks, [&tracks(0..3, json)]).await;
        for (all, error, _) in [of_files, of_tracks] {
            assert!(all == ids(0..3) && error.contains(&said), "{error}");
        }
    }
    let (client, script) = sending([&*files(0..3, "3"), &*files(3..8, "null")]);
    let run = rest(&mut client.list_files().items()).await;
    assert_eq!(run, (ids(0..8), String::new()));
    assert_eq!(script.sent()[1].query, "pageToken=3");
    let (_, error, _) = through(list_tracks, [&tracks(0..3, "3")]).await;
    assert!(error.contains("a number in place of"), "{error}");

    let (client, _) = sending([r#"{"data": [{"id": 0, "size": 1}, 7], "has_more": true}"#]);
    let mut items = client.list_charges().items();
    items.next().await.unwrap().unwrap();
    assert!(matches!(items.next().await, Some(Err(Error::Record(_)))));
    let (_, error) = rest(&mut items).await;
    assert!(error.contains("a last record without"), "{error}");
}

#[tokio::test]
async fn an_empty_page_that_repeats_its_own_cursor_or_link_is_the_end() {
    let link = r#""?of=a%20b&at=3#top""#;
    assert!(ends_with(list_tracks, [&tracks(0..3, link), &tracks(0..0, link)]).await);
    for (second, said) in [
        (files(0..0, r#""3""#), "promised 8 records"),
        // With records, it is a page that leads to itself.
        (files(3..4, r#""3""#), "leads to an earlier page"),
    ] {
        let (_, error, calls) = through(list_files, [&files(0..3, r#""3""#), &second]).await;
        assert!(error.contains(said), "{error}");
        assert_eq!(calls, 2);
    }
}

#[tokio::test]
async fn a_first_page_that_repeats_the_cursor_or_link_of_the_caller_costs_no_further_call() {
    let list_files = |client: &Client| list_files(client).page_token("3");
    let empty = r#"{"files": [], "nextPageToken": "3"}"#;
    assert_eq!(through(list_files, [empty]).await, nothing());
    let body = QueryDatabaseBody::new().start_cursor("3");
    let empty = Reply::new(200, r#"{"results": []}"#).header("x-next-cursor", "3");
    let (client, script) = scripted([empty]);
    let call = client.query_database("7").body(body);
    let run = rest(&mut call.items()).await;
    assert_eq!((run, script.sent().len()), ((Vec::new(), String::new()), 1));
    for link in [
        r#""?of=a%20b""#,
        r#""https://example.com/v1/playlists/7/tracks?of=a%20b""#,
    ] {
        let run = through(list_tracks, [&tracks(0..0, link)]).await;
        assert_eq!(run, nothing());
    }
    // With records, it is a page that leads to itself.
    let of_files = through(list_files, [&files(3..4, r#""3""#)]).await;
    let of_tracks = through(list_tracks, [&tracks(3..4, r#""?of=a%20b""#)]).await;
    for (_, error, calls) in [of_files, of_tracks] {
        assert!(error.contains("leads to an earlier page"), "{error}");
        assert_eq!(calls, 1);
    }
    // Another cursor than that of the caller is followed.
    let bodies = [&*files(0..0, r#""6""#), &files(0..8, "null")];
    let run = through(list_files, bodies).await;
    assert_eq!(run, (ids(0..8), String::new(), 2));
}

#[tokio::test]
async fn records_of_the_page_before_and_records_beyond_the_total_are_returned() {
    let next = |at: u64| format!(r#""?of=a%20b&at={at}""#);
    let bodies = [
        &*tracks(0..3, &next(3)),
        &tracks(2..6, &next(6)),
        &tracks(5..8, "null"),
    ];
    let run = through(list_tracks, bodies).await;
    assert_eq!(run, (vec![0, 1, 2, 2, 3, 4, 5, 5, 6, 7], String::new(), 3));

    let hits = format!(r#"{{"hits": {}, "total": 2}}"#, records(0..3));
    let list = |client: &Client| client.search_hits(SearchHitsBody::new("a"));
    let run = through(list, [&hits]).await;
    assert_eq!(run, (ids(0..3), String::new(), 1));
}

#[tokio::test]
async fn each_page_is_a_call_with_another_key() {
    let page = |id: u64, next: &str| {
        let reply = Reply::new(200, format!(r#"{{"results": {}}}"#, records([id])));
        reply.header("x-next-cursor", next)
    };
    let last = Reply::new(200, r#"{"results": [], "has_more": false}"#);
    let (client, script) = scripted([page(0, "1"), page(1, "2"), last]);
    let call = client.query_database("7").idempotency_key("mine");
    let (_, error) = rest(&mut call.items()).await;
    assert_eq!(error, "");
    let key = |sent: &lists_client::testing::Sent| sent.headers["idempotency-key"].clone();
    let sent = script.sent();
    let keys = sent.iter().map(|one| key(one).as_bytes().to_vec());
    let keys: BTreeSet<Vec<u8>> = keys.collect();
    assert_eq!((key(&sent[0]), keys.len()), ("mine".parse().unwrap(), 3));
}

#[tokio::test]
async fn a_resumed_run_takes_what_is_left_of_what_was_taken() {
    let page = format!(
        r#"{{"articles": {}, "meta": {{"total_pages": 3}}}}"#,
        records(0..3)
    );
    let (client, script) = sending([&*page, &*page.replace("[{", "[{\"name\": \"b\", ")]);
    let mut pages = Pages::new(client.list_articles()).take(2);
    for _ in 0..2 {
        pages.next().await.unwrap().unwrap();
    }
    assert!(pages.next().await.is_none());
    let position = pages.position();
    let mut again = pages.resume(&position).unwrap().take(1);
    assert!(again.next().await.is_none(), "`take` counts what came");
    assert_eq!(script.sent().len(), 2);
}

#[tokio::test]
async fn a_position_is_valid_only_for_its_operation_and_style() {
    let (client, _) = sending([]);
    for position in [
        r#"{"version":2,"operation":"listFiles","page":"first","skip":0,"records":0}"#,
        r#"{"version":1,"operation":"listOthers","page":"first","skip":0,"records":0}"#,
        r#"{"version":1,"operation":"listFiles","page":{"link":"/v1/files"},"skip":0,"records":0}"#,
        r#"{"version":1,"operation":"listFiles","page":{"offset":3},"skip":0,"records":3}"#,
    ] {
        let position: Position = position.parse().unwrap();
        let error = client.list_files().items().resume(&position).unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error}");
    }
}

/// Its query may have parameters that change the price.
#[tokio::test]
async fn a_run_from_a_link_of_an_earlier_one_has_an_unknown_price() {
    let (client, _) = sending([]);
    let run = || list_tracks(&client).items();
    assert_eq!(run().quote().source, PriceSource::Observed);
    let position = r#"{"version":1,"operation":"listTracks","page":{"link":"/v1/playlists/7/tracks?at=3"},"skip":0,"records":3}"#;
    let resumed = run().resume(&position.parse().unwrap()).unwrap();
    assert_eq!(resumed.quote().source, PriceSource::Learned);
}

#[tokio::test]
async fn no_link_to_another_origin_is_followed() {
    for link in [
        r#""https://evil.example/v1/things?at=3""#,
        r#""//evil.example/v1/things?at=3""#,
        r#""http://example.com/v1/things?at=3""#,
        r#""https://example.com:444/v1/things?at=3""#,
        r#""https://user@example.com/v1/things?at=3""#,
        r#""https://[""#,
    ] {
        let (client, script) = sending([&*tracks(0..3, link)]);
        let mut items = list_tracks(&client).items();
        for _ in 0..3 {
            items.next().await.unwrap().unwrap();
        }
        let Some(Err(Error::Paging(error))) = items.next().await else {
            panic!("{link} is followed");
        };
        let is_unknown = matches!(error.cause, PagingCause::Unknown { .. });
        assert!(is_unknown, "{error}");
        // A link in a position is not followed either.
        let position = format!(
            r#"{{"version":1,"operation":"listTracks","page":{{"link":{link}}},"skip":0,"records":3}}"#
        );
        let resumed = list_tracks(&client)
            .items()
            .resume(&position.parse().unwrap());
        let error = resumed.unwrap().next().await.unwrap().unwrap_err();
        assert!(matches!(error, Error::Argument(_)), "{error:?}");
        assert_eq!(script.sent().len(), 1);
    }
}

//! Events and lines out of bodies that arrive in any chunks. Time is paused.

use generated_client::Error;
use generated_client::error::TransportErrorKind;
use generated_client::request::Request;
use generated_client::stream::{EventForm, Events, Items, ResponseStream};
use generated_client::testing::{Reply, Script};
use serde::Deserialize;
use serde_json::Value;

use super::builder;
use crate::support::api::LIST;

/// Returns a stream of these chunks, of a client that takes at most 40 bytes at once.
async fn stream(reply: Reply) -> ResponseStream {
    let client = builder(&Script::new([reply])).max_response_bytes(40);
    let client: generated_client::Client = client.build().unwrap();
    client.send_stream(Request::new(&LIST)).await.unwrap()
}

async fn events(reply: Reply) -> Events {
    stream(reply).await.events()
}

#[derive(Debug, PartialEq, Deserialize)]
struct Change {
    size: i64,
}

#[tokio::test(start_paused = true)]
async fn only_where_data_is_json_a_mark_ends_the_stream() {
    const TEXTS: EventForm = EventForm::Event { texts: &["log"] };
    for (form, event, count) in [
        (None, "message", 1),
        (Some(EventForm::Data), "message", 1),
        (Some(TEXTS), "message", 1),
        (Some(TEXTS), "log", 3),
        (Some(EventForm::Text), "message", 3),
        (Some(EventForm::TextData), "message", 3),
    ] {
        let chunks = ["7", "[DONE]", "8"].map(|data| format!("event: {event}\ndata: {data}\n\n"));
        let reply =
            || Reply::chunked(200, chunks.clone()).header("content-type", "text/event-stream");
        let stream = || async {
            let stream = stream(reply()).await;
            match form {
                Some(form) => stream.of::<Value>(form),
                None => stream,
            }
        };
        let mut items = stream().await.items();
        let mut found = Vec::new();
        while let Some(item) = items.next().await {
            found.push(item.unwrap());
        }
        assert_eq!(found.len(), count, "{form:?} {event}: {found:?}");
        if form == Some(EventForm::TextData) {
            assert_eq!(found, ["7", "[DONE]", "8"]);
        }
        // Events of an undescribed stream are whatever they are.
        let mut events = stream().await.events();
        let mut all = 0;
        while events.next().await.transpose().unwrap().is_some() {
            all += 1;
        }
        assert_eq!(all, if form.is_none() { 3 } else { count });
    }
}

#[tokio::test(start_paused = true)]
async fn an_event_that_breaks_off_is_in_the_error() {
    let reply = Reply::chunked(200, ["data: 1\n\ndata: 2\ndata: ", "3"]);
    let mut events = events(reply.breaks_off(TransportErrorKind::Body)).await;
    assert_eq!(events.next().await.unwrap().unwrap().data, "1");
    let error = events.next().await.unwrap().unwrap_err();
    assert!(matches!(&error, Error::Transport(e) if e.kind() == TransportErrorKind::Body));
    assert_eq!(error.status().unwrap(), 200);
    assert_eq!(error.body().unwrap(), "2\ndata: 3");
    assert!(events.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn one_event_or_line_has_the_bound_of_a_response() {
    let line = format!("\"{}\"", "x".repeat(40));
    let reply = || Reply::chunked(200, vec!["data: 12345678\n\n".to_owned(); 9]);
    let mut small = events(reply()).await;
    let mut count = 0;
    while let Some(event) = small.next().await {
        assert_eq!(event.unwrap().data, "12345678");
        count += 1;
    }
    assert_eq!(count, 9);

    let mut large = events(Reply::chunked(200, vec!["data: 12345678\n"; 9])).await;
    let error = large.next().await.unwrap().unwrap_err();
    assert!(matches!(&error, Error::Transport(e) if e.kind() == TransportErrorKind::TooLarge));
    assert_eq!(error.operation(), Some("listThings"));
    assert!(large.next().await.is_none());

    let mut lines: Items<String> = stream(Reply::chunked(200, ["\"a\"\n".to_owned(), line]))
        .await
        .json_lines();
    assert_eq!(lines.next().await.unwrap().unwrap(), "a");
    let error = lines.next().await.unwrap().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("one event or line has more than 40 bytes"),
        "{error}"
    );
    assert!(lines.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn each_line_is_a_value_and_one_that_is_none_is_an_error_of_its_own() {
    let chunks = [
        "{\"size\": 1}\n{\"si",
        "ze\": 2}\r\n\n  \n{\"size\": \"many\"}\nnot JSON\n",
        "{\"size\":\r3}",
        "\n{\"size\": 4}",
    ];
    let mut lines: Items<Change> = stream(Reply::chunked(200, chunks)).await.json_lines();
    let mut read = Vec::new();
    while let Some(value) = lines.next().await {
        read.push(value.map(|change| change.size).map_err(|error| {
            assert!(matches!(error, Error::Decode(_)), "{error}");
            String::from_utf8(error.body().unwrap().to_vec()).unwrap()
        }));
    }
    assert_eq!(
        read,
        [
            Ok(1),
            Ok(2),
            Err("{\"size\": \"many\"}".to_owned()),
            Err("not JSON".to_owned()),
            Ok(3),
            Ok(4),
        ]
    );
    let cut = Reply::chunked(200, ["1\n2"]).breaks_off(TransportErrorKind::Timeout);
    let mut lines: Items<u8> = stream(cut).await.json_lines();
    assert_eq!(lines.next().await.unwrap().unwrap(), 1);
    let error = lines.next().await.unwrap().unwrap_err();
    assert_eq!(error.body().unwrap(), "2");
    assert!(lines.next().await.is_none());
}

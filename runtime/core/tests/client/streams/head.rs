//! State of a caller once the head has arrived, and the messages about a stream. Time is paused.

use std::time::Duration;

use generated_client::error::{TransportError, TransportErrorKind};
use generated_client::request::Request;
use generated_client::testing::{Reply, Script};
use generated_client::transport::BodyStream;
use generated_client::{Bytes, Error, Method, RetryPolicy, StatusCode, http};
use tokio::time::Instant;

use super::{builder, chunks, three};
use crate::support::api::{API, KEY, LIST, client};
use crate::support::span_recorder::Recorder;

#[tokio::test(start_paused = true)]
async fn a_success_is_returned_with_its_head_and_its_chunks_follow() {
    let reply = three().header("x-a", "b").every(Duration::from_secs(30));
    let script = Script::new([reply.after(Duration::from_secs(2))]);
    let client = builder(&script).build().unwrap();
    let start = Instant::now();
    let mut stream = client.send_stream(Request::new(&LIST)).await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 2);
    // Another task can read it.
    fn is_sendable(_: &(impl futures_core::Stream + Send + Sync + Unpin)) {}
    is_sendable(&stream);
    assert_eq!(stream.meta.status, StatusCode::OK);
    assert_eq!(stream.meta.headers["x-a"], "b");
    assert_eq!(stream.next().await.unwrap().unwrap(), "one");
    assert_eq!(start.elapsed().as_secs(), 32);
    let mut rest = Vec::new();
    assert_eq!(stream.copy_to(&mut rest).await.unwrap(), 8);
    assert_eq!(rest, b"twothree");
    assert_eq!(start.elapsed().as_secs(), 92);
}

#[tokio::test(start_paused = true)]
async fn a_copy_of_a_body_that_breaks_off_has_what_arrived_and_the_error() {
    let script = Script::new([three().breaks_off(TransportErrorKind::Body)]);
    let client = builder(&script).build().unwrap();
    let mut stream = client.send_stream(Request::new(&LIST)).await.unwrap();
    let mut copy = Vec::new();
    let error = stream.copy_to(&mut copy).await.unwrap_err();
    assert_eq!(copy, b"onetwothree");
    let error = error.get_ref().unwrap().downcast_ref::<Error>().unwrap();
    assert!(matches!(error, Error::Transport(e) if e.kind() == TransportErrorKind::Body));
}

#[tokio::test(start_paused = true)]
async fn a_status_that_is_no_success_is_the_error_of_any_other_call() {
    for (status, body) in [
        (302, ""),
        (401, r#"{"title": "who?"}"#),
        (404, r#"{"cost": 3, "title": "gone"}"#),
        (500, "oh"),
    ] {
        let reply = || {
            let (start, end) = body.split_at(body.len() / 2);
            Reply::chunked(status, [start, end]).header("location", "https://elsewhere.example/")
        };
        let script = Script::new([
            reply(),
            reply(),
            reply().breaks_off(TransportErrorKind::Body),
        ]);
        let client = builder(&script).retry(RetryPolicy::Never).build().unwrap();
        let sent = client.send::<()>(Request::new(&LIST)).await.unwrap_err();
        let streamed = client.send_stream(Request::new(&LIST)).await.unwrap_err();
        assert_eq!(streamed.to_string(), sent.to_string());
        assert_eq!(streamed.status(), sent.status());
        assert_eq!(streamed.body().unwrap(), body);
        assert_eq!(streamed.outcome(), sent.outcome());
        let cut = client.send_stream(Request::new(&LIST)).await.unwrap_err();
        assert!(matches!(&cut, Error::Transport(e) if e.kind() == TransportErrorKind::Body));
        assert_eq!(cut.body().unwrap(), body, "{cut}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_body_of_an_error_has_its_bound_and_a_stream_has_none() {
    let large = vec!["x".repeat(1 << 20); 3];
    let script = Script::new([
        Reply::chunked(404, large.clone()),
        Reply::chunked(200, large),
    ]);
    let client = builder(&script)
        .max_response_bytes(2 << 20)
        .build()
        .unwrap();
    let error = client.send_stream(Request::new(&LIST)).await.unwrap_err();
    assert!(matches!(&error, Error::Transport(e) if e.kind() == TransportErrorKind::TooLarge));
    assert_eq!(error.body().unwrap().len(), 1 << 20);
    let mut stream = client.send_stream(Request::new(&LIST)).await.unwrap();
    assert_eq!(stream.copy_to(&mut Vec::new()).await.unwrap(), 3 << 20);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_ends_a_stream_whether_it_is_read_or_not() {
    for is_read in [true, false] {
        let endless = Reply::chunked(200, vec!["."; 1000]).every(Duration::from_secs(60));
        let script = Script::new([endless]);
        let client = builder(&script).build().unwrap();
        let stream = client.send_stream(Request::new(&LIST)).await.unwrap();
        let start = Instant::now();
        let mut stream = stream.deadline(Duration::from_secs(600));
        if !is_read {
            tokio::time::sleep(Duration::from_secs(2000)).await;
        }
        let (arrived, error) = chunks(&mut stream).await;
        let error = error.unwrap();
        assert!(matches!(&error, Error::Transport(e) if e.kind() == TransportErrorKind::Timeout));
        assert!(
            error.to_string().contains("the stream took more than 600s"),
            "{error}"
        );
        if is_read {
            assert_eq!((arrived.len(), start.elapsed().as_secs()), (9, 600))
        } else {
            assert!((1..=3).contains(&arrived.len()), "{arrived:?}")
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_transport_without_streams_gives_its_whole_body() {
    let whole = |_: http::Request<Bytes>| async {
        Ok::<_, TransportError>(http::Response::new(Bytes::from_static(b"whole")))
    };
    let client = client(whole).unwrap();
    let mut stream = client.send_stream(Request::new(&LIST)).await.unwrap();
    let (arrived, error) = chunks(&mut stream).await;
    assert!(error.is_none());
    assert_eq!(arrived, ["whole"]);
    assert!(format!("{:?}", BodyStream::from(Bytes::new())).contains("BodyStream"));
}

#[tokio::test(start_paused = true)]
async fn a_raw_stream_asks_for_any_media_type_or_for_that_of_its_caller() {
    let script = Script::new([three(), three()]);
    let client = builder(&script).build().unwrap();
    let call = || client.raw(Method::GET, "/v2/changes");
    let mut stream = call().send_stream().await.unwrap();
    assert_eq!(chunks(&mut stream).await.0.len(), 3);
    let call = call().header("accept", "text/event-stream");
    drop(call.send_stream().await.unwrap());
    let accepted = script.sent().into_iter();
    let accepted: Vec<_> = accepted
        .map(|sent| sent.headers["accept"].clone())
        .collect();
    assert_eq!(accepted, ["*/*", "text/event-stream"]);
}

#[tokio::test(start_paused = true)]
async fn the_key_is_in_nothing_that_a_stream_says() {
    let leaks = |_: http::Request<Bytes>| async { Err(leak()) };
    let client = generated_client::ClientBuilder::new(&API, "https://example.com")
        .api_key(KEY)
        .transport(leaks)
        .build();
    let client: generated_client::Client = client.unwrap();
    let refused = client.send_stream(Request::new(&LIST)).await.unwrap_err();

    let script = Script::new([Reply::chunked(200, [format!("data: {KEY}\n\n")])
        .header("x-echo", KEY)
        .header(KEY, "x")]);
    let client = builder(&script).build().unwrap();
    let stream = client.send_stream(Request::new(&LIST)).await.unwrap();
    let head = format!("{stream:?} {stream:#?}");
    let mut events = stream.events();
    let event = events.next().await.unwrap().unwrap();
    let undecodable = event.data_as::<u8>().unwrap_err();
    assert!(event.data.contains("canary"));

    let breaks_off = Breaks;
    let client = crate::support::api::client(breaks_off).unwrap();
    let mut stream = client.send_stream(Request::new(&LIST)).await.unwrap();
    let (_, broken_off) = chunks(&mut stream).await;
    let broken_off = broken_off.unwrap();
    assert!(broken_off.to_string().contains("broke off"), "{broken_off}");
    let shown = format!(
        "{refused} {refused:?} {head} {events:?} {event:?} {undecodable} {undecodable:?} {broken_off} {broken_off:?}"
    );
    assert!(!shown.contains("canary"), "{shown}");
}

fn leak() -> TransportError {
    TransportError::new(TransportErrorKind::Body, format!("no more for {KEY}"))
}

/// Sends a head, and then an error that shows the key.
struct Breaks;

impl generated_client::transport::Transport for Breaks {
    fn send(
        &self,
        _: http::Request<Bytes>,
    ) -> generated_client::transport::BoxFuture<'_, Result<http::Response<Bytes>, TransportError>>
    {
        Box::pin(async { Err(leak()) })
    }

    fn send_stream(
        &self,
        _: http::Request<Bytes>,
    ) -> generated_client::transport::BoxFuture<
        '_,
        Result<http::Response<BodyStream>, TransportError>,
    > {
        struct Once(bool);
        impl futures_core::Stream for Once {
            type Item = Result<Bytes, TransportError>;
            fn poll_next(
                mut self: std::pin::Pin<&mut Self>,
                _: &mut std::task::Context<'_>,
            ) -> std::task::Poll<Option<Self::Item>> {
                let is_over = std::mem::replace(&mut self.0, true);
                std::task::Poll::Ready((!is_over).then(|| Err(leak())))
            }
        }
        Box::pin(async { Ok(http::Response::new(BodyStream::new(Once(false)))) })
    }
}

#[tokio::test(start_paused = true)]
async fn the_span_of_a_call_lasts_as_long_as_its_stream() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let reply = three().every(Duration::from_secs(5));
    let script = Script::new([
        reply.clone(),
        reply.breaks_off(TransportErrorKind::Body),
        Reply::new(404, ""),
    ]);
    let client = builder(&script).build().unwrap();
    let paid = || Request::new(&crate::support::scripted_client::PAID);
    for _ in 0..2 {
        let mut stream = client.send_stream(paid()).await.unwrap();
        chunks(&mut stream).await;
    }
    client.send_stream(paid()).await.unwrap_err();
    let spans = recorder.take().spans;
    let lasted: Vec<_> = spans
        .iter()
        .map(|span| {
            let seconds = span.ended.map(|ended| (ended - span.began).as_secs());
            let error_type = span.fields.get("error.type").map(String::as_str);
            let at_risk = span.fields.get("credits.at_risk").map(String::as_str);
            (span.name, seconds, error_type, at_risk)
        })
        .collect();
    assert_eq!(
        lasted,
        [
            ("call", Some(15), None, None),
            ("attempt", Some(0), None, Some("2.0")),
            ("call", Some(15), Some("body"), None),
            ("attempt", Some(0), None, Some("2.0")),
            ("call", Some(0), Some("404"), None),
            ("attempt", Some(0), Some("404"), Some("2.0")),
        ]
    );
}

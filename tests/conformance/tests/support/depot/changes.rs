//! The changes of the depot: as JSON, or as events and lines that arrive in parts.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::refusal::{Refusal, is};

/// Responds with changes of the file `id`, in the requested media type; events if several are accepted.
pub(super) fn respond(id: &str, headers: &HeaderMap) -> Result<Response, Refusal> {
    let accept = headers.get(header::ACCEPT);
    let accept = accept.and_then(|accept| accept.to_str().ok());
    let change = |size: u32| json!({"id": id, "size": size}).to_string();
    let (media_type, body) = match accept {
        Some("text/event-stream, application/x-ndjson") => {
            let (first, second) = (change(7), change(8));
            let parts = [
                format!(": hello\r\n\r\nevent: change\nid: 1\ndata: {first}\n\nid: 2\nda"),
                format!("ta: {second}\n\n"),
                "data: no JSON\n\n".to_owned(),
            ];
            ("text/event-stream", dripping(parts))
        }
        Some("application/x-ndjson") => {
            let parts = [change(7), format!("\n{}", change(8))];
            ("application/x-ndjson", dripping(parts))
        }
        Some("application/json") => {
            let list = format!("[{}]", change(7));
            ("application/json", Body::from(list))
        }
        other => return Err(Refusal::bad(&format!("accept is {other:?}"))),
    };
    Ok(([(header::CONTENT_TYPE, media_type)], body).into_response())
}

/// Responds with a log: lines, changes and undocumented events, up to the end mark.
pub(super) fn log(id: &str, headers: &HeaderMap) -> Result<Response, Refusal> {
    is(headers, "accept", "text/event-stream")?;
    let parts = [
        ": a comment\n\nevent: line\ndata: 5\n\nevent: line\nda".to_owned(),
        "ta: {\"id\":\ndata: 1}\n\n".to_owned(),
        format!(
            "event: change\nid: 7\nretry: 20\ndata: {{\"id\": \"{id}\",\ndata: \"size\": 7}}\n\n"
        ),
        "event: alarm\ndata: {\"bell\": true}\n\nevent: change\ndata: no JSON\n\n".to_owned(),
        "data: [DONE]\n\nevent: line\ndata: after the end\n\n".to_owned(),
    ];
    let media_type = [(header::CONTENT_TYPE, "text/event-stream; charset=utf-8")];
    Ok((media_type, dripping(parts)).into_response())
}

/// Responds with a JSON text sequence: one text on one line, one on several, and one that is cut off.
pub(super) fn sequence(id: &str, headers: &HeaderMap) -> Result<Response, Refusal> {
    is(headers, "accept", "application/json-seq")?;
    let parts = [
        format!("\u{1e}{{\"id\": \"{id}\", \"size\": 7}}\n\u{1e}{{\n  \"id\":"),
        format!(" \"{id}\",\n  \"size\": 8\n}}\n\u{1e}{{\"id\": \u{1e}{{\"id\": \"{id}\"}}\n"),
    ];
    let media_type = [(header::CONTENT_TYPE, "application/json-seq")];
    Ok((media_type, dripping(parts)).into_response())
}

/// Returns a body with pauses between its parts.
fn dripping(parts: impl IntoIterator<Item = String> + Send + 'static) -> Body {
    let (sender, receiver) = mpsc::channel(1);
    let parts: Vec<String> = parts.into_iter().collect();
    tokio::spawn(async move {
        for part in parts {
            if sender.send(Bytes::from(part)).await.is_err() {
                return;
            }
            sleep(Duration::from_millis(30)).await;
        }
    });
    Body::from_stream(Parts(receiver))
}

struct Parts(mpsc::Receiver<Bytes>);

impl Stream for Parts {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context).map(|part| part.map(Ok))
    }
}

//! A service with one list and a scripted fault. It refuses a call without its key, with a duplicate query parameter, or
//! without a part of the caller's body.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use lists_client::{Client, RetryPolicy};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::rows::{Asked, At, Row, Run, Says, Unit};

pub(super) const RECORDS: usize = 8;
pub(super) const SIZE: usize = 3;
pub(super) const CALLS: usize = RECORDS.div_ceil(SIZE);

/// Behaviour of the service, in some cases for one call only.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Deed {
    Honest,
    Fails(usize),
    /// Returns an object without the list.
    Lacks(usize),
    /// Returns the first page again.
    Repeats(usize),
    /// Returns the page after the requested one.
    Skips(usize),
    /// Names the second page as the next one.
    Circle(usize),
    /// Marks the page as the last one.
    Ends(usize),
    /// Reports this total.
    Counts(usize),
    /// Returns smaller pages from the second one on.
    Shrinks,
    /// Links to another origin.
    Astray(std::net::SocketAddr),
    /// Returns a record 5 that does not decode.
    Spoils,
    /// Returns pages without records, each with a new next page.
    Endless,
}

#[derive(Clone)]
struct Service {
    row: Arc<Row>,
    deed: Deed,
    origin: String,
    calls: Arc<Mutex<usize>>,
}

pub(super) struct Running {
    service: Service,
    pub(super) client: Client,
    task: JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Running {
    pub(super) async fn start(row: Row, deed: Deed) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let service = Service {
            row: Arc::new(row),
            deed,
            origin: format!("http://{address}"),
            calls: Arc::default(),
        };
        let router = Router::new().fallback(page).with_state(service.clone());
        let task = tokio::spawn(async { axum::serve(listener, router).await.unwrap() });
        let client = Client::builder(format!("http://{address}/v1"))
            .api_key("a-key")
            .retry(RetryPolicy::Never)
            .build()
            .unwrap();
        Self {
            service,
            client,
            task,
        }
    }

    pub(super) fn items(&self) -> Box<dyn Run> {
        (self.service.row.items)(&self.client)
    }

    pub(super) fn items_as(&self) -> Box<dyn Run> {
        (self.service.row.items_as)(&self.client)
    }

    pub(super) fn row(&self) -> &Row {
        &self.service.row
    }

    pub(super) fn base_url(&self) -> String {
        format!("{}/v1", self.service.origin)
    }

    pub(super) fn calls(&self) -> usize {
        *self.service.calls.lock().unwrap()
    }
}

/// Returns the first record that a request asks for, after a check that everything else is as the caller gave it.
fn asked(row: &Row, query: &str, body: &[u8]) -> usize {
    let pairs: Vec<(&str, &str)> = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap())
        .collect();
    for (name, _) in &pairs {
        let same = pairs.iter().filter(|(one, _)| one == name);
        assert_eq!(same.count(), 1, "{query}");
    }
    assert!(pairs.contains(&("of", "all")), "{query}");
    let mut sent: Value = serde_json::from_slice(body).unwrap_or_default();
    let (text, unit) = match row.asked {
        Asked::Query(name, unit) => {
            let found = pairs.iter().find(|(one, _)| *one == name);
            (found.map(|(_, value)| (*value).to_owned()), unit)
        }
        Asked::Body(pointer, unit) => {
            let found = sent.pointer_mut(pointer).map(Value::take);
            let found = found.filter(|found| !found.is_null());
            let found = found.map(|found| match found {
                Value::String(text) => text,
                number => number.to_string(),
            });
            (found, unit)
        }
    };
    for (name, value) in row.body.as_object().into_iter().flatten() {
        assert_eq!(&sent[name], value, "{sent}");
    }
    let Some(number) = text.map(|text| text.parse::<usize>().unwrap()) else {
        return 0;
    };
    match unit {
        Unit::Record => number,
        Unit::Last => number + 1,
        Unit::Page(first) => (number - first) * SIZE,
    }
}

async fn page(
    State(service): State<Service>,
    uri: Uri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Service { row, deed, .. } = &service;
    assert_eq!(headers["x-key"], "a-key");
    assert_eq!(uri.path(), format!("/v1{}", row.path));
    let call = {
        let mut calls = service.calls.lock().unwrap();
        *calls += 1;
        *calls
    };
    let asked = asked(row, &query.unwrap_or_default(), &body);
    if *deed == Deed::Fails(call) {
        return StatusCode::GONE.into_response();
    }
    if *deed == Deed::Lacks(call) {
        return axum::Json(json!({"error": "quota exceeded"})).into_response();
    }
    let size = match deed {
        Deed::Shrinks if asked > 0 => 2,
        Deed::Endless => 0,
        _ => SIZE,
    };
    let from = match deed {
        Deed::Repeats(at) if *at == call => 0,
        Deed::Skips(at) if *at == call => asked + SIZE,
        _ => asked,
    };
    let next = match deed {
        Deed::Circle(at) if *at == call => Some(SIZE),
        Deed::Ends(at) if *at == call => None,
        Deed::Endless => Some(asked + 1),
        _ => Some(asked + size).filter(|next| *next < RECORDS),
    };
    let record = |id: usize| match deed {
        Deed::Spoils if id == 5 => json!({"id": id}),
        _ => json!({"id": id, "size": 1}),
    };
    let until = RECORDS.min(from + size);
    let mut body = Value::Null;
    write(&mut body, row.records, (from..until).map(record).collect());
    let origin = match deed {
        Deed::Astray(address) => format!("http://{address}"),
        _ => service.origin.clone(),
    };
    let link = next.map(|next| format!("{origin}{}?of=all&at={next}", uri.path()));
    let mut headers = HeaderMap::new();
    for says in row.says {
        let (at, value) = match *says {
            Says::Total(at) => {
                let total = match deed {
                    Deed::Counts(total) => *total,
                    _ => RECORDS,
                };
                (at, json!(total))
            }
            Says::Pages(at) => (at, json!(if next.is_some() { CALLS } else { 1 })),
            Says::More(at) => (at, json!(next.is_some())),
            Says::Cursor(at) => (at, json!(next.map(|next| next.to_string()))),
            Says::Link(at) => (at, json!(link)),
            Says::LinkHeader => {
                let link = link
                    .as_ref()
                    .map(|link| format!(r#"<{}>; rel=first, <{link}>; rel="next""#, uri.path()));
                (At::Header("link"), json!(link))
            }
        };
        match (at, value) {
            (At::Body(pointer), value) => write(&mut body, pointer, value),
            (At::Header(_), Value::Null) => {}
            (At::Header(name), Value::String(text)) => {
                headers.insert(name, text.parse().unwrap());
            }
            (At::Header(name), value) => {
                headers.insert(name, value.to_string().parse().unwrap());
            }
        }
    }
    (headers, axum::Json(body)).into_response()
}

/// Writes a value at a JSON Pointer, and creates the objects on its path.
fn write(body: &mut Value, pointer: &str, value: Value) {
    let mut at = body;
    for step in pointer.split('/').skip(1) {
        at = &mut at[step];
    }
    *at = value;
}

//! The lists of the depot, one in each style of paging, against a service that may misbehave.

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use depot_client::error::PagingCause;
use depot_client::paging::{Items, Paged, Position};
use depot_client::types::Change;
use depot_client::{Client, Error, RetryPolicy, credentials};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

const RECORDS: usize = 7;
const SIZE: usize = 3;

/// What the service does with its second call.
#[derive(Clone, Copy, PartialEq)]
enum Second {
    Honest,
    Fails,
    /// Brings the first page again.
    Repeats,
    /// Says that the page after it is the first one.
    Circle,
    /// Says that the page after it is at another origin.
    Astray,
}

#[derive(Clone)]
struct Service {
    second: Second,
    asked: Arc<Mutex<Vec<String>>>,
}

struct Running {
    service: Service,
    client: Client,
    task: JoinHandle<()>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Running {
    async fn start(second: Second) -> Self {
        let asked = Arc::default();
        let service = Service { second, asked };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().fallback(page).with_state(service.clone());
        let task = tokio::spawn(async { axum::serve(listener, router).await.unwrap() });
        let client = Client::builder(format!("http://{address}/v1"))
            .credential(credentials::depot_oauth("a-token"))
            .retry(RetryPolicy::Never)
            .build()
            .unwrap();
        Self {
            service,
            client,
            task,
        }
    }

    fn asked(&self) -> Vec<String> {
        self.service.asked.lock().unwrap().clone()
    }
}

fn id(record: usize) -> String {
    format!("00000000-0000-4000-8000-{record:012}")
}

fn ids(records: std::ops::Range<usize>) -> Vec<String> {
    records.map(id).collect()
}

async fn page(
    State(service): State<Service>,
    uri: Uri,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    assert_eq!(headers["authorization"], "Bearer a-token");
    let query = query.unwrap_or_default();
    let is_second = {
        let mut asked = service.asked.lock().unwrap();
        asked.push(query.clone());
        asked.len() == 2
    };
    let does = |deed| is_second && service.second == deed;
    if does(Second::Fails) {
        return StatusCode::GONE.into_response();
    }
    let mut at = None;
    assert_eq!(query.matches("of=").count(), 1, "{query}");
    for pair in query.split('&') {
        let (name, value) = pair.split_once('=').unwrap();
        let found = match name {
            "page" => value.parse::<usize>().unwrap() * SIZE,
            "cursor" | "at" => value.parse().unwrap(),
            "starting_after" => value.rsplit('-').next().unwrap().parse::<usize>().unwrap() + 1,
            _ => continue,
        };
        assert!(at.replace(found).is_none(), "{query}");
    }
    let asked = at.unwrap_or_default();
    let from = if does(Second::Repeats) { 0 } else { asked };
    let next = match does(Second::Circle) {
        true => Some(SIZE),
        false => Some(asked + SIZE).filter(|next| *next < RECORDS),
    };
    let origin = match does(Second::Astray) {
        true => "http://127.0.0.1:1",
        false => "",
    };
    let path = uri.path();
    let link = next.map(|next| format!("{origin}{path}?of=all&at={next}"));
    let said = match path {
        "/v1/listings/cursor" => next.map(|next| next.to_string()),
        "/v1/listings/link" => link.clone(),
        _ => None,
    };
    let body = json!({
        "changes": (from..RECORDS.min(from + SIZE)).map(|record| json!({"id": id(record)})).collect::<Vec<_>>(),
        "meta": {"total": RECORDS, "pages": RECORDS.div_ceil(SIZE), "more": next.is_some(), "next": said},
    });
    let mut response = axum::Json(body).into_response();
    if let Some(link) = link.filter(|_| path == "/v1/listings/header") {
        let link = format!(r#"<{path}?at=0>; rel=first, <{link}>; rel="next""#);
        response.headers_mut().insert("link", link.parse().unwrap());
    }
    response
}

async fn rest<P: Paged<Item = Change>>(items: &mut Items<P>) -> (Vec<String>, Option<Error>) {
    let mut ids = Vec::new();
    loop {
        match items.next().await {
            Some(Ok(change)) => ids.push(change.id.to_string()),
            Some(Err(error)) => return (ids, Some(error)),
            None => return (ids, None),
        }
    }
}

async fn keeps_its_promises<P: Paged<Item = Change>>(
    items: impl Fn(&Client) -> Items<P>,
    says_next: bool,
) {
    let running = Running::start(Second::Honest).await;
    let mut all = items(&running.client);
    let first = all.next().await.unwrap().unwrap();
    assert_eq!((first.id.to_string(), running.asked().len()), (id(0), 1));
    let stored = all.position().to_string();
    let (further, error) = rest(&mut all).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(further, ids(1..RECORDS));
    assert_eq!(running.asked().len(), RECORDS.div_ceil(SIZE));
    let position: Position = stored.parse().unwrap();
    let mut resumed = items(&running.client).resume(&position).unwrap();
    assert_eq!(rest(&mut resumed).await.0, further);

    let running = Running::start(Second::Fails).await;
    let (first, error) = rest(&mut items(&running.client)).await;
    assert_eq!(first, ids(0..SIZE));
    let position = error.unwrap().position().unwrap().clone();
    let mut resumed = items(&running.client).resume(&position).unwrap();
    let (further, error) = rest(&mut resumed).await;
    assert!(error.is_none(), "{error:?}");
    assert_eq!(further, ids(SIZE..RECORDS));

    let running = Running::start(Second::Repeats).await;
    let (first, error) = rest(&mut items(&running.client)).await;
    assert_eq!(first, ids(0..SIZE));
    let Some(Error::Paging(error)) = error else {
        panic!("{error:?}");
    };
    assert!(
        matches!(error.cause, PagingCause::Stalled { .. }),
        "{error}"
    );

    if says_next {
        let running = Running::start(Second::Circle).await;
        let (both, error) = rest(&mut items(&running.client)).await;
        assert_eq!(both, ids(0..2 * SIZE));
        let Some(Error::Paging(error)) = error else {
            panic!("{error:?}");
        };
        assert!(
            matches!(error.cause, PagingCause::Unknown { .. }),
            "{error}"
        );
        assert_eq!(running.asked().len(), 2);
    }
}

#[tokio::test]
async fn pages_by_number_keep_their_promises() {
    let items = |client: &Client| client.list_by_number().of("all").size(3).items();
    keeps_its_promises(items, false).await;
}

#[tokio::test]
async fn pages_by_a_cursor_keep_their_promises() {
    let items = |client: &Client| client.list_by_cursor().of("all").items();
    keeps_its_promises(items, true).await;
}

#[tokio::test]
async fn pages_by_the_last_id_keep_their_promises() {
    let items = |client: &Client| client.list_by_last().of("all").items();
    keeps_its_promises(items, false).await;
}

#[tokio::test]
async fn pages_by_a_link_keep_their_promises() {
    let items = |client: &Client| client.list_by_link().of("all").items();
    keeps_its_promises(items, true).await;
}

#[tokio::test]
async fn pages_by_a_link_in_a_header_keep_their_promises() {
    let items = |client: &Client| client.list_by_header().of("all").size(3).items();
    keeps_its_promises(items, true).await;
}

#[tokio::test]
async fn a_link_to_another_origin_is_not_followed() {
    let running = Running::start(Second::Astray).await;
    let (both, error) = rest(&mut running.client.list_by_link().of("all").items()).await;
    assert_eq!(both, ids(0..2 * SIZE));
    let Some(Error::Paging(error)) = error else {
        panic!("{error:?}");
    };
    assert!(error.to_string().contains("another origin"), "{error}");
    assert_eq!(running.asked().len(), 2);
}

//! A scripted service behind the generated client of `tests/documents/things`, and the bodies of its pages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use generated_client::error::{TransportError, TransportErrorKind};
use generated_client::paging::{Items, Paged};
use generated_client::{Bytes, ClientBuilder, http};
use things_client::Client;
use tokio::time::{Instant, sleep};

use crate::support::api::KEY;

/// How the service responds to a call.
#[derive(Clone)]
pub(crate) enum Reply {
    Body(u16, String),
    Later(u16, &'static str, String),
    Fails(TransportErrorKind),
    Hangs,
    /// A body with status 200, so many seconds later.
    Slow(u64, String),
}

pub(crate) use Reply::{Body, Fails, Hangs, Later, Slow};

/// Returns a page: its offset and total as JSON, and its things.
pub(crate) fn page(offset: &str, total: &str, things: &[&str]) -> Reply {
    let things = things.join(", ");
    let body =
        format!(r#"{{"cost": 2, "offset": {offset}, "total": {total}, "things": [{things}]}}"#);
    Body(200, body)
}

/// Returns a page of groups: identifier and total as JSON, and the things.
pub(crate) fn groups(groups: &[(&str, &str, &[&str])]) -> Reply {
    let groups: Vec<String> = groups
        .iter()
        .map(|(id, total, things)| {
            let things = things.join(", ");
            format!(r#"{{"id": {id}, "total": {total}, "things": [{things}]}}"#)
        })
        .collect();
    Body(
        200,
        format!(r#"{{"cost": 2, "groups": [{}]}}"#, groups.join(", ")),
    )
}

pub(crate) const VISIT: uuid::Uuid = uuid::Uuid::from_u128(0x67e55044_10b1_426f_9247_bb680e5fe0c8);

/// Returns a visit that has not ended.
pub(crate) fn visit() -> Reply {
    let body = format!(r#"{{"cost": 2, "id": "{VISIT}", "at": "2024-05-06T07:08:09Z"}}"#);
    Body(200, body)
}

/// Responds in turn, and remembers the requests and when they came.
#[derive(Clone)]
pub(crate) struct Service {
    replies: Arc<Mutex<VecDeque<Reply>>>,
    asked: Arc<Mutex<Vec<(Instant, String)>>>,
}

impl Service {
    pub(crate) fn of(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self {
            replies: Arc::new(Mutex::new(replies.into_iter().collect())),
            asked: Arc::default(),
        }
    }

    pub(crate) fn builder(&self) -> ClientBuilder<Client> {
        let service = self.clone();
        let transport = move |request: http::Request<Bytes>| {
            let query = request.uri().query().unwrap_or_default().to_owned();
            service.asked.lock().unwrap().push((Instant::now(), query));
            let reply = service.replies.lock().unwrap().pop_front();
            let reply = reply.expect("an unexpected call");
            async move {
                let (status, retry_after, body) = match reply {
                    Body(status, body) => (status, None, body),
                    Later(status, retry_after, body) => (status, Some(retry_after), body),
                    Slow(seconds, body) => {
                        sleep(Duration::from_secs(seconds)).await;
                        (200, None, body)
                    }
                    Fails(kind) => return Err(TransportError::new(kind, "as it was told")),
                    Hangs => {
                        // A bounded sleep, so that a failing test ends too.
                        sleep(Duration::from_secs(1_000_000)).await;
                        panic!("a call that hangs was not given up");
                    }
                };
                let mut response = http::Response::builder().status(status);
                if let Some(retry_after) = retry_after {
                    response = response.header("retry-after", retry_after);
                }
                Ok(response.body(Bytes::from(body)).unwrap())
            }
        };
        Client::builder("https://example.com")
            .api_key(KEY)
            .transport(transport)
    }

    pub(crate) fn client(&self) -> Client {
        self.builder().build().unwrap()
    }

    /// Returns the queries so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        asked.iter().map(|(_, query)| query.clone()).collect()
    }

    /// Seconds between the calls.
    pub(crate) fn pauses(&self) -> Vec<f64> {
        let asked = self.asked.lock().unwrap();
        let pairs = asked.windows(2).map(|pair| pair[1].0 - pair[0].0);
        pairs.map(|pause| pause.as_secs_f64()).collect()
    }
}

/// Returns the numbers of all things that come before the end or an error.
pub(crate) async fn numbers<P: Paged<Item = i64>>(items: &mut Items<P>) -> Vec<i64> {
    let mut numbers = Vec::new();
    while let Some(Ok(number)) = items.next().await {
        numbers.push(number);
    }
    numbers
}

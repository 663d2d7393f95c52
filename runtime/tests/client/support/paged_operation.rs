//! An operation that pages, written as generated code is, and a service that responds to one call after the other.

use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metered_client::{
    Bytes, CallOptions, Client, ClientBuilder, Credits, Items, List, Operation, Paged, Pages,
    Quote, Records, Request, TransportError, TransportErrorKind, http,
};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use crate::support::api::{API, KEY};
use crate::support::scripted_client::PAID;

/// How the service responds to a call.
#[derive(Clone)]
pub(crate) enum Reply {
    Body(u16, String),
    Later(u16, &'static str, String),
    Fails(TransportErrorKind),
    Hangs,
}

pub(crate) use Reply::{Body, Fails, Hangs, Later};

/// A page: its offset and total as JSON, and its things.
pub(crate) fn page(offset: &str, total: &str, things: &[&str]) -> Reply {
    let things = things.join(", ");
    let body =
        format!(r#"{{"cost": 2, "offset": {offset}, "total": {total}, "things": [{things}]}}"#);
    Body(200, body)
}

/// A page of groups: identifier and total as JSON, and the things.
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

    pub(crate) fn builder(&self) -> ClientBuilder {
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
                    Fails(kind) => return Err(TransportError::new(kind, "as it was told")),
                    Hangs => {
                        // For ever would be for ever in a test that fails, too.
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
        ClientBuilder::new(&API, "https://example.com")
            .api_key(KEY)
            .transport(transport)
    }

    pub(crate) fn client(&self) -> Client {
        self.builder().build().unwrap()
    }

    /// The queries so far.
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

#[derive(Debug, Deserialize)]
pub(crate) struct Page {
    offset: Option<u64>,
    total: Option<u64>,
    #[serde(default)]
    things: Records<Thing>,
    #[serde(default)]
    groups: Vec<Group>,
}

impl Page {
    pub(crate) fn things(&self) -> &[Thing] {
        &self.things
    }
}

#[derive(Debug, Deserialize)]
struct Group {
    id: Option<String>,
    total: Option<u64>,
    things: Records<Thing>,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "u64")]
pub(crate) struct Thing(pub(crate) u64);

thread_local! {
    static ALIVE: Cell<usize> = const { Cell::new(0) };
}

impl Thing {
    /// How many there are in this thread.
    pub(crate) fn alive() -> usize {
        ALIVE.get()
    }
}

impl From<u64> for Thing {
    fn from(number: u64) -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Self(number)
    }
}

impl Drop for Thing {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get().saturating_sub(1));
    }
}

/// The builder.
#[derive(Clone)]
pub(crate) struct Things {
    pub(crate) client: Client,
    pub(crate) operation: &'static Operation,
    pub(crate) options: CallOptions,
    pub(crate) limit: Option<u64>,
    pub(crate) offset: Option<u64>,
    pub(crate) is_given_what_it_requires: bool,
}

impl Things {
    /// Costs two credits.
    pub(crate) fn of(client: &Client) -> Self {
        Self {
            client: client.clone(),
            operation: &PAID,
            options: CallOptions::default(),
            limit: None,
            offset: None,
            is_given_what_it_requires: true,
        }
    }

    pub(crate) fn limit(self, limit: u64) -> Self {
        Self {
            limit: Some(limit),
            ..self
        }
    }

    pub(crate) fn offset(self, offset: u64) -> Self {
        Self {
            offset: Some(offset),
            ..self
        }
    }

    pub(crate) fn price(self, price: Credits) -> Self {
        let options = CallOptions {
            price: Some(price),
            ..self.options
        };
        Self { options, ..self }
    }

    pub(crate) fn quote(&self) -> Quote {
        self.client.quote(&Paged::request(self))
    }

    pub(crate) fn pages(self) -> Pages<Self> {
        Pages::new(self)
    }

    pub(crate) fn items(self) -> Items<Self> {
        Items::new(self)
    }
}

impl Paged for Things {
    type Page = Page;
    type Item = Thing;

    fn client(&self) -> &Client {
        &self.client
    }

    fn client_mut(&mut self) -> &mut Client {
        &mut self.client
    }

    fn request(&self) -> Request {
        let mut request = Request::new(self.operation);
        request.options(&self.options);
        if let Some(limit) = &self.limit {
            request.query("limit", limit);
        }
        if let Some(offset) = &self.offset {
            request.query("offset", offset);
        }
        request
            .require_for_pages("of", self.is_given_what_it_requires)
            .require_page_size("limit", Paged::limit(self));
        request
    }

    fn offset(&self) -> Option<u64> {
        self.offset
    }

    fn set_offset(&mut self, offset: u64) {
        self.offset = Some(offset);
    }

    fn limit(&self) -> Option<u64> {
        self.limit
    }

    fn echoed_offset(page: &Page) -> Option<u64> {
        page.offset
    }

    fn lists(page: &Page) -> Vec<List<'_, Thing>> {
        if page.groups.is_empty() {
            let (records, total) = (&page.things, page.total);
            return vec![List {
                key: None,
                records,
                total,
            }];
        }
        let groups = page.groups.iter().map(|group| List {
            key: group.id.clone(),
            records: &group.things,
            total: group.total,
        });
        groups.collect()
    }

    fn into_records(page: Page) -> Vec<Records<Thing>> {
        if page.groups.is_empty() {
            return vec![page.things];
        }
        page.groups.into_iter().map(|group| group.things).collect()
    }
}

/// The numbers of all things that come before the end or an error.
pub(crate) async fn numbers(items: &mut Items<Things>) -> Vec<u64> {
    let mut numbers = Vec::new();
    while let Some(Ok(thing)) = items.next().await {
        numbers.push(thing.0);
    }
    numbers
}

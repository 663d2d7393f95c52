//! The styles of lists, and the service of each, which may misbehave.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use serde_json::{Value, json};

use crate::document::api::{Api, Auth, Operation};
use crate::document::shape::Shape;
use crate::error::TransportError;
use crate::paging::{List, Paged, Source, Style, Target};
use crate::request::options::RetryPolicy;
use crate::request::request::Request;
use crate::{Client, ClientBuilder, Method, Records};

pub(super) static API: Api = Api {
    name: "things",
    version: "1",
    environment: "THINGS",
    base_url: None,
    auth: Auth::Header("x-key"),
    interceptor: None,
    operations: &[],
};

pub(super) static THINGS: Operation = Operation {
    id: "listThings",
    method: Method::GET,
    path: "/things",
    extension: None,
    response: &Shape::Any,
};

pub(super) const RECORDS: usize = 8;
pub(super) const SIZE: usize = 3;
pub(super) const CALLS: usize = RECORDS.div_ceil(SIZE);

/// One style of paging: its declaration in generated code, and the pages of the service.
pub(super) trait Kind: Clone + Send + Sync + 'static {
    const STYLE: Style;
    const MORE: Option<Source> = None;
    const OFFSET_IN_BODY: Option<&'static str> = None;
    /// True if a page contains the total number of records.
    const HAS_TOTAL: bool = false;
    /// The parameter, or member of the body, that names the page.
    const ASKED: &'static str = "number";
    /// Returns the first record of the page that this names.
    fn first(asked: usize) -> usize {
        match Self::STYLE {
            Style::Number { first, .. } => (asked - first as usize) * SIZE,
            _ => asked,
        }
    }
    /// Returns the members by which a page refers to the next one, which starts at `next`.
    fn members(_next: Option<usize>) -> Value {
        json!({})
    }
}

macro_rules! kinds {
    ($($name:ident),*) => {$(
        #[derive(Clone)]
        pub(super) struct $name;
    )*};
}
kinds!(
    Offset,
    InBody,
    Numbered,
    Counted,
    Cursor,
    CursorInBody,
    LastId,
    Linked,
    Relative
);

fn value(query: &[(String, String)], name: &str) -> Option<usize> {
    let mut named = query.iter().filter(|(one, _)| one == name);
    let found = named.next().map(|(_, value)| value.parse().unwrap());
    assert!(named.next().is_none(), "{name} is there twice: {query:?}");
    found
}

impl Kind for Offset {
    const STYLE: Style = Style::Offset;
    const MORE: Option<Source> = Some(Source::Body(&["/more"]));
    fn members(next: Option<usize>) -> Value {
        json!({"more": next.is_some()})
    }
}

impl Kind for Numbered {
    const STYLE: Style = Style::Number {
        first: 1,
        pages: Some(Source::Body(&["/pages"])),
    };
    fn members(_: Option<usize>) -> Value {
        json!({"pages": CALLS})
    }
}

impl Kind for Counted {
    const STYLE: Style = Style::Number {
        first: 1,
        pages: None,
    };
    const HAS_TOTAL: bool = true;
}

impl Kind for InBody {
    const STYLE: Style = Style::Offset;
    const OFFSET_IN_BODY: Option<&'static str> = Some("/number");
    const HAS_TOTAL: bool = true;
}

impl Kind for Cursor {
    const STYLE: Style = Style::Cursor {
        target: Target::Query("cursor"),
        next: Source::Body(&["/meta/next"]),
    };
    const HAS_TOTAL: bool = true;
    const ASKED: &'static str = "cursor";
    fn members(next: Option<usize>) -> Value {
        json!({"meta": {"next": next.map(|next| next.to_string()).unwrap_or_default()}})
    }
}

impl Kind for CursorInBody {
    const STYLE: Style = Style::Cursor {
        target: Target::Integer("/cursor"),
        next: Source::Body(&["/meta/next"]),
    };
    const ASKED: &'static str = "cursor";
    fn members(next: Option<usize>) -> Value {
        json!({"meta": {"next": next}})
    }
}

impl Kind for LastId {
    const STYLE: Style = Style::Cursor {
        target: Target::Query("starting_after"),
        next: Source::Body(&["/things/-1/id"]),
    };
    const MORE: Option<Source> = Some(Source::Body(&["/has_more"]));
    const ASKED: &'static str = "starting_after";
    fn members(next: Option<usize>) -> Value {
        json!({"has_more": next.is_some()})
    }
    fn first(asked: usize) -> usize {
        asked + 1
    }
}

impl Kind for Linked {
    const STYLE: Style = Style::Link {
        next: Source::Body(&["/links/next"]),
    };
    const ASKED: &'static str = "at";
    fn members(next: Option<usize>) -> Value {
        let link = next.map(|next| format!("https://example.com/v1/others?of=a%20b&at={next}"));
        json!({"links": {"next": link}})
    }
}

impl Kind for Relative {
    const STYLE: Style = Style::Link {
        next: Source::Body(&["/next"]),
    };
    const ASKED: &'static str = "at";
    fn members(next: Option<usize>) -> Value {
        json!({"next": next.map(|next| format!("?of=a%20b&at={next}#top"))})
    }
}

/// The fault of the service, by the number of the call.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fault {
    Honest,
    /// The page claims to be the last.
    Ends(usize),
    /// The body of the call is this one.
    Sends(usize, &'static str),
    /// The call has a member in place of the reference to the next page.
    Refers(usize, &'static str, &'static str),
    /// From the second page on, each begins with the last record of the page before.
    Overlaps,
}

#[derive(Debug, Default)]
pub(super) struct Asked {
    pub(super) queries: Vec<String>,
    pub(super) keys: Vec<String>,
}

#[derive(Clone)]
pub(super) struct Things<K> {
    pub(super) client: Client,
    pub(super) number: Option<u64>,
    /// The cursor of the caller.
    pub(super) cursor: Option<&'static str>,
    kind: PhantomData<K>,
}

#[derive(serde::Deserialize)]
pub(super) struct Thing {
    pub(super) id: u64,
}

#[derive(serde::Deserialize)]
pub(super) struct Page {
    total: Option<u64>,
    #[serde(default)]
    pub(super) things: Records<Thing>,
}

impl<K: Kind> Paged for Things<K> {
    const LIST: &'static [&'static str] = &["/things"];
    const STYLE: Style = K::STYLE;
    const MORE: Option<Source> = K::MORE;
    const OFFSET_IN_BODY: Option<&'static str> = K::OFFSET_IN_BODY;
    type Page = Page;
    type Item = Thing;

    fn client(&self) -> &Client {
        &self.client
    }
    fn client_mut(&mut self) -> &mut Client {
        &mut self.client
    }
    fn request(&self) -> Request {
        let mut request = Request::new(&THINGS);
        request.query("of", &"a b");
        request.idempotency_key("Idempotency-Key", None, Some("mine"));
        if K::OFFSET_IN_BODY.is_some() {
            request.json(&json!({ "size": SIZE }));
        }
        if let Some(number) = self.number {
            request.query("number", &number);
        }
        if let (Style::Cursor { target, .. }, Some(cursor)) = (K::STYLE, self.cursor) {
            target.write(&mut request, cursor);
        }
        request
    }
    fn offset(&self) -> Option<u64> {
        self.number
    }
    fn set_offset(&mut self, offset: u64) {
        self.number = Some(offset).filter(|_| K::OFFSET_IN_BODY.is_none());
    }
    fn limit(&self) -> Option<u64> {
        None
    }
    fn lists(page: &Page) -> Vec<List<'_, Thing>> {
        vec![List {
            key: None,
            records: &page.things,
            total: page.total,
        }]
    }
    fn into_records(page: Page) -> Vec<Records<Thing>> {
        vec![page.things]
    }
}

pub(super) fn service<K: Kind>(fault: Fault) -> (Things<K>, Arc<Mutex<Asked>>) {
    let asked = Arc::new(Mutex::new(Asked::default()));
    let kept = asked.clone();
    let transport = move |request: http::Request<Bytes>| {
        let query = request.uri().query().unwrap_or_default().to_owned();
        let mut pairs: Vec<_> = url::form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        let body: Value = serde_json::from_slice(request.body()).unwrap_or_default();
        let members = body.as_object().into_iter().flatten();
        pairs.extend(members.map(|(name, value)| (name.clone(), value.to_string())));
        let of = pairs.iter().filter(|(name, _)| name == "of");
        assert_eq!(
            of.collect::<Vec<_>>(),
            [&("of".to_owned(), "a b".to_owned())]
        );
        assert_eq!(request.headers()["x-key"], "secret-key");
        let call = {
            let mut kept = kept.lock().unwrap();
            let key = request.headers()["idempotency-key"].to_str().unwrap();
            kept.keys.push(key.to_owned());
            kept.queries.push(query);
            kept.queries.len()
        };
        if K::OFFSET_IN_BODY.is_some() {
            assert_eq!(value(&pairs, "size"), Some(SIZE));
        }
        let asked = value(&pairs, K::ASKED).map(K::first);
        let reply = reply::<K>(fault, call, asked.unwrap_or_default());
        async move { Ok::<_, TransportError>(reply) }
    };
    let client = ClientBuilder::new(&API, "https://example.com/v1")
        .api_key("secret-key")
        .retry(RetryPolicy::Never)
        .transport(transport)
        .build()
        .unwrap();
    let things = Things {
        client,
        number: None,
        cursor: None,
        kind: PhantomData,
    };
    (things, asked)
}

fn reply<K: Kind>(fault: Fault, call: usize, asked: usize) -> http::Response<Bytes> {
    if let Fault::Sends(at, body) = fault
        && at == call
    {
        return http::Response::new(Bytes::from_static(body.as_bytes()));
    }
    let until = RECORDS.min(asked + SIZE);
    let from = match fault {
        Fault::Overlaps => asked.saturating_sub(1),
        _ => asked,
    };
    let next = match fault {
        Fault::Ends(at) if call == at => None,
        _ => Some(asked + SIZE).filter(|next| *next < RECORDS),
    };
    let mut body = K::members(next);
    body["things"] = (from..until).map(|id| json!({ "id": id })).collect();
    if let Fault::Refers(at, pointer, json) = fault
        && at == call
    {
        *body.pointer_mut(pointer).unwrap() = serde_json::from_str(json).unwrap();
    }
    if K::HAS_TOTAL {
        body["total"] = json!(RECORDS);
    }
    http::Response::new(Bytes::from(body.to_string()))
}

//! The rows of the table: the paging parameters and page metadata of each list.

use std::future::Future;
use std::pin::Pin;

use lists_client::paging::{Items, Paged, PagedAs, Position};
use lists_client::types::{QueryDatabaseBody, Record, SearchHitsBody, SearchReportsBody};
use lists_client::{Client, Credits, Error};
use serde_json::{Value, json};

/// One list.
pub(super) struct Row {
    /// Path below `/v1`.
    pub(super) path: &'static str,
    /// Paging parameter of a request after the first one.
    pub(super) asked: Asked,
    /// JSON Pointer of the records.
    pub(super) records: &'static str,
    pub(super) says: &'static [Says],
    /// Body given by the caller.
    pub(super) body: Value,
    /// Command line, without the arguments that all commands share.
    pub(super) command: Vec<String>,
    /// All records, as the document's type.
    pub(super) items: fn(&Client) -> Box<dyn Run>,
    /// All records, as a type of the caller.
    pub(super) items_as: fn(&Client) -> Box<dyn Run>,
}

/// Place of the paging parameter in a request.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    Query(&'static str, Unit),
    /// A member of the body, by its JSON Pointer.
    Body(&'static str, Unit),
}

/// Unit of the paging parameter.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Unit {
    /// First record of the page.
    Record,
    /// Last record of the previous page.
    Last,
    /// Page number, counted from this one.
    Page(usize),
}

/// Page metadata, and its place.
#[derive(Clone, Copy)]
pub(super) enum Says {
    Total(At),
    Pages(At),
    More(At),
    Cursor(At),
    Link(At),
    LinkHeader,
}

#[derive(Clone, Copy)]
pub(super) enum At {
    Body(&'static str),
    Header(&'static str),
}

impl Row {
    pub(super) fn has_total(&self) -> bool {
        self.says.iter().any(|says| matches!(says, Total(_)))
    }

    /// Returns whether a page may begin with any record.
    pub(super) fn is_by_offset(&self) -> bool {
        self.unit() == First && self.says.iter().all(|says| matches!(says, Total(_)))
    }

    pub(super) fn unit(&self) -> Unit {
        match self.asked {
            Query(_, unit) | Asked::Body(_, unit) => unit,
        }
    }
}

type Next<'r> = Pin<Box<dyn Future<Output = Option<Result<u64, Error>>> + Send + 'r>>;

/// A run through the records of a list, whatever their type.
pub(super) trait Run: Send {
    fn next(&mut self) -> Next<'_>;
    fn is_over(&self) -> bool;
    fn position(&self) -> Position;
    fn has_refused(&mut self) -> bool;
    fn take(self: Box<Self>, records: u64) -> Box<dyn Run>;
    fn at_most(self: Box<Self>, credits: u32) -> Box<dyn Run>;
    fn resume(self: Box<Self>, position: &Position) -> Box<dyn Run>;
}

/// A record of either type.
pub(super) trait Id {
    fn id(&self) -> u64;
}

impl Id for Record {
    fn id(&self) -> u64 {
        u64::try_from(self.id).unwrap()
    }
}

impl Id for Value {
    fn id(&self) -> u64 {
        self["id"].as_u64().unwrap()
    }
}

impl<P: Paged<Item: Id>> Run for Items<P> {
    fn next(&mut self) -> Next<'_> {
        Box::pin(async { Some(Items::next(self).await?.map(|record| record.id())) })
    }
    fn is_over(&self) -> bool {
        Items::is_over(self)
    }
    fn position(&self) -> Position {
        Items::position(self)
    }
    fn has_refused(&mut self) -> bool {
        self.take_refused().is_some()
    }
    fn take(self: Box<Self>, records: u64) -> Box<dyn Run> {
        Box::new(Items::take(*self, records))
    }
    fn at_most(self: Box<Self>, credits: u32) -> Box<dyn Run> {
        Box::new(Items::at_most(*self, Credits::new(credits)))
    }
    fn resume(self: Box<Self>, position: &Position) -> Box<dyn Run> {
        Box::new(Items::resume(*self, position).unwrap())
    }
}

/// Makes a row of a call and its service.
macro_rules! rows {
    ($($name:ident: $call:expr, $path:literal, $asked:expr, $records:literal, [$($says:expr),*], $body:expr, $command:expr;)*) => {$(
        pub(super) fn $name() -> Row {
            Row {
                path: $path,
                asked: $asked,
                records: $records,
                says: &[$($says),*],
                body: $body,
                command: {
                    let arguments: &[&str] = &$command;
                    let name = stringify!($name).replace('_', "-");
                    [name].into_iter().chain(arguments.iter().map(ToString::to_string)).collect()
                },
                items: |client| {
                    let call: fn(&Client) -> _ = $call;
                    Box::new(call(client).items())
                },
                items_as: |client| {
                    let call: fn(&Client) -> _ = $call;
                    Box::new(call(client).items_as::<Value>())
                },
            }
        }
    )*};
}

use Asked::Query;
use At::{Body, Header};
use Says::{Cursor, Link, LinkHeader, More, Pages, Total};
use Unit::{Last, Page, Record as First};

rows! {
    list_issues: |client| client.list_issues("ada").of("all"),
        "/repositories/ada/issues", Query("at", First), "", [LinkHeader], Value::Null, ["ada"];
    list_tracks: |client| client.list_tracks("7").of("all"),
        "/playlists/7/tracks", Query("at", First), "/tracks/items", [Link(Body("/tracks/next")), Total(Body("/tracks/total"))], Value::Null, ["7"];
    list_charges: |client| client.list_charges().of("all"),
        "/charges", Query("starting_after", Last), "/data", [More(Body("/has_more"))], Value::Null, [];
    query_database: |client| client
            .query_database("7")
            .of("all")
            .body(QueryDatabaseBody::new().filter(json!({"name": "a"}).as_object().unwrap().clone()).page_size(3)),
        "/databases/7/query", Asked::Body("/start_cursor", First), "/results",
        [Cursor(Header("x-next-cursor")), More(Body("/has_more"))], json!({"filter": {"name": "a"}, "page_size": 3}), ["7", "--body", r#"{"filter": {"name": "a"}, "page_size": 3}"#];
    list_files: |client| client.list_files().of("all"),
        "/files", Query("pageToken", First), "/files", [Cursor(Body("/next_page_token")), Total(Body("/total"))], Value::Null, [];
    list_articles: |client| client.list_articles().of("all"),
        "/articles", Query("page", Page(1)), "/articles", [Pages(Body("/meta/total_pages"))], Value::Null, [];
    list_users: |client| client.list_users().of("all"),
        "/users", Query("page", Page(1)), "", [Total(Header("x-total-count"))], Value::Null, [];
    list_notes: |client| client.list_notes().of("all"),
        "/notes", Query("page", Page(1)), "", [], Value::Null, [];
    search_reports: |client| client.search_reports(SearchReportsBody::new("a")).of("all"),
        "/reports", Asked::Body("/page/number", Page(0)), "/reports", [More(Header("x-has-more"))], json!({"query": "a"}), ["--body", r#"{"query": "a"}"#];
    search_hits: |client| client.search_hits(SearchHitsBody::new("a").size(3)).of("all"),
        "/hits", Asked::Body("/from", First), "/hits", [Total(Body("/total"))], json!({"query": "a", "size": 3}), ["a", "--size", "3"];
}

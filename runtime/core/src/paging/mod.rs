//! Paged lists as lazy streams, with a position to resume after an error.
//!
//! ```text
//! Paged (generated) ─▶ Pages: one call per page ─▶ Items: one record at a time
//!   └─ As: the same operation, with records decoded as types of the caller
//!                        ├─ RecordList: the array of the records, or its absence; pure
//!                        ├─ Identity: hashes of a page's records, to detect repeated pages; pure
//!                        ├─ Cursor: the next offset, and whether the service sent the requested page; pure
//!                        │    └─ ListProgress: the progress of one list in a page
//!                        └─ Style: the next page, if it is not at an offset; pure
//!                             └─ Source: the member or header that names it
//! ```
//!
//! The declarations of generated code, and their use by callers:
//!
//! ```
//! use generated_client::document::Operation;
//! use generated_client::paging::{Items, ItemsAs, List, Paged, Pages};
//! use generated_client::paging::{RejectedRecord, RemainingCalls, Run};
//! use generated_client::request::Request;
//! use generated_client::testing::{Reply, Script};
//! use generated_client::{Client, ClientBuilder, Error, Records};
//! use serde_json::Value;
//! # use generated_client::document::Api;
//! # static API: Api = Api::new("example", "1.2.3", "EXAMPLE");
//!
//! static LIST_THINGS: Operation = Operation::get("listThings", "/v1/things");
//!
//! #[derive(Clone)]
//! struct Things {
//!     client: Client,
//!     offset: Option<u64>,
//! }
//!
//! struct Page {
//!     total: u64,
//!     things: Records<String>,
//! }
//! generated_client::wire::object!(Page {
//!     total: required "total",
//!     things: content "things",
//! });
//!
//! impl Paged for Things {
//!     const LIST: &'static [&'static str] = &["/things"];
//!     type Page = Page;
//!     type Item = String;
//!
//!     fn client(&self) -> &Client {
//!         &self.client
//!     }
//!
//!     fn client_mut(&mut self) -> &mut Client {
//!         &mut self.client
//!     }
//!
//!     fn request(&self) -> Request {
//!         let mut request = Request::new(&LIST_THINGS);
//!         request.query("offset", &self.offset.unwrap_or(0));
//!         request
//!     }
//!
//!     fn offset(&self) -> Option<u64> {
//!         self.offset
//!     }
//!
//!     fn set_offset(&mut self, offset: u64) {
//!         self.offset = Some(offset);
//!     }
//!
//!     fn limit(&self) -> Option<u64> {
//!         None
//!     }
//!
//!     fn echoed_offset(_: &Page) -> Option<u64> {
//!         None
//!     }
//!
//!     fn lists(page: &Page) -> Vec<List<'_, String>> {
//!         vec![List { key: None, records: &page.things, total: Some(page.total) }]
//!     }
//!
//!     fn into_records(page: Page) -> Vec<Records<String>> {
//!         vec![page.things]
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! # let page = || Reply::new(200, r#"{"total": 3, "things": ["a", [], "c"]}"#);
//! # let script = Script::new([page(), page(), page()]);
//! # let client: Client = ClientBuilder::new(&API, "https://api.example.com").transport(script).build()?;
//! let things = Things { client, offset: None };
//!
//! // Record by record: a bad record is an error, and the stream continues.
//! let mut items: Items<Things> = Items::new(things.clone());
//! assert_eq!(items.next().await.transpose()?.as_deref(), Some("a"));
//! assert!(matches!(items.next().await, Some(Err(Error::Record(_)))));
//! assert_eq!(items.next().await.transpose()?.as_deref(), Some("c"));
//!
//! // Page by page, with the rejects.
//! let mut pages: Pages<Things> = Pages::new(things.clone());
//! let page = pages.next().await.transpose()?.unwrap();
//! let reject: &RejectedRecord = &page.body.things.rejects()[0];
//! assert_eq!((reject.index, reject.raw.get()), (1, "[]"));
//!
//! // The view of a crate with an interceptor.
//! let run = Pages::new(things.clone());
//! let remaining: RemainingCalls = Run::remaining_calls(&run);
//! assert!(remaining.calls.is_none());
//!
//! // Decoded as types of the caller.
//! let mut all: ItemsAs<Things, Value> = ItemsAs::of(things);
//! assert_eq!(all.next().await.transpose()?, Some("a".into()));
//! # Ok(())
//! # }
//! ```
//!
//! Next: [streams](crate::stream).

mod cursor;
mod identity;
mod items;
mod links;
mod list_progress;
mod location;
mod page_view;
mod paged;
mod pages;
mod record_list;
mod remaining_calls;
mod source;
mod style;
#[cfg(test)]
mod tests;
mod typed;

pub use crate::decode::records::RejectedRecord;
pub use crate::error::position::Position;
pub use items::Items;
pub use paged::{List, PageNumber, Paged, PagedAs};
pub use pages::Pages;
#[doc(hidden)]
pub use remaining_calls::{RemainingCalls, Run};
#[doc(hidden)]
pub use source::{Source, Target};
#[doc(hidden)]
pub use style::Style;
pub use typed::ItemsAs;

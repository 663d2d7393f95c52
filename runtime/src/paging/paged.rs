//! What generated code says about an operation whose responses are pages.

use serde::de::DeserializeOwned;

use crate::client::client::Client;
use crate::decode::records::Records;
use crate::request::request::Request;

/// An operation whose responses are pages. For generated code.
pub trait Paged: Clone + Send + Sync + 'static {
    /// The body of a response.
    type Page: DeserializeOwned + Send + 'static;
    /// A record of it.
    type Item: Send + 'static;

    /// The client that makes the calls.
    fn client(&self) -> &Client;
    /// The same, to replace it.
    fn client_mut(&mut self) -> &mut Client;
    /// The call as it stands.
    fn request(&self) -> Request;
    /// How many records to skip; `None` when the caller did not say.
    fn offset(&self) -> Option<u64>;
    /// Skips so many records.
    fn set_offset(&mut self, offset: u64);
    /// How many records a page has at the most, as the caller or the document says.
    fn limit(&self) -> Option<u64>;
    /// The offset that a response says it has.
    fn echoed_offset(page: &Self::Page) -> Option<u64>;
    /// The lists in a page; most pages have one.
    fn lists(page: &Self::Page) -> Vec<List<'_, Self::Item>>;
    /// The records of these lists, in the same order.
    fn into_records(page: Self::Page) -> Vec<Records<Self::Item>>;
}

/// One list in a page.
#[derive(Debug)]
pub struct List<'p, T> {
    /// What tells it from the other lists of the page, when there are several.
    pub key: Option<String>,
    /// Its records.
    pub records: &'p Records<T>,
    /// How many records there are over all pages, if the page says it.
    pub total: Option<u64>,
}

//! The trait that generated code implements for paged operations.

use serde::de::DeserializeOwned;

use super::style::Style;
use crate::client::client::Client;
use crate::decode::records::Records;
use crate::request::request::Request;

/// An operation whose responses are pages. For generated code.
pub trait Paged: Clone + Send + Sync + 'static {
    /// How the next page is asked for.
    #[doc(hidden)]
    const STYLE: Style = Style::Offset;
    /// The member of a page that says whether there is another one, as a JSON Pointer.
    #[doc(hidden)]
    const MORE: Option<&'static str> = None;
    /// The body of a response.
    type Page: DeserializeOwned + Send + 'static;
    /// A record of it.
    type Item: Send + 'static;

    /// The client that makes the calls.
    #[doc(hidden)]
    fn client(&self) -> &Client;
    /// The same client, mutable.
    #[doc(hidden)]
    fn client_mut(&mut self) -> &mut Client;
    /// The request with its current arguments.
    #[doc(hidden)]
    fn request(&self) -> Request;
    /// How many records to skip, or the number of the page; `None` when the caller did not say.
    #[doc(hidden)]
    fn offset(&self) -> Option<u64> {
        None
    }
    /// Sets the number of records to skip, or the number of the page.
    #[doc(hidden)]
    fn set_offset(&mut self, offset: u64) {
        let _ = offset;
    }
    /// The maximum number of records per page: set by the caller, or the documented default.
    #[doc(hidden)]
    fn limit(&self) -> Option<u64> {
        None
    }
    /// The same call with the largest page that is documented, and its size.
    #[doc(hidden)]
    fn with_largest_page(&self) -> Option<(Self, u64)> {
        None
    }
    /// The offset that a response echoes.
    #[doc(hidden)]
    fn echoed_offset(page: &Self::Page) -> Option<u64> {
        let _ = page;
        None
    }
    /// The lists in a page; most pages have one.
    #[doc(hidden)]
    fn lists(page: &Self::Page) -> Vec<List<'_, Self::Item>>;
    /// The records of these lists, in the same order.
    #[doc(hidden)]
    fn into_records(page: Self::Page) -> Vec<Records<Self::Item>>;
}

/// One list in a page.
#[derive(Debug)]
pub struct List<'p, T> {
    /// Identifies the list among several lists of the page.
    pub key: Option<String>,
    /// Its records.
    pub records: &'p Records<T>,
    /// The total number of records over all pages, if the response has it.
    pub total: Option<u64>,
}

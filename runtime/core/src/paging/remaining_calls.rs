//! The remaining calls of a paging run.

use crate::client::client::Client;
use crate::request::request::Request;

/// A paging run, as a command line sees it. [`Pages`](super::Pages) and [`Items`](super::Items) implement it.
pub trait Run: Sized {
    /// Returns the client that makes the calls.
    fn client(&self) -> &Client;

    /// Makes the remaining calls with another client.
    #[must_use]
    fn with_client(self, client: Client) -> Self;

    /// Returns the remaining calls. Their number is known from `take`, or after the first page if that has a total.
    fn remaining_calls(&self) -> RemainingCalls;
}

/// The remaining calls of a paging run.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RemainingCalls {
    /// Their number; `None` if it is unknown.
    pub calls: Option<u64>,
    /// The next of these calls.
    pub request: Request,
}

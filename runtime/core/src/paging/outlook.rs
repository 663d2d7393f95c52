//! The calls of a run through pages that are still to come.

use crate::client::client::Client;
use crate::request::request::Request;

/// A run through pages, as a crate with an [interceptor](crate::interceptor) sees it. [`Pages`](super::Pages), [`Items`](super::Items) and
/// [`PagesAs`](super::PagesAs) are one.
pub trait Run: Sized {
    /// Returns the client that makes the calls.
    fn client(&self) -> &Client;

    /// Makes the calls that are still to come by another client.
    #[must_use]
    fn with_client(self, client: Client) -> Self;

    /// Returns the calls that are still to come. Their number is known from `take`, or after the first page if that has a total.
    fn outlook(&self) -> Outlook;
}

/// The calls of a run through pages that are still to come.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outlook {
    /// How many there are; `None` when that is unknown.
    pub calls: Option<u64>,
    /// The next one.
    pub request: Request,
    /// The calls of a run with the largest page that is documented; `None` when the run has it, or none is documented.
    pub largest_page: Option<LargestPageOutlook>,
}

/// The calls of a run with the largest page.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LargestPageOutlook {
    /// The number of records of the page.
    pub size: u64,
    /// How many calls there are; `None` when that is unknown.
    pub calls: Option<u64>,
    /// One of them.
    pub request: Request,
}

//! A stream of pages, each decoded as a type of the caller.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use serde::de::DeserializeOwned;

use super::discrepancies::Discrepancies;
use super::paged::Paged;
use super::pages::Pages;
use super::remaining_calls::{RemainingCalls, Run};
use super::typed::{As, PageAs};
use crate::client::client::Client;
use crate::error::Error;
use crate::error::position::Position;
use crate::response::response::Response;

/// The pages of an operation, each decoded as `T`. `pages_as` of a call makes it.
///
/// Otherwise it works like [`Pages`]. Each page is also decoded as documented, without its records, for totals and offsets. If only one of
/// both decodes, the stream ends with an error that keeps the bytes.
#[must_use = "streams are lazy: no page is requested until the stream is polled"]
pub struct PagesAs<P: Paged, T: DeserializeOwned + Send + 'static> {
    pages: Pages<As<P, PageAs<P, T>>>,
}

impl<P: Paged, T: DeserializeOwned + Send + 'static> PagesAs<P, T> {
    /// Starts at the offset of this call. For generated code.
    pub fn new(paged: P) -> Self {
        Self {
            pages: Pages::new(As::new(paged)),
        }
    }

    /// Ends the stream after this many pages.
    pub fn take(self, pages: u64) -> Self {
        Self {
            pages: self.pages.take(pages),
        }
    }

    /// Returns the offset of the next page, and of a new run that resumes; see [`Pages::offset`].
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.pages.offset()
    }

    /// Returns the position of the run; see [`Pages::position`].
    #[must_use]
    pub fn position(&self) -> Position {
        self.pages.position()
    }

    /// Continues from a position; see [`Pages::resume`].
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] for a position of another operation.
    pub fn resume(self, position: &Position) -> Result<Self, Error> {
        let pages = self.pages.resume(position)?;
        Ok(Self { pages })
    }

    /// Returns the offset of the first missing record; see [`Pages::missing`].
    #[must_use]
    pub fn missing(&self) -> Option<u64> {
        self.pages.missing()
    }

    /// Returns what does not add up in the pages so far; see [`Pages::discrepancies`].
    #[must_use]
    pub fn discrepancies(&self) -> Discrepancies {
        self.pages.discrepancies()
    }

    /// Takes the page that caused the last error; see [`Pages::take_refused`].
    pub fn take_refused(&mut self) -> Option<Response<T>> {
        let refused = self.pages.take_refused()?;
        Some(refused.map(|page| page.body))
    }

    /// Returns the next page; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<Response<T>, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

/// No field is structurally pinned.
impl<P: Paged, T: DeserializeOwned + Send + 'static> Run for PagesAs<P, T> {
    fn client(&self) -> &Client {
        self.pages.client()
    }

    fn with_client(self, client: Client) -> Self {
        Self {
            pages: self.pages.with_client(client),
        }
    }

    fn remaining_calls(&self) -> RemainingCalls {
        self.pages.remaining_calls()
    }
}

impl<P: Paged, T: DeserializeOwned + Send + 'static> Unpin for PagesAs<P, T> {}

impl<P: Paged, T: DeserializeOwned + Send + 'static> Stream for PagesAs<P, T> {
    type Item = Result<Response<T>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let page = Pin::new(&mut self.pages).poll_next(context);
        page.map(|page| page.map(|page| page.map(|page| page.map(|page| page.body))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.pages.size_hint()
    }
}

impl<P: Paged, T: DeserializeOwned + Send + 'static> fmt::Debug for PagesAs<P, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PagesAs").field(&self.pages).finish()
    }
}

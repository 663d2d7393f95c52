//! A stream of the records of all pages.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::paged::Paged;
use super::pages::{Pages, min};
use super::remaining_calls::{RemainingCalls, Run};
use crate::client::client::Client;
use crate::decode::records::RejectedRecord;
use crate::error::Error;
use crate::error::RecordError;
use crate::error::position::Position;
use crate::response::response::Response;
use crate::secret::quotation::shortened;

/// The records of all pages of an operation. One page is in memory. The next page is requested when its first record is polled.
///
/// A record that fails to decode is yielded as [`Error::Record`], and the stream continues. Any other error ends the stream. [`Pages`]
/// lists these errors, and has a loop that resumes.
///
/// ```
/// use generated_client::Error;
/// use generated_client::paging::{Items, Paged};
///
/// # async fn example<P: Paged>(mut items: Items<P>) -> Result<(), Error>
/// # where
/// #     P::Item: std::fmt::Debug,
/// # {
/// while let Some(item) = items.next().await {
///     println!("{:?}", item?);
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "streams are lazy: no page is requested until the stream is polled"]
pub struct Items<P: Paged> {
    pages: Pages<P>,
    ready: VecDeque<Ready<P::Item>>,
    /// The position of the page of these records.
    page: Position,
    /// The number of records that `take` still allows.
    wanted: Option<u64>,
}

/// A record, and the offset to start a new run with it.
type Ready<T> = (Result<T, Error>, u64);

impl<P: Paged> Items<P> {
    /// Starts at the offset of this call.
    pub fn new(paged: P) -> Self {
        let pages = Pages::new(paged);
        Self {
            page: pages.position(),
            pages,
            ready: VecDeque::new(),
            wanted: None,
        }
    }

    /// Ends the stream after this many records (errors of single records included). No later page is requested. The page size does not
    /// change.
    pub fn take(mut self, records: u64) -> Self {
        self.wanted = min(self.wanted, Some(records));
        self
    }

    /// Returns the offset at which a new run resumes: after the last delivered record. In a page with several lists, it is the start of the
    /// page. If paging does not use offsets, it is the number of records so far; see [`position`](Self::position).
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.position().reached()
    }

    /// Returns the position at which a new run resumes: after the last delivered record.
    #[must_use]
    pub fn position(&self) -> Position {
        match self.ready.front() {
            Some((_, offset)) => self.page.clone().at(*offset),
            None => self.pages.position(),
        }
    }

    /// Continues from a position. Nothing is sent, and `take` counts from there.
    ///
    /// The page of the position is requested again. Its delivered records are skipped, as long as it still has the same records.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] for a position of another operation.
    pub fn resume(mut self, position: &Position) -> Result<Self, Error> {
        self.pages = self.pages.resume(position)?;
        self.ready.clear();
        Ok(self)
    }

    /// Returns whether the next record is already in memory.
    pub fn is_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Returns whether all promised records arrived.
    pub fn is_over(&self) -> bool {
        self.ready.is_empty() && self.pages.is_over()
    }

    /// Returns the offset of the first missing record; see [`Pages::missing`].
    #[must_use]
    pub fn missing(&self) -> Option<u64> {
        self.pages.missing()
    }

    /// Takes the page that caused the last error; see [`Pages::take_refused`]. The stream did not yield its records.
    pub fn take_refused(&mut self) -> Option<Response<P::Page>> {
        self.pages.take_refused()
    }

    /// Returns the next record; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<P::Item, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl<P: Paged> Run for Items<P> {
    fn client(&self) -> &Client {
        self.pages.client()
    }

    fn with_client(mut self, client: Client) -> Self {
        self.pages = self.pages.with_client(client);
        self
    }

    fn remaining_calls(&self) -> RemainingCalls {
        let size = self.pages.paged().limit().filter(|size| *size > 0);
        let ready = u64::try_from(self.ready.len()).unwrap_or(u64::MAX);
        let wanted = self
            .wanted
            .zip(size)
            .map(|(wanted, size)| wanted.saturating_sub(ready).div_ceil(size));
        let coming = self.pages.cursor().remaining_pages(size);
        RemainingCalls {
            calls: min(wanted, coming),
            request: self.pages.request(),
        }
    }
}

impl<P: Paged> Items<P> {
    /// Queues the records of a page, except those already delivered.
    fn unpack(&mut self, asked: Position, page: Response<P::Page>, came_before: &[u64]) {
        let (first, skip) = (asked.records, asked.skip);
        self.page = asked;
        let history = page.meta.history.clone();
        let lists = P::into_records(page.body);
        let is_single = lists.len() == 1;
        let client = self.pages.paged().client();
        let operation = self.pages.operation();
        for (records, came_before) in lists.into_iter().zip(came_before) {
            for (index, record) in (0_u64..).zip(records.into_results()) {
                if index < skip.max(*came_before) {
                    continue;
                }
                let (at, after) = if is_single {
                    let at = first.saturating_add(index);
                    (at, at.saturating_add(1))
                } else {
                    (first, first)
                };
                let record = record.map_err(|reject| {
                    Error::Record(Box::new(RecordError {
                        operation,
                        offset: after,
                        position: self.page.clone().at(after),
                        reject: RejectedRecord {
                            path: client.redact(&reject.path),
                            message: shortened(&client.redact(&reject.message), None),
                            ..reject
                        },
                        history: history.clone(),
                    }))
                });
                self.ready.push_back((record, at));
            }
        }
    }
}

/// No field is structurally pinned.
impl<P: Paged> Unpin for Items<P> {}

impl<P: Paged> Stream for Items<P> {
    type Item = Result<P::Item, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.wanted == Some(0) {
            return Poll::Ready(None);
        }
        let item = loop {
            if let Some((record, _)) = self.ready.pop_front() {
                break record;
            }
            let asked = self.pages.position();
            match ready!(self.pages.poll_page(context)) {
                None => return Poll::Ready(None),
                Some(Ok((page, came_before))) => self.unpack(asked, page, &came_before),
                Some(Err(error)) => break Err(error),
            }
        };
        self.wanted = self.wanted.map(|wanted| wanted.saturating_sub(1));
        Poll::Ready(Some(item))
    }

    /// Returns an upper bound: the remaining records, by the totals so far.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let ready = u64::try_from(self.ready.len()).unwrap_or(u64::MAX);
        let coming = self.pages.remaining();
        let most = min(
            coming.map(|coming| coming.saturating_add(ready)),
            self.wanted,
        );
        (0, most.and_then(|most| usize::try_from(most).ok()))
    }
}

impl<P: Paged> fmt::Debug for Items<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items")
            .field("offset", &self.offset())
            .field("ready", &self.ready.len())
            .field("wanted", &self.wanted)
            .finish_non_exhaustive()
    }
}

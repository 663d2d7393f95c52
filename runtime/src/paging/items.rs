//! Record after record, over all pages.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::paged::Paged;
use super::pages::{Pages, min};
use crate::client::quote::Quote;
use crate::decode::records::RejectedRecord;
use crate::error::Error;
use crate::error::RecordError;
use crate::money::credits::Credits;
use crate::response::response::Response;
use crate::secret::quotation::shortened;

/// The records of an operation, over all its pages. One page is in memory; the next one is called for when its first record is polled for.
///
/// A record that does not decode is an [`Error::Record`] in its place, and the stream goes on. Any other error ends it, and says where to go
/// on; see [`Pages`] for when that is, and for a loop that does go on.
#[must_use = "no page is asked for before the stream is polled"]
pub struct Items<P: Paged> {
    pages: Pages<P>,
    ready: VecDeque<Ready<P::Item>>,
    /// How many records `take` still allows.
    wanted: Option<u64>,
}

/// A record, and the offset of a new run that begins with it.
type Ready<T> = (Result<T, Error>, u64);

impl<P: Paged> Items<P> {
    /// Starts at the offset of this call.
    pub fn new(paged: P) -> Self {
        Self {
            pages: Pages::new(paged),
            ready: VecDeque::new(),
            wanted: None,
        }
    }

    /// Ends the stream after so many records. No page is called for after that; the page size stays as it is.
    pub fn take(mut self, records: u64) -> Self {
        self.wanted = min(self.wanted, Some(records));
        self
    }

    /// Bounds what the pages may cost together; see [`Pages::at_most`].
    pub fn at_most(mut self, credits: Credits) -> Self {
        self.pages = self.pages.at_most(credits);
        self
    }

    /// What the pages that are still to come may cost. How many there are is known from the first page on, or from [`take`](Self::take).
    #[must_use]
    pub fn quote(&self) -> Quote {
        let size = self.pages.paged().limit().filter(|size| *size > 0);
        let ready = u64::try_from(self.ready.len()).unwrap_or(u64::MAX);
        let wanted = self
            .wanted
            .zip(size)
            .map(|(wanted, size)| wanted.saturating_sub(ready).div_ceil(size));
        let coming = self.pages.cursor().remaining_pages(size);
        self.pages.quote_of(min(wanted, coming))
    }

    /// Where a new run goes on: after the last record that was given. In a page with several lists, it is where that page began.
    #[must_use]
    pub fn offset(&self) -> u64 {
        let next = self.ready.front();
        next.map_or_else(|| self.pages.offset(), |(_, offset)| *offset)
    }

    /// Where the first record stands that did not come, of a list that ended; see [`Pages::missing`].
    #[must_use]
    pub fn missing(&self) -> Option<u64> {
        self.pages.missing()
    }

    /// Takes the page that the last error is about, decoded; see [`Pages::take_refused`]. Its records were not given.
    pub fn take_refused(&mut self) -> Option<Response<P::Page>> {
        self.pages.take_refused()
    }

    /// The next record; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<P::Item, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl<P: Paged> Items<P> {
    /// Lines up the records of a page that did not come before.
    fn unpack(&mut self, asked: u64, page: Response<P::Page>, came_before: &[u64]) {
        let course = page.meta.course.clone();
        let lists = P::into_records(page.body);
        let is_single = lists.len() == 1;
        let client = self.pages.paged().client();
        let place = |index| asked.saturating_add(index);
        let operation = self.pages.operation();
        for (records, came_before) in lists.into_iter().zip(came_before) {
            for (index, record) in (0_u64..).zip(records.into_results()) {
                if index < *came_before {
                    continue;
                }
                let (at, after) = match is_single {
                    true => (place(index), place(index.saturating_add(1))),
                    false => (place(0), place(0)),
                };
                let record = record.map_err(|reject| {
                    Error::Record(Box::new(RecordError {
                        operation,
                        offset: after,
                        reject: RejectedRecord {
                            path: client.redact(&reject.path),
                            message: shortened(&client.redact(&reject.message), None),
                            ..reject
                        },
                        course: course.clone(),
                    }))
                });
                self.ready.push_back((record, at));
            }
        }
    }
}

/// Nothing in it is pinned in place.
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
            let asked = self.pages.cursor().next();
            match ready!(self.pages.poll_page(context)) {
                None => return Poll::Ready(None),
                Some(Ok((page, came_before))) => self.unpack(asked, page, &came_before),
                Some(Err(error)) => break Err(error),
            }
        };
        self.wanted = self.wanted.map(|wanted| wanted.saturating_sub(1));
        Poll::Ready(Some(item))
    }

    /// At most the records that are still to come, by the totals so far.
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

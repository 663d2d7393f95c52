//! A stream of pages; each page is one call.

use std::collections::BTreeSet;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
#[cfg(feature = "cache")]
use std::time::SystemTime;

use futures_core::Stream;

use super::cursor::Cursor;
use super::list_progress::received;
use super::paged::{Paged, given};
use super::remaining_calls::{RemainingCalls, Run};
use super::style::{Next, Style};
use crate::client::client::Client;
use crate::document::api::Operation;
use crate::error::position::{Place, Position};
use crate::error::{ArgumentError, Error, PagingCause, PagingError};
use crate::future::BoxFuture;
use crate::response::response::Response;
use crate::response::undecoded::Undecoded;

/// A page, and for each list the number of records that were already delivered.
pub(super) type Page<P> = (Response<<P as Paged>::Page>, Vec<u64>);

type Call<P> = BoxFuture<'static, Result<Response<<P as Paged>::Page>, Error>>;

/// The pages of an operation, as a lazy stream: each page is requested when it is polled, without prefetching.
///
/// With offsets, the next page is at the last offset plus the number of received records. The stream ends when the total is reached, or
/// after an empty page. Otherwise each page names the next one by a cursor or a link; the stream ends without one, or at the total. It ends
/// early with [`Error::Paging`], which has the position to resume from, if
///
/// - a call fails, or its body does not decode as a page (an invalid argument is [`Error::Argument`] instead);
/// - a page has no list of records, or null in its place, and nothing in it shows that no record is left: a total, a number of pages, or
///   beside null a flag, or a cursor or link that is null;
/// - a page is not the requested one: it echoes another offset, or its records are identical to those of an earlier page;
/// - a cursor or link is repeated, a link leads to another origin, or a page does not name the next one. An empty page that repeats the
///   cursor or link of its own request is the end;
/// - 100 pages in a row have no records, each with a new cursor or link;
/// - fewer records arrived than the highest total of the run. All received records were delivered before the error.
///
/// [`take_refused`](Self::take_refused) returns a refused page, decoded.
///
/// If a page has several lists, one offset serves all, and the stream ends when all lists have ended. Lists with the same key cannot be
/// distinguished: they are read again from the start of the page, so duplicates are possible, gaps are not.
///
/// Dropping a stream cancels its call in flight.
///
/// # Resuming after an error
///
/// Start a new run at [`Error::position`] with [`resume`](Self::resume), or at [`Error::resume_offset`]. With one list this is never before
/// a delivered record; with several lists it can be. A service may always fail at the same offset: stop when a run ends at the offset where
/// it started. A new run does not detect pages that repeat an earlier run.
///
/// In a page with several lists, one list may end early while others continue. The offset follows the others. [`missing`](Self::missing) is
/// the offset of the first missing record.
///
/// ```
/// # use generated_client::paging::{Items, Paged};
/// # use generated_client::Error;
/// async fn all<P: Paged>(run: impl Fn(u64) -> Items<P>) -> Result<Vec<P::Item>, Error> {
///     let (mut records, mut offset) = (Vec::new(), 0);
///     loop {
///         let mut items = run(offset);
///         let error = loop {
///             match items.next().await {
///                 Some(Ok(record)) => records.push(record),
///                 Some(Err(Error::Record(_))) => {} // one record; the stream continues
///                 Some(Err(error)) => break error,
///                 None => return Ok(records),
///             }
///         };
///         match error.resume_offset() {
///             Some(next) if next > offset => offset = next,
///             _ => return Err(error),
///         }
///     }
/// }
/// ```
#[must_use = "streams are lazy: no page is requested until the stream is polled"]
pub struct Pages<P: Paged> {
    pub(super) paged: P,
    pub(super) operation: &'static Operation,
    pub(super) start: u64,
    pub(super) cursor: Cursor,
    /// The location of the next page, if paging does not use offsets.
    pub(super) at: Place,
    pub(super) before: u64,
    /// The number of delivered records of that page: by an earlier run, or as those of the last page.
    pub(super) skip: u64,
    /// True if totals count from the first record of this run.
    pub(super) is_whole: bool,
    /// True if the run continues from a position: the query of the earlier call is unknown.
    pub(super) is_resumed: bool,
    /// Hashes of the requested cursors and links.
    pub(super) asked: BTreeSet<u64>,
    /// The number of consecutive pages without records.
    pub(super) empty: u32,
    call: Option<Call<P>>,
    /// When the first page arrived: a later one is no older.
    #[cfg(feature = "cache")]
    since: Option<SystemTime>,
    /// The number of pages that `take` still allows.
    wanted: Option<u64>,
    /// The error to return after the last page.
    ending: Option<PagingCause>,
    refused: Option<Response<P::Page>>,
}

impl<P: Paged> Pages<P> {
    /// Starts at the offset of this call.
    pub fn new(paged: P) -> Self {
        let request = paged.request();
        let given = given(&paged);
        let (start, is_whole) = match P::STYLE {
            Style::Offset => (given.unwrap_or_default(), true),
            Style::Number { first, .. } => (0, given.is_none_or(|given| given == first)),
            Style::Cursor { target, .. } => (0, target.read(&request).is_none()),
            // The parameters that select the first page of a call are unknown.
            Style::Link { .. } | Style::LinkHeader { .. } => (0, false),
        };
        Self {
            operation: request.operation(),
            paged,
            start,
            cursor: Cursor::at(start),
            at: Place::First,
            before: 0,
            skip: 0,
            is_whole,
            is_resumed: false,
            asked: BTreeSet::new(),
            empty: 0,
            call: None,
            #[cfg(feature = "cache")]
            since: None,
            wanted: None,
            ending: None,
            refused: None,
        }
    }

    /// Ends the stream after this many pages.
    pub fn take(mut self, pages: u64) -> Self {
        self.wanted = min(self.wanted, Some(pages));
        self
    }

    /// Continues from a position. Nothing is sent. A partially delivered page is returned completely.
    ///
    /// # Errors
    ///
    /// [`Error::Argument`] for a position of another operation.
    pub fn resume(mut self, position: &Position) -> Result<Self, Error> {
        if !position.is_of(self.operation) || !P::STYLE.fits(&position.page) {
            let problem = "is of another operation, or of another version of this crate";
            return Err(ArgumentError::new(self.operation, "position", problem).into());
        }
        match position.page {
            Place::Offset(offset) => {
                self.paged.set_offset(offset);
                self.start = offset;
            }
            _ => self.start = position.records,
        }
        self.cursor = Cursor::at(self.start);
        self.at = position.page.clone();
        self.before = position.records;
        self.skip = position.skip;
        self.is_resumed = true;
        self.asked.clear();
        self.empty = 0;
        (self.call, self.ending, self.refused) = (None, None, None);
        Ok(self)
    }

    /// Returns the position of the next page: a new run that resumes there begins with it. After the last page, it is the end of that page,
    /// so that a new run finds new records.
    #[must_use]
    pub fn position(&self) -> Position {
        let (page, before) = match (P::STYLE, self.cursor.next()) {
            (Style::Offset, offset) => (Place::Offset(offset), offset),
            _ => (self.at.clone(), self.before),
        };
        Position::new(self.operation, page, self.skip, before)
    }

    /// Returns the offset of the next page, at which a new run resumes. After the last page, a new run from here finds new records. It
    /// never decreases. If paging does not use offsets, it is the number of records so far; see [`position`](Self::position).
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.cursor.next()
    }

    /// Returns the offset of the first missing record; `None` if none is missing so far. A new run from here delivers records of other
    /// lists again.
    #[must_use]
    pub fn missing(&self) -> Option<u64> {
        self.cursor.missing()
    }

    /// Takes the decoded page that caused the last error: a wrong page, or a page without new records before the total was reached. `None`
    /// if no page was refused, or if it was taken already.
    ///
    /// The records can be valid, for example if a service has identical records. If so, use them and resume at `after` of
    /// [`PagingCause::Stalled`].
    pub fn take_refused(&mut self) -> Option<Response<P::Page>> {
        self.refused.take()
    }

    /// Returns the next page; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<Response<P::Page>, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    pub(super) fn paged(&self) -> &P {
        &self.paged
    }

    pub(super) fn cursor(&self) -> &Cursor {
        &self.cursor
    }

    fn call(&self) -> Call<P> {
        let client = self.paged.client().clone();
        #[cfg(not(feature = "cache"))]
        let request = self.request();
        #[cfg(feature = "cache")]
        let request = {
            let mut request = self.request();
            request.options.cache.since = self.since;
            request
        };
        Box::pin(async move { client.send_with(request, Undecoded::json).await })
    }

    pub(super) fn poll_page(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Page<P>, Error>>> {
        if self.wanted == Some(0) {
            return Poll::Ready(None);
        }
        if let Some(cause) = self.ending.take() {
            return Poll::Ready(Some(Err(self.ended(cause))));
        }
        if self.cursor.is_over() {
            return Poll::Ready(None);
        }
        let call = self.call.take().unwrap_or_else(|| self.call());
        let response = ready!(self.call.insert(call).as_mut().poll(context));
        self.call = None;
        let page = response.map_err(PagingCause::Call);
        Poll::Ready(Some(match page.and_then(|page| self.accept(page)) {
            Ok(page) => {
                self.wanted = self.wanted.map(|wanted| wanted.saturating_sub(1));
                Ok(page)
            }
            Err(cause) => {
                self.cursor.end();
                Err(self.ended(cause))
            }
        }))
    }

    fn ended(&self, cause: PagingCause) -> Error {
        match cause {
            // An invalid argument: the request can never be sent, and there is no offset to resume from.
            PagingCause::Call(error @ Error::Argument(_)) => error,
            cause => Error::Paging(Box::new(PagingError {
                operation: self.operation(),
                offset: self.offset(),
                missing: self.missing(),
                position: self.position(),
                cause,
            })),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.cursor.is_over() && self.ending.is_none()
    }

    pub(super) fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Returns an upper bound of the items (records, or one error) on pages that are not yet requested.
    pub(super) fn remaining(&self) -> Option<u64> {
        match self.ending {
            Some(_) => Some(1),
            None => self.cursor.remaining(),
        }
    }

    /// Passes a page to the cursor, and keeps a refused page.
    fn accept(&mut self, page: Response<P::Page>) -> Result<Page<P>, PagingCause> {
        #[cfg(feature = "cache")]
        self.since
            .get_or_insert_with(|| page.meta.stored_at().unwrap_or_else(SystemTime::now));
        let (view, next) = self.view(&page).map_err(PagingCause::Call)?;
        let came_before = match self.cursor.accept(&view) {
            Ok(came_before) => came_before,
            Err(stall) => {
                let cause = PagingCause::Stalled {
                    echoed: stall.echoed,
                    repeats: stall.repeats,
                    after: stall.after,
                    position_after: self.after(next, stall.after).map(Box::new),
                    page: page.without_body(),
                };
                self.refused = Some(page);
                return Err(cause);
            }
        };
        if P::STYLE != Style::Offset {
            self.skip = self.cursor.next().saturating_sub(self.before);
        }
        let next = match next {
            // All promised records arrived.
            _ if self.cursor.is_over() => Ok(()),
            Next::At(place) => self.go_to(place, received(&view.lists)),
            Next::Unknown(problem) => Err(problem),
            Next::Counted | Next::End => Ok(()),
        };
        if let Err(problem) = next {
            self.cursor.end();
            self.ending = Some(PagingCause::Unknown {
                problem,
                page: page.without_body(),
            });
            return Ok((page, came_before));
        }
        let is_over = self.cursor.is_over();
        let Some(shortfall) = self.cursor.shortfall().filter(|_| is_over) else {
            return Ok((page, came_before));
        };
        let cause = PagingCause::Short {
            promised: shortfall.promised,
            received: shortfall.received,
            page: page.without_body(),
        };
        let mut lists = view.lists.iter().zip(&came_before);
        if lists.all(|(list, came_before)| list.received <= *came_before) {
            self.refused = Some(page);
            return Err(cause);
        }
        self.ending = Some(cause);
        Ok((page, came_before))
    }
}

pub(super) fn min(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.into_iter().chain(b).min()
}

/// No field is structurally pinned.
impl<P: Paged> Run for Pages<P> {
    fn client(&self) -> &Client {
        self.paged.client()
    }

    fn with_client(mut self, client: Client) -> Self {
        *self.paged.client_mut() = client;
        self
    }

    fn remaining_calls(&self) -> RemainingCalls {
        let coming = self.cursor.remaining_pages(self.paged.limit());
        RemainingCalls {
            calls: min(coming, self.wanted),
            request: self.request(),
        }
    }
}

impl<P: Paged> Unpin for Pages<P> {}

impl<P: Paged> Stream for Pages<P> {
    type Item = Result<Response<P::Page>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let page = ready!(self.poll_page(context));
        Poll::Ready(page.map(|page| page.map(|(page, _)| page)))
    }

    /// Returns an upper bound: one page per remaining record, because a page may have a single record.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = min(self.remaining(), self.wanted);
        (0, most.and_then(|most| usize::try_from(most).ok()))
    }
}

impl<P: Paged> fmt::Debug for Pages<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("offset", &self.offset())
            .field("wanted", &self.wanted)
            .finish_non_exhaustive()
    }
}

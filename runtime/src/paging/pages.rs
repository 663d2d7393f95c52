//! Page after page, each a call of its own.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::cursor::{Cursor, View};
use super::identity::identity;
use super::paged::Paged;
use super::standing::Seen;
use crate::client::quote::Quote;
use crate::document::api::Operation;
use crate::error::Error;
use crate::error::{PagingCause, PagingError};
use crate::money::credits::Credits;
use crate::request::request::Request;
use crate::response::response::Response;
use crate::transport::transport::BoxFuture;

/// A page, with how many records of each of its lists came before already.
pub(super) type Page<P> = (Response<<P as Paged>::Page>, Vec<u64>);

type Call<P> = BoxFuture<'static, Result<Response<<P as Paged>::Page>, Error>>;

/// The pages of an operation, as a lazy stream: each call is made when its page is polled for, and none ahead.
///
/// A page is asked for from where the last one ended, by the records that it had. The total ends the pages, and so does a page without
/// records. They end with [`Error::Paging`], which says where to go on, when
///
/// - a call fails, also because a body is no page;
/// - a page is not the one that was asked for: it says another offset, or its records are those of any earlier page of the run, byte for byte;
/// - fewer records came than the highest total of the run promised. All that came was delivered before.
///
/// A page that is refused was paid for: [`take_refused`](Self::take_refused) gives it, decoded.
///
/// In a page with several lists, each goes on from where it ended, and the last of them ends the pages. Lists that share a key cannot be
/// told apart. Such lists are re-read from the start of the page: duplicates are possible, gaps are not.
///
/// Dropping a stream ends its call in flight, and what that may cost stays at risk.
///
/// # Going on after an error
///
/// A new run begins at [`Error::resume_offset`], which never lies before what was delivered. Each run is charged anew, and a service may fail
/// at the same place for ever: stop after a run that delivered nothing, which is one that ends where it began. A new run knows no pages of
/// an earlier one, and cannot tell that a service repeats these. [`at_most`](Self::at_most) and a budget bound what that costs.
///
/// In a page with several lists, one may end short while others go on. The offset follows the others, and [`missing`](Self::missing) says where
/// the first record of the short list stands.
///
/// ```
/// # use metered_client::{Error, Items, Paged};
/// async fn all<P: Paged>(run: impl Fn(u64) -> Items<P>) -> Result<Vec<P::Item>, Error> {
///     let (mut records, mut offset) = (Vec::new(), 0);
///     loop {
///         let mut items = run(offset);
///         let error = loop {
///             match items.next().await {
///                 Some(Ok(record)) => records.push(record),
///                 Some(Err(Error::Record(_))) => {} // one record; the stream goes on
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
#[must_use = "no page is asked for before the stream is polled"]
pub struct Pages<P: Paged> {
    paged: P,
    operation: &'static Operation,
    start: u64,
    cursor: Cursor,
    call: Option<Call<P>>,
    /// How many pages `take` still allows.
    wanted: Option<u64>,
    /// Why the run ends, after a last page that was delivered.
    ending: Option<PagingCause>,
    refused: Option<Response<P::Page>>,
}

impl<P: Paged> Pages<P> {
    /// Starts at the offset of this call.
    pub fn new(paged: P) -> Self {
        let start = paged.offset().unwrap_or_default();
        Self {
            operation: paged.request().operation(),
            paged,
            start,
            cursor: Cursor::at(start),
            call: None,
            wanted: None,
            ending: None,
            refused: None,
        }
    }

    /// Ends the stream after so many pages.
    pub fn take(mut self, pages: u64) -> Self {
        self.wanted = min(self.wanted, Some(pages));
        self
    }

    /// Bounds what the pages may cost together. A page that would exceed it is not called; the stream ends with an error that says where to
    /// go on.
    pub fn at_most(mut self, credits: Credits) -> Self {
        let scoped = self.paged.client().scoped(credits);
        *self.paged.client_mut() = scoped;
        self
    }

    /// What the pages that are still to come may cost. How many there are is known from the first page on, or from [`take`](Self::take).
    #[must_use]
    pub fn quote(&self) -> Quote {
        let coming = self.cursor.remaining_pages(self.paged.limit());
        self.quote_of(min(coming, self.wanted))
    }

    pub(super) fn quote_of(&self, calls: Option<u64>) -> Quote {
        self.paged.client().quote_calls(&self.request(), calls)
    }

    /// The offset of the next page: where a new run goes on. After the last page, it is where a new run looks for more. It never decreases.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.cursor.next()
    }

    /// Where the first record stands that did not come, of a list that ended or went on behind it; `None` when none is missing so far. A new run
    /// from here also pays for what other lists of the pages delivered already.
    #[must_use]
    pub fn missing(&self) -> Option<u64> {
        self.cursor.missing()
    }

    /// Takes the page that the last error is about, decoded: one that was not asked for, or one without the records that were promised.
    /// `None` when no page was refused, or when it was taken already.
    ///
    /// The records may be right after all, for example when a service has several equal ones: use them, and go on at `after` of
    /// [`PagingCause::Stalled`].
    pub fn take_refused(&mut self) -> Option<Response<P::Page>> {
        self.refused.take()
    }

    /// The next page; `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<Response<P::Page>, Error>> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    pub(super) fn paged(&self) -> &P {
        &self.paged
    }

    pub(super) fn cursor(&self) -> &Cursor {
        &self.cursor
    }

    fn request(&self) -> Request {
        let mut paged = self.paged.clone();
        if self.cursor.next() != self.start {
            paged.set_offset(self.cursor.next());
        }
        paged.request()
    }

    fn call(&self) -> Call<P> {
        let client = self.paged.client().clone();
        let request = self.request();
        Box::pin(async move { client.send(request).await })
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
            // It was not sent, and never can be: no question of where to go on.
            PagingCause::Call(error @ Error::Argument(_)) => error,
            cause => Error::Paging(Box::new(PagingError {
                operation: self.operation(),
                offset: self.offset(),
                missing: self.missing(),
                cause,
            })),
        }
    }

    pub(super) fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// At most how many records, or an error instead of them, are still to come from pages that were not asked for yet.
    pub(super) fn remaining(&self) -> Option<u64> {
        match self.ending {
            Some(_) => Some(1),
            None => self.cursor.remaining(),
        }
    }

    /// Takes note of a page, and keeps one that is refused.
    fn accept(&mut self, page: Response<P::Page>) -> Result<Page<P>, PagingCause> {
        let view = view::<P>(&page);
        let came_before = match self.cursor.accept(&view) {
            Ok(came_before) => came_before,
            Err(stall) => {
                let cause = PagingCause::Stalled {
                    echoed: stall.echoed,
                    repeats: stall.repeats,
                    after: stall.after,
                    page: without_body(&page),
                };
                self.refused = Some(page);
                return Err(cause);
            }
        };
        let shortfall = match self.cursor.is_over() {
            true => self.cursor.shortfall(),
            false => None,
        };
        let Some(shortfall) = shortfall else {
            return Ok((page, came_before));
        };
        let cause = PagingCause::Short {
            promised: shortfall.promised,
            received: shortfall.received,
            page: without_body(&page),
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

fn view<P: Paged>(page: &Response<P::Page>) -> View {
    let identity = identity(&page.raw);
    let lists = P::lists(&page.body);
    // Several lists are elements of one array, as a rule. Otherwise nothing tells their bytes apart.
    let has_own = lists.len() == identity.elements.len();
    let own = |index: usize| identity.elements.get(index).copied();
    let seen = lists.into_iter().enumerate().map(|(index, list)| Seen {
        key: list.key,
        received: list.records.received(),
        total: list.total,
        identity: own(index).filter(|_| has_own),
    });
    View {
        echoed: P::echoed_offset(&page.body),
        identity: identity.page,
        lists: seen.collect(),
    }
}

fn without_body<T>(page: &Response<T>) -> Box<Response<()>> {
    Box::new(Response {
        body: (),
        meta: page.meta.clone(),
        raw: page.raw.clone(),
        response: page.response,
    })
}

/// The smaller one of those that are known.
pub(super) fn min(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.into_iter().chain(b).min()
}

/// Nothing in it is pinned in place.
impl<P: Paged> Unpin for Pages<P> {}

impl<P: Paged> Stream for Pages<P> {
    type Item = Result<Response<P::Page>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let page = ready!(self.poll_page(context));
        Poll::Ready(page.map(|page| page.map(|(page, _)| page)))
    }

    /// At most one page for each record that is still to come, by the totals so far, for pages can be short.
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

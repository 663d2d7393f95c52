//! Page after page, each a call of its own.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures_core::Stream;

use super::cursor::{Cursor, Seen, Stall};
use super::error::{PagingCause, PagingError};
use super::paged::{List, Paged};
use crate::api::Operation;
use crate::credits::Credits;
use crate::error::Error;
use crate::quote::Quote;
use crate::request::Request;
use crate::response::Response;
use crate::transport::BoxFuture;

/// A page, with how many records of each of its lists came before already.
pub(super) type Page<P> = (Response<<P as Paged>::Page>, Vec<u64>);

type Call<P> = BoxFuture<'static, Result<Response<<P as Paged>::Page>, Error>>;

/// The pages of an operation, as a stream that makes each call when it is asked for the page. Nothing is sent before that, and nothing ahead.
///
/// A page is asked for from where the last one ended, by the records that it had. The total ends the pages, and so does a page without
/// records; when the total promises more than came, a warning says so, and [`offset`](Self::offset) stays where the first of it is missing.
/// They end with [`Error::Paging`], which says where to go on, when a call fails, and when a page is not the one that was asked for: when it
/// says another offset, or begins with the same record as the first one or the one before it.
///
/// In a page with several lists, each goes on from where it ended, and the last of them ends the pages. Lists that share a key cannot be
/// told apart: their records may come twice, but never not at all.
///
/// A stream that is dropped while a call is in flight leaves what that call may cost at risk, like any call that is given up.
#[must_use = "no page is asked for before the stream is polled"]
pub struct Pages<P: Paged> {
    paged: P,
    operation: &'static Operation,
    start: u64,
    cursor: Cursor,
    call: Option<Call<P>>,
    /// How many pages are still wanted.
    wanted: Option<u64>,
}

impl<P: Paged> Pages<P> {
    /// The pages from the offset of this call on.
    pub fn new(paged: P) -> Self {
        let start = paged.offset().unwrap_or_default();
        Self {
            operation: paged.request().operation(),
            paged,
            start,
            cursor: Cursor::at(start),
            call: None,
            wanted: None,
        }
    }

    /// Ends the stream after so many pages.
    pub fn take(mut self, pages: u64) -> Self {
        self.wanted = min(self.wanted, Some(pages));
        self
    }

    /// Bounds what the pages may cost together. A page that would exceed it is not asked for, and ends the stream with an error that says
    /// where to go on.
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

    /// The offset of the next page: where a new run goes on. After the last page, it is where a new run looks for more.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.cursor.resume(self.cursor.next())
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
        if self.cursor.is_over() || self.wanted == Some(0) {
            return Poll::Ready(None);
        }
        let call = self.call.take().unwrap_or_else(|| self.call());
        let answer = ready!(self.call.insert(call).as_mut().poll(context));
        self.call = None;
        let page = match answer {
            Err(error) => Err(PagingCause::Call(error)),
            Ok(page) => match self.accept(&page.body) {
                Ok(came_before) => Ok((page, came_before)),
                Err(stall) => Err(PagingCause::Stalled {
                    answered: match stall {
                        Stall::Offset(answered) => Some(answered),
                        Stall::Repeated => None,
                    },
                    page: Box::new(page.map(|_| ())),
                }),
            },
        };
        Poll::Ready(Some(match page {
            Ok(page) => {
                self.wanted = self.wanted.map(|wanted| wanted.saturating_sub(1));
                self.warn_if_short();
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
                cause,
            })),
        }
    }

    fn warn_if_short(&self) {
        if self.cursor.is_over() && self.cursor.is_short() {
            tracing::warn!(
                operation = self.operation().id,
                offset = self.offset(),
                "the pages ended before their total"
            );
        }
    }

    pub(super) fn operation(&self) -> &'static Operation {
        self.operation
    }

    fn accept(&mut self, page: &P::Page) -> Result<Vec<u64>, Stall> {
        let lists = P::lists(page).into_iter().map(seen).collect::<Vec<_>>();
        self.cursor.accept(P::answered_offset(page), &lists)
    }
}

fn seen<T: serde::Serialize>(list: List<'_, T>) -> Seen {
    Seen {
        key: list.key,
        received: list.records.received(),
        total: list.total,
        head: list.records.head(),
    }
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

    /// At most one page for each record that is still to come, by the last total, for pages can be short.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = min(self.cursor.remaining(), self.wanted);
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

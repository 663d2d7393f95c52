//! A stream of pages; each page is one call.

use std::collections::BTreeSet;
use std::fmt;
use std::future::poll_fn;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
#[cfg(feature = "cache")]
use std::time::SystemTime;

use futures_core::Stream;

use super::cursor::{Cursor, View};
use super::discrepancies::Discrepancies;
use super::identity::{Identity, identity};
use super::list_progress::Seen;
use super::paged::Paged;
use super::record_list::RecordList;
use super::remaining_calls::{RemainingCalls, Run};
use super::source::Target;
use super::style::{Next, Read, Style};
use crate::call::receive::not_as_documented;
use crate::call::span;
use crate::client::client::Client;
use crate::decode::pointer::Located;
use crate::document::api::Operation;
use crate::error::position::{Place, Position};
use crate::error::{ArgumentError, Error, PagingCause, PagingError};
use crate::future::BoxFuture;
use crate::request::request::Request;
use crate::response::response::Response;
use crate::response::undecoded::Unreadable;

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
    paged: P,
    operation: &'static Operation,
    start: u64,
    cursor: Cursor,
    /// The location of the next page, if paging does not use offsets.
    at: Place,
    before: u64,
    /// The number of delivered records of that page: by an earlier run, or as those of the last page.
    skip: u64,
    /// True if totals count from the first record of this run.
    is_whole: bool,
    /// True if the run continues from a position: the query of the earlier call is unknown.
    is_resumed: bool,
    /// Hashes of the requested cursors and links.
    asked: BTreeSet<u64>,
    /// The number of consecutive pages without records.
    empty: u32,
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

    /// Returns what does not add up in the pages so far, although each of them is valid.
    #[must_use]
    pub fn discrepancies(&self) -> Discrepancies {
        self.cursor.discrepancies()
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

    pub(super) fn request(&self) -> Request {
        let mut request = self.page();
        let is_first = matches!(self.at, Place::First) && self.cursor.next() == self.start;
        if !is_first || self.is_resumed {
            request.forget_key();
        }
        request
    }

    fn page(&self) -> Request {
        let paged = self.paged.clone();
        if P::STYLE != Style::Offset {
            return self.request_at(paged);
        }
        // With an undocumented parameter, the first page has an explicit offset too. Otherwise a parameter that is itself the offset would
        // be refused only on the second page.
        let is_extended = paged.request().options.extras.has_query();
        if self.cursor.next() != self.start || is_extended || self.is_resumed {
            numbered(paged, self.cursor.next())
        } else {
            paged.request()
        }
    }

    fn request_at(&self, paged: P) -> Request {
        let mut request = paged.request();
        match (&self.at, P::STYLE) {
            (Place::Number(number) | Place::Offset(number), _) => {
                return numbered(paged, *number);
            }
            (Place::First, Style::Number { first, .. }) if request.options.extras.has_query() => {
                let number = given(&paged).unwrap_or(first);
                return numbered(paged, number);
            }
            (Place::First, Style::Cursor { target, .. }) => {
                if let Target::Query(name) = target {
                    request.keep_query(name);
                }
            }
            (Place::Cursor(cursor), Style::Cursor { target, .. }) => {
                target.write(&mut request, cursor);
            }
            (Place::Link(link), _) => _ = request.follow(link, self.is_resumed),
            (Place::First | Place::Cursor(_), _) => {}
        }
        request
    }

    /// Returns a location with a link as it is requested; `Err` says why it cannot be requested.
    fn resolved(&self, place: Place) -> Result<Place, String> {
        match place {
            Place::Link(link) => {
                let link = self.paged.client().link(&self.request(), &link)?;
                Ok(Place::Link(link))
            }
            place => Ok(place),
        }
    }

    /// Returns the location of the current page, which is that of the caller's request on the first one.
    fn current(&self) -> Option<Place> {
        let request = self.request();
        match P::STYLE {
            Style::Cursor { target, .. } => target.read(&request).map(Place::Cursor),
            Style::Link { .. } | Style::LinkHeader { .. } => {
                let link = self.paged.client().link(&request, "").ok();
                link.map(Place::Link)
            }
            Style::Offset | Style::Number { .. } => None,
        }
    }

    /// Returns whether a location is that of the current page.
    fn is_current(&self, place: &Place) -> bool {
        let current = self.current();
        current.is_some_and(|current| self.resolved(place.clone()) == Ok(current))
    }

    /// Checks the location of the next page; `Err` says why it cannot be requested.
    fn onward(&self, place: Place) -> Result<Place, String> {
        let place = self.resolved(place)?;
        if self.asked.contains(&hash(&place)) {
            Err("leads to an earlier page".to_owned())
        } else {
            Ok(place)
        }
    }

    /// Moves to the next page; `Err` says why it cannot be requested.
    fn go_to(&mut self, place: Place, received: u64) -> Result<(), String> {
        // The current page counts as visited, even if no page named it.
        if let Some(current) = self.current() {
            self.asked.insert(hash(&current));
        }
        let place = self.onward(place)?;
        self.asked.insert(hash(&place));
        self.at = place;
        self.before = self.cursor.next();
        self.skip = 0;
        self.empty = match received {
            0 => self.empty.saturating_add(1),
            _ => 0,
        };
        if self.empty < EMPTY_PAGES {
            Ok(())
        } else {
            Err(format!("is the {EMPTY_PAGES}th in a row without records"))
        }
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

    /// Reads the content of a page and its reference to the next one. `Err` is the error of a page without its list.
    fn view(&self, page: &Response<P::Page>) -> Result<(View, Next), Error> {
        let identity = identity(&page.raw);
        let mut lists = seen::<P>(&page.body, &identity);
        let number = match (&self.at, P::STYLE) {
            (Place::Number(number), _) => *number,
            (_, Style::Number { first, .. }) => given(&self.paged).unwrap_or(first),
            _ => 0,
        };
        let received = received(&lists);
        let limit = self.paged.limit().filter(|_| P::SHORT_IS_LAST);
        let read = Read {
            body: &page.raw,
            headers: &page.meta.headers,
            number,
            received,
            is_short: limit.is_some_and(|limit| received < limit),
        };
        let total = P::TOTAL.and_then(|total| read.number(total));
        let total = total.filter(|_| self.is_whole);
        for list in &mut lists {
            list.total = list.total.filter(|_| self.is_whole).or(total);
        }
        let array = match RecordList::read(&page.raw, P::LIST) {
            RecordList::Listed(array) => array,
            RecordList::Null(_) if P::STYLE.is_said_to_end(P::MORE, &read) => &[],
            RecordList::Null(located) | RecordList::Absent(located) => {
                let mut totals = lists.iter().filter_map(|list| list.total).chain(total);
                let is_all = totals.any(|total| total <= self.cursor.next());
                if !is_all && !P::STYLE.is_beyond(&read) {
                    return Err(without_list(page, located));
                }
                &[]
            }
        };
        let says_more = P::MORE.and_then(|more| read.flag(more)) == Some(true);
        let next = match P::STYLE.next(P::MORE, &read) {
            Next::At(place) if received == 0 && !says_more && self.is_current(&place) => Next::End,
            next => next,
        };
        let is_last = match next {
            Next::Counted => None,
            Next::At(_) | Next::Unknown(_) => Some(false),
            Next::End => Some(true),
        };
        let view = View {
            echoed: P::echoed_offset(&page.body),
            is_last,
            identity: identity.page,
            records: record_hashes(&lists, identity.elements, array),
            lists,
        };
        Ok((view, next))
    }

    /// Returns where a new run continues if the records of a refused page are used; `None` if the page names no next page.
    fn after(&self, next: Next, records: u64) -> Option<Position> {
        let place = match (P::STYLE, next) {
            (Style::Offset, _) => Place::Offset(records),
            (_, Next::At(place)) => self.onward(place).ok()?,
            (_, Next::Counted | Next::Unknown(_) | Next::End) => return None,
        };
        Some(Position::new(self.operation, place, 0, records))
    }

    /// Passes a page to the cursor, and keeps a refused page.
    fn accept(&mut self, page: Response<P::Page>) -> Result<Page<P>, PagingCause> {
        #[cfg(feature = "cache")]
        self.since
            .get_or_insert_with(|| page.meta.stored_at().unwrap_or_else(SystemTime::now));
        let (view, next) = self.view(&page).map_err(PagingCause::Call)?;
        let earlier = self.cursor.discrepancies();
        let came_before = match self.cursor.accept(&view) {
            Ok(came_before) => came_before,
            Err(stall) => {
                let cause = PagingCause::Stalled {
                    echoed: stall.echoed,
                    repeats: stall.repeats,
                    after: stall.after,
                    position_after: self.after(next, stall.after).map(Box::new),
                    page: without_body(&page),
                };
                self.refused = Some(page);
                return Err(cause);
            }
        };
        let discrepancies = self.cursor.discrepancies();
        if discrepancies != earlier {
            let Discrepancies {
                repeated,
                beyond_total,
            } = discrepancies;
            span::discrepancies(self.operation, repeated, beyond_total);
        }
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
                page: without_body(&page),
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

/// The number of consecutive pages without records that is an error, if pages are named by cursors or links.
const EMPTY_PAGES: u32 = 100;

/// Returns the call's number of records to skip, or of the page; `None` if the caller did not set it.
fn given<P: Paged>(paged: &P) -> Option<u64> {
    match P::OFFSET_IN_BODY {
        Some(pointer) => paged.request().body_number(pointer),
        None => paged.offset(),
    }
}

/// Returns the request with this number of records to skip, or of the page.
fn numbered<P: Paged>(mut paged: P, number: u64) -> Request {
    let Some(pointer) = P::OFFSET_IN_BODY else {
        paged.set_offset(number);
        return paged.request();
    };
    let mut request = paged.request();
    Target::Integer(pointer).write(&mut request, &number.to_string());
    request
}

fn received(lists: &[Seen]) -> u64 {
    lists.iter().map(|list| list.received).sum()
}

fn hash(place: &Place) -> u64 {
    let mut hasher = DefaultHasher::new();
    place.hash(&mut hasher);
    hasher.finish()
}

fn seen<P: Paged>(page: &P::Page, identity: &Identity) -> Vec<Seen> {
    let lists = P::lists(page);
    // Several lists are usually elements of one array. Otherwise their bytes cannot be assigned to lists.
    let has_own = lists.len() == identity.elements.len();
    let seen = lists.into_iter().enumerate().map(|(index, list)| Seen {
        key: list.key,
        received: list.records.received(),
        total: list.total,
        identity: identity.elements.get(index).copied().filter(|_| has_own),
    });
    seen.collect()
}

/// Returns the hash of each record of the only list. `elements`: the hashes of the elements of all arrays of the page. `array`: that of the
/// list. Of several lists, it is the array that contains them: its elements are no records.
fn record_hashes(lists: &[Seen], elements: Vec<u64>, array: &[u8]) -> Vec<u64> {
    match lists {
        [list] if list.key.is_none() => {
            // Usually no other array of the page has elements.
            if u64::try_from(elements.len()) == Ok(list.received) {
                elements
            } else {
                identity(array).elements
            }
        }
        _ => Vec::new(),
    }
}

/// Returns the error of a page without its list. It is that of a body that does not decode, whatever the document requires.
fn without_list<T>(page: &Response<T>, located: Located) -> Error {
    not_as_documented(
        page.operation,
        &page.meta,
        page.meta.history.clone(),
        page.raw.clone(),
        Unreadable(located),
    )
}

fn without_body<T>(page: &Response<T>) -> Box<Response<()>> {
    Box::new(Response {
        body: (),
        meta: page.meta.clone(),
        raw: page.raw.clone(),
        set_aside: page.set_aside.clone(),
        operation: page.operation,
    })
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

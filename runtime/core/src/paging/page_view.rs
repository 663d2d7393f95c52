//! What a page says of itself: its records, its totals, and the next page.

use super::cursor::View;
use super::identity::{Identity, identity};
use super::list_progress::{Seen, received};
use super::paged::{Paged, given};
use super::pages::Pages;
use super::record_list::RecordList;
use super::style::{Next, Read, Style};
use crate::call::receive::not_as_documented;
use crate::decode::pointer::Located;
use crate::error::Error;
use crate::error::position::{Place, Position};
use crate::response::response::Response;

impl<P: Paged> Pages<P> {
    /// Reads the content of a page and its reference to the next one. `Err` is the error of a page without its list.
    pub(super) fn view(&self, page: &Response<P::Page>) -> Result<(View, Next), Error> {
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
        match RecordList::read(&page.raw, P::LIST) {
            RecordList::Listed => {}
            RecordList::Null(_) if P::STYLE.is_said_to_end(P::MORE, &read) => {}
            RecordList::Null(located) | RecordList::Absent(located) => {
                let mut totals = lists.iter().filter_map(|list| list.total).chain(total);
                let is_all = totals.any(|total| total <= self.cursor.next());
                if !is_all && !P::STYLE.is_beyond(&read) {
                    return Err(without_list(page, located));
                }
            }
        }
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
            lists,
        };
        Ok((view, next))
    }

    /// Returns where a new run continues if the records of a refused page are used; `None` if the page names no next page.
    pub(super) fn after(&self, next: Next, records: u64) -> Option<Position> {
        let place = match (P::STYLE, next) {
            (Style::Offset, _) => Place::Offset(records),
            (_, Next::At(place)) => self.onward(place).ok()?,
            (_, Next::Counted | Next::Unknown(_) | Next::End) => return None,
        };
        Some(Position::new(self.operation, place, 0, records))
    }
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

/// Returns the error of a page without its list. It is that of a body that does not decode, whatever the document requires.
fn without_list<T>(page: &Response<T>, located: Located) -> Error {
    not_as_documented(page.operation, &page.meta, page.raw.clone(), located)
}

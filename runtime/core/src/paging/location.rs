//! Where the next page is, and the request for it.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::paged::{Paged, given, numbered};
use super::pages::Pages;
use super::source::Target;
use super::style::Style;
use crate::error::position::Place;
#[cfg(feature = "idempotency")]
use crate::request::idempotency;
use crate::request::request::Request;

impl<P: Paged> Pages<P> {
    pub(super) fn request(&self) -> Request {
        #[cfg(feature = "idempotency")]
        if self.is_later() {
            return idempotency::without_key(self.page());
        }
        self.page()
    }

    /// Returns whether the page is not the one that the caller asks for.
    #[cfg(feature = "idempotency")]
    fn is_later(&self) -> bool {
        let is_first = matches!(self.at, Place::First) && self.cursor.next() == self.start;
        !is_first || self.is_resumed
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
    pub(super) fn is_current(&self, place: &Place) -> bool {
        let current = self.current();
        current.is_some_and(|current| self.resolved(place.clone()) == Ok(current))
    }

    /// Checks the location of the next page; `Err` says why it cannot be requested.
    pub(super) fn onward(&self, place: Place) -> Result<Place, String> {
        let place = self.resolved(place)?;
        if self.asked.contains(&hash(&place)) {
            Err("leads to an earlier page".to_owned())
        } else {
            Ok(place)
        }
    }

    /// Moves to the next page; `Err` says why it cannot be requested.
    pub(super) fn go_to(&mut self, place: Place, received: u64) -> Result<(), String> {
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
}

/// The number of consecutive pages without records that is an error, if pages are named by cursors or links.
const EMPTY_PAGES: u32 = 100;

fn hash(place: &Place) -> u64 {
    let mut hasher = DefaultHasher::new();
    place.hash(&mut hasher);
    hasher.finish()
}

//! How the next page is requested. Input: a page and its headers. Output: the location of the next page, or the end. It sends nothing.

use http::HeaderMap;
use http::header::LINK;

use super::links::target;
use super::source::{Source, Target};
use crate::decode::member::Value;
use crate::error::position::Place;

/// How an operation asks for its next page. For generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// By the number of records to skip.
    Offset,
    /// By the number of the page.
    Number {
        /// The number of the first page.
        first: u64,
        /// The place of the page count in the response.
        pages: Option<Source>,
    },
    /// By a string or a number from the previous page.
    Cursor {
        /// Its place in the request.
        target: Target,
        /// Its place in the response.
        next: Source,
    },
    /// By a link.
    Link {
        /// Its place in the response.
        next: Source,
    },
    /// By a link in the header `Link` (RFC 8288).
    LinkHeader {
        /// Its relation, as `next`.
        relation: &'static str,
    },
}

/// The next page, according to a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// Unspecified: the numbers of records decide.
    Counted,
    At(Place),
    /// There is no next page.
    End,
    /// There is a next page, but its location is unknown.
    Unknown(String),
}

/// A page, as seen by a style.
pub(super) struct Read<'p> {
    pub(super) body: &'p [u8],
    pub(super) headers: &'p HeaderMap,
    pub(super) number: u64,
    pub(super) received: u64,
    /// True if it has fewer records than requested, and that marks the last page.
    pub(super) is_short: bool,
}

impl Read<'_> {
    /// Returns the string or the number at a place; an empty string counts as absent, as in Google's `nextPageToken`.
    fn text(&self, source: Source) -> Option<String> {
        match source.read(self.body, self.headers)? {
            Value::Text(text) => Some(text).filter(|text| !text.is_empty()),
            Value::Flag(_) => None,
        }
    }

    fn flag(&self, source: Source) -> Option<bool> {
        match source.read(self.body, self.headers)? {
            Value::Flag(flag) => Some(flag),
            Value::Text(text) => text.parse().ok(),
        }
    }

    pub(super) fn number(&self, source: Source) -> Option<u64> {
        self.text(source)?.parse().ok()
    }
}

impl Style {
    /// Returns whether this style uses locations of this kind.
    pub(super) fn fits(self, place: &Place) -> bool {
        match place {
            Place::First => self != Self::Offset,
            Place::Offset(_) => self == Self::Offset,
            Place::Number(_) => matches!(self, Self::Number { .. }),
            Place::Cursor(_) => matches!(self, Self::Cursor { .. }),
            Place::Link(_) => matches!(self, Self::Link { .. } | Self::LinkHeader { .. }),
        }
    }

    /// Returns the next page, according to a page. `more` is the place of a flag that says whether there is one.
    pub(super) fn next(&self, more: Option<Source>, page: &Read<'_>) -> Next {
        let more = more.and_then(|more| page.flag(more));
        if more == Some(false) || (page.is_short && more.is_none()) {
            return Next::End;
        }
        let next = match *self {
            Self::Offset => return Next::Counted,
            Self::Number { first, pages } => return numbered(page, first, pages, more),
            Self::Cursor { next, .. } => page.text(next).map(Place::Cursor),
            Self::Link { next } => page.text(next).map(Place::Link),
            Self::LinkHeader { relation } => {
                let headers = page.headers.get_all(LINK).iter();
                let mut texts = headers.filter_map(|header| header.to_str().ok());
                texts
                    .find_map(|text| target(text, relation))
                    .map(|link| Place::Link(link.to_owned()))
            }
        };
        match (next, more) {
            (Some(place), _) => Next::At(place),
            (None, Some(true)) => Next::Unknown("says that there are more, but not where".into()),
            (None, _) => Next::End,
        }
    }
}

fn numbered(page: &Read<'_>, first: u64, pages: Option<Source>, more: Option<bool>) -> Next {
    let pages = pages.and_then(|pages| page.number(pages));
    let passed = page.number.saturating_sub(first).saturating_add(1);
    let is_last = pages.map(|pages| pages <= passed);
    let Some(next) = page.number.checked_add(1) else {
        return Next::End;
    };
    match (page.received, is_last, more) {
        (_, Some(true), _) => Next::End,
        (0, Some(false), _) | (0, None, Some(true)) => {
            Next::Unknown("has no records, but is not the last".into())
        }
        (0, None, None | Some(false)) => Next::End,
        _ => Next::At(Place::Number(next)),
    }
}

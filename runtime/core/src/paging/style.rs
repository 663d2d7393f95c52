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
    /// By a link in the header `link` (RFC 8288).
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
    /// Returns the value in which a page names the next one, if it names any.
    fn reference(&self, source: Source) -> Option<Value> {
        let value = source.read(self.body, self.headers);
        value.filter(|value| !value.is_nothing())
    }

    /// Returns the cursor of the next page; `None` if there is none. `Err` says, as a fragment of a sentence, why it cannot be used.
    fn cursor(&self, source: Source) -> Result<Option<String>, String> {
        match self.reference(source) {
            // A number is sent with its digits.
            Some(Value::Text(text) | Value::Number(text)) => Ok(Some(text)),
            Some(other) => Err(format!("has {} in place of the next cursor", other.kind())),
            None if source.is_of_record() && self.received > 0 => {
                Err("has a last record without the next cursor".to_owned())
            }
            None => Ok(None),
        }
    }

    fn link(&self, source: Source) -> Result<Option<String>, String> {
        match self.reference(source) {
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(format!("has {} in place of the next link", other.kind())),
            None => Ok(None),
        }
    }

    pub(super) fn flag(&self, source: Source) -> Option<bool> {
        match source.read(self.body, self.headers)? {
            Value::Flag(flag) => Some(flag),
            Value::Text(text) => text.parse().ok(),
            Value::Null | Value::Number(_) | Value::Array | Value::Object => None,
        }
    }

    /// Returns the number of pages up to this one.
    fn passed(&self, first: u64) -> u64 {
        self.number.saturating_sub(first).saturating_add(1)
    }

    pub(super) fn number(&self, source: Source) -> Option<u64> {
        let value = source.read(self.body, self.headers)?;
        value.into_scalar()?.parse().ok()
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
            Self::Cursor { next, .. } => page.cursor(next).map(|next| next.map(Place::Cursor)),
            Self::Link { next } => page.link(next).map(|next| next.map(Place::Link)),
            Self::LinkHeader { relation } => {
                let headers = page.headers.get_all(LINK).iter();
                let mut texts = headers.filter_map(|header| header.to_str().ok());
                let link = texts.find_map(|text| target(text, relation));
                Ok(link.map(|link| Place::Link(link.to_owned())))
            }
        };
        match (next, more) {
            (Ok(Some(place)), _) => Next::At(place),
            (Ok(None), Some(true)) => {
                Next::Unknown("says that there are more, but not where".into())
            }
            (Ok(None), _) => Next::End,
            (Err(problem), _) => Next::Unknown(problem),
        }
    }

    /// Returns whether a page has a member that says that there is no further page: a flag, a number of pages, or a cursor or link that is
    /// null.
    pub(super) fn is_said_to_end(self, more: Option<Source>, page: &Read<'_>) -> bool {
        if let Some(more) = more.and_then(|more| page.flag(more)) {
            return !more;
        }
        match self {
            Self::Number { first, pages } => {
                let pages = pages.and_then(|pages| page.number(pages));
                pages.is_some_and(|pages| pages <= page.passed(first))
            }
            Self::Cursor { next, .. } | Self::Link { next } => {
                let value = next.read(page.body, page.headers);
                value.is_some_and(|value| value.is_nothing())
            }
            Self::Offset | Self::LinkHeader { .. } => false,
        }
    }

    /// Returns whether a page is after the last one, by its number of pages.
    pub(super) fn is_beyond(self, page: &Read<'_>) -> bool {
        match self {
            Self::Number { first, pages } => {
                let pages = pages.and_then(|pages| page.number(pages));
                pages.is_some_and(|pages| pages < page.passed(first))
            }
            _ => false,
        }
    }
}

fn numbered(page: &Read<'_>, first: u64, pages: Option<Source>, more: Option<bool>) -> Next {
    let pages = pages.and_then(|pages| page.number(pages));
    let is_last = pages.map(|pages| pages <= page.passed(first));
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

//! How the page after a page is asked for. Input: a page and its headers. Output: the place of the next page, or the end. It sends nothing.

use http::HeaderMap;
use http::header::LINK;

use super::links::target;
use super::member::{Value, member};
use crate::error::position::Place;

/// How an operation asks for its next page. For generated code.
///
/// Members of a page are named by JSON Pointers, with `-1` for the last element of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// By the number of records to skip.
    Offset,
    /// By the number of the page.
    Number {
        /// The number of the first page.
        first: u64,
        /// The member that has the number of pages.
        pages: Option<&'static str>,
    },
    /// By a text or a number from the page before.
    Cursor {
        /// The query parameter that takes it.
        parameter: &'static str,
        /// The member that has it.
        next: &'static str,
    },
    /// By a link in the body.
    Link {
        /// The member that has it.
        next: &'static str,
    },
    /// By a link in the header `Link` (RFC 8288).
    LinkHeader {
        /// Its relation, as `next`.
        relation: &'static str,
    },
}

/// What a page says about the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Next {
    /// Nothing: the numbers of records decide.
    Counted,
    At(Place),
    /// There is none.
    End,
    /// There is one, and nothing says where.
    Unknown(String),
}

/// A page, as a style reads it.
pub(super) struct Read<'p> {
    pub(super) body: &'p [u8],
    pub(super) headers: &'p HeaderMap,
    /// Its number, where pages have one.
    pub(super) number: u64,
    /// The number of its records.
    pub(super) received: u64,
}

impl Style {
    /// Whether pages are asked for by a place of this kind.
    pub(super) fn fits(self, place: &Place) -> bool {
        match place {
            Place::First => self != Self::Offset,
            Place::Offset(_) => self == Self::Offset,
            Place::Number(_) => matches!(self, Self::Number { .. }),
            Place::Cursor(_) => matches!(self, Self::Cursor { .. }),
            Place::Link(_) => matches!(self, Self::Link { .. } | Self::LinkHeader { .. }),
        }
    }

    /// What a page says about the next one. `more` is the member that says whether there is one.
    pub(super) fn next(&self, more: Option<&str>, page: &Read<'_>) -> Next {
        let more = more.and_then(|more| match member(page.body, more) {
            Some(Value::Flag(more)) => Some(more),
            _ => None,
        });
        if more == Some(false) {
            return Next::End;
        }
        let next = match *self {
            Self::Offset => return Next::Counted,
            Self::Number { first, pages } => return numbered(page, first, pages, more),
            Self::Cursor { next, .. } => cursor(page.body, next).map(Place::Cursor),
            Self::Link { next } => cursor(page.body, next).map(Place::Link),
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
            (None, Some(true)) => Next::Unknown("says that there are more, and not where".into()),
            (None, _) => Next::End,
        }
    }
}

/// A text that is empty is one that is absent, as in Google's `nextPageToken`.
fn cursor(body: &[u8], pointer: &str) -> Option<String> {
    match member(body, pointer)? {
        Value::Text(text) => Some(text).filter(|text| !text.is_empty()),
        Value::Flag(_) => None,
    }
}

fn numbered(page: &Read<'_>, first: u64, pages: Option<&str>, more: Option<bool>) -> Next {
    let pages = pages.and_then(|pages| match member(page.body, pages) {
        Some(Value::Text(text)) => text.parse::<u64>().ok(),
        _ => None,
    });
    let passed = page.number.saturating_sub(first).saturating_add(1);
    let is_last = pages.map(|pages| pages <= passed);
    let Some(next) = page.number.checked_add(1) else {
        return Next::End;
    };
    match (page.received, is_last, more) {
        (_, Some(true), _) => Next::End,
        (0, Some(false), _) | (0, None, Some(true)) => {
            Next::Unknown("has no records, and is said not to be the last".into())
        }
        (0, None, None | Some(false)) => Next::End,
        _ => Next::At(Place::Number(next)),
    }
}

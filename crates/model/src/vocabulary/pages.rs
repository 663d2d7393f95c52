//! Operations that respond in pages, and the ways to the records and to what stands beside them.

use super::place::Place;

/// An operation whose responses are pages.
#[derive(Clone, Debug)]
pub struct Pages {
    /// Its id.
    pub operation: String,
    /// How the next page is asked for.
    pub style: PageStyle,
    /// JSON Pointer of the flag that says whether there is another page.
    pub more: Option<String>,
    /// The way from the body to the array of records.
    pub items: Vec<Hop>,
    /// A record.
    pub item: Place,
    /// The way to the number of all records.
    pub total: Option<Branch>,
    /// The way to the value that distinguishes one list from another.
    pub key: Option<Branch>,
    /// The member of the body that repeats the offset.
    pub echoed_offset: Option<Hop>,
}

/// How the next page is asked for. Members of a page are JSON Pointers, with `-1` for the last element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageStyle {
    /// By the number of records to skip.
    Offset {
        /// The parameter that takes it.
        parameter: String,
    },
    /// By the number of the page.
    Number {
        /// The parameter that takes it.
        parameter: String,
        /// The number of the first page.
        first: u64,
        /// The number of pages.
        pages: Option<String>,
    },
    /// By a text or number from the page before.
    Cursor {
        /// The query parameter that takes it.
        parameter: String,
        /// What it takes.
        next: String,
    },
    /// By a link in the body.
    Link {
        /// The link.
        next: String,
    },
    /// By a link in the header `Link`.
    LinkHeader {
        /// Its relation.
        relation: String,
    },
}

/// A way that leaves the one to the records.
#[derive(Clone, Debug)]
pub struct Branch {
    /// After so many hops.
    pub after: usize,
    /// How it goes on, through objects only.
    pub hops: Vec<Hop>,
}

/// A member on the way from a body to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The object that has it.
    pub owner: String,
    /// Its name on the wire.
    pub property: String,
    /// Whether the way goes on in each element of it.
    pub is_list: bool,
}

impl Hop {
    /// A member that the way ends at, or goes through as an object.
    pub fn to(owner: &str, property: &str) -> Self {
        Self {
            owner: owner.to_owned(),
            property: property.to_owned(),
            is_list: false,
        }
    }
}

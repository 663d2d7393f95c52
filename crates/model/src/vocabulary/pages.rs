//! Operations that respond in pages, and the paths to the records and their metadata.

use std::collections::BTreeMap;

use super::place::Place;

/// An operation whose responses are pages.
#[derive(Clone, Debug)]
pub struct Pages {
    /// Its id.
    pub operation: String,
    /// The request of the next page.
    pub style: PageStyle,
    /// The flag for another page.
    pub more: Option<PageSource>,
    /// The target of the page size.
    pub limit: Option<PageTarget>,
    /// True if a page with fewer records than the limit is the last one.
    pub short_is_last: bool,
    /// The path from the body to the array of records; empty for a body that is the array.
    pub items: Vec<PathMember>,
    /// The JSON Pointers of this array, or of the first array on the path, by each of its names; empty if a page may leave it out.
    pub list: Vec<String>,
    /// A record.
    pub item: Place,
    /// The path to the number of all records.
    pub total: Option<Branch>,
    /// The JSON Pointers of this number in the body, by each of its names.
    pub total_pointers: Vec<String>,
    /// The response header that has this number, instead of the body.
    pub total_header: Option<String>,
    /// The path to the value that distinguishes one list from another.
    pub key: Option<Branch>,
    /// The member of the body that repeats the offset.
    pub echoed_offset: Option<PathMember>,
}

/// The location of page metadata in a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageSource {
    /// A member of the body, by JSON Pointers with `-1` for the last element of an array: one for each name that the member may have.
    Body(Vec<String>),
    /// A header, by its name.
    Header(String),
}

/// The location of the requested page in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageTarget {
    /// A parameter, by its name.
    Parameter(String),
    /// A member of the JSON body.
    Body {
        /// Its JSON Pointer.
        pointer: String,
        /// True if it is an integer rather than a string.
        is_integer: bool,
    },
}

impl PageTarget {
    /// Its name on the wire.
    pub fn name(&self) -> &str {
        match self {
            Self::Parameter(name) => name,
            Self::Body { pointer, .. } => pointer.rsplit('/').next().unwrap_or(pointer),
        }
    }
}

/// The request of the next page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageStyle {
    /// By the number of records to skip.
    Offset {
        /// The target of the number.
        target: PageTarget,
    },
    /// By the number of the page.
    Number {
        /// The target of the number.
        target: PageTarget,
        /// The number of the first page.
        first: u64,
        /// The number of pages.
        pages: Option<PageSource>,
    },
    /// By a string or number from the page before.
    Cursor {
        /// Its target: a query parameter, or a member of the body.
        target: PageTarget,
        /// Its source.
        next: PageSource,
    },
    /// By a link.
    Link {
        /// The link.
        next: PageSource,
    },
    /// By a link in the header `Link`.
    LinkHeader {
        /// Its relation.
        relation: String,
    },
}

impl PageStyle {
    /// Returns the target of a number that counts records or pages.
    pub fn number(&self) -> Option<&PageTarget> {
        match self {
            Self::Offset { target } | Self::Number { target, .. } => Some(target),
            Self::Cursor { .. } | Self::Link { .. } | Self::LinkHeader { .. } => None,
        }
    }

    /// Returns the name of the style, for readers.
    pub fn by(&self) -> &'static str {
        match self {
            Self::Offset { .. } => "the number of records before it",
            Self::Number { .. } => "its number",
            Self::Cursor { .. } => "a cursor from the page before",
            Self::Link { .. } => "a link in the page before",
            Self::LinkHeader { .. } => "the header `Link` of the page before",
        }
    }
}

/// A path that branches off from the one to the records.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The number of members on the shared path.
    pub after: usize,
    /// The members after the shared path, through objects only.
    pub members: Vec<PathMember>,
}

/// Members that paging needs, by their owners and names, and whether each leads to records.
pub(super) type PageMembers = BTreeMap<String, BTreeMap<String, bool>>;

/// A member on the path from a body to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathMember {
    /// The object that has it.
    pub owner: String,
    /// Its name on the wire.
    pub property: String,
    /// True if the path continues in each element of it.
    pub is_list: bool,
}

impl PathMember {
    /// Returns a member that a path ends at, or passes as an object.
    pub fn to(owner: &str, property: &str) -> Self {
        Self {
            owner: owner.to_owned(),
            property: property.to_owned(),
            is_list: false,
        }
    }
}

//! Differences in callers' Rust code. A generator finds them; the report combines them with changes of the wire format.

use std::fmt;

use openapi_document::pointer;
use serde::Serialize;

/// Smallest version bump that does not surprise a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bump {
    /// Everything compiles as before.
    Patch,
    /// There is more to use.
    Minor,
    /// A caller's code can stop compiling.
    Major,
}

impl fmt::Display for Bump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        })
    }
}

/// One difference between two surfaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The item's path.
    #[serde(skip)]
    pub item: String,
    /// Version bump that the difference needs.
    #[serde(rename = "rust")]
    pub bump: Bump,
    /// Description for the caller.
    #[serde(rename = "message")]
    pub sentence: String,
    /// Location in the old document that the item was generated from, if it existed.
    pub old: Option<String>,
    /// Location in the new document that the item is generated from, if it exists.
    pub new: Option<String>,
    /// Aspect of the item that differs.
    #[serde(skip)]
    pub about: About,
    /// Type or module that contains the item.
    #[serde(skip)]
    pub owner: String,
    /// Name of the item.
    #[serde(skip)]
    pub name: String,
}

/// Aspect of an item that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// Names that callers use.
    Item,
    /// Behaviour of the code.
    Behaviour,
    /// Documentation.
    Docs,
}

impl Difference {
    /// Returns whether only documentation differs.
    pub fn is_documentation(&self) -> bool {
        self.about == About::Docs
    }

    /// Returns whether the difference is about an operation or a part of one.
    pub fn is_of_operation(&self) -> bool {
        let places = self.old.iter().chain(&self.new);
        places.into_iter().any(|place| place.starts_with("/paths/"))
    }

    /// Returns whether this is about a part of the other's item.
    pub fn is_below(&self, other: &Self) -> bool {
        is_within(&self.old, &other.old) || is_within(&self.new, &other.new)
    }
}

fn is_within(inner: &Option<String>, outer: &Option<String>) -> bool {
    let both = inner.as_ref().zip(outer.as_ref());
    both.is_some_and(|(inner, outer)| pointer::is_within(inner, outer))
}

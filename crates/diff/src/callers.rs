//! What differs for the Rust code of callers. A generator finds it; the report brings it together with the wire format.

use std::fmt;

use openapi_document::pointer;

/// The least version bump that does not surprise a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

/// One thing that differs between two surfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The item's path.
    pub item: String,
    /// What it is worth.
    pub bump: Bump,
    /// Where the item came from in the old document, if it was there.
    pub old: Option<String>,
    /// Where it comes from in the new one, if it is there.
    pub new: Option<String>,
    /// What a caller should know.
    pub sentence: String,
    /// What of the item differs.
    pub about: About,
    /// The type or module that has the item.
    pub owner: String,
    /// The item's own name.
    pub name: String,
}

/// What of an item differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// What callers name.
    Item,
    /// What code does.
    Behaviour,
    /// What people read.
    Docs,
}

impl Difference {
    /// Whether nothing differs but what people read.
    pub fn is_documentation(&self) -> bool {
        self.about == About::Docs
    }

    /// Whether this is about an operation or a part of one.
    pub fn is_of_operation(&self) -> bool {
        let places = self.old.iter().chain(&self.new);
        places.into_iter().any(|place| place.starts_with("/paths/"))
    }

    /// Whether this is about a part of what the other is about.
    pub fn is_below(&self, other: &Self) -> bool {
        let is_within = |inner: &Option<String>, outer: &Option<String>| match (inner, outer) {
            (Some(inner), Some(outer)) => pointer::is_within(inner, outer),
            _ => false,
        };
        is_within(&self.old, &other.old) || is_within(&self.new, &other.new)
    }
}

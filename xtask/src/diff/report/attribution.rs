//! Changes on the wire and differences of the Rust surface, brought together by the places that they have in common.

use std::fmt;

use serde::Serialize;

use crate::diff::compare::Differences;
use crate::diff::verdicts::{Change, Place, Wire};
use crate::finding::Finding;
use crate::pointer::is_within;
use crate::surface::{Bump, Difference};

/// The version bump that callers' code needs. The greater, the worse; unknown is worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rust {
    /// The crate is the same.
    None,
    /// Documentation and metadata.
    Patch,
    /// Callers' code builds as before, and there is more to use.
    Minor,
    /// Callers' code may not build.
    Major,
    /// One side has no crate to compare, or the comparison was not requested.
    Unknown,
}

impl fmt::Display for Rust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
            Self::Unknown => "unknown",
        })
    }
}

impl From<Bump> for Rust {
    fn from(bump: Bump) -> Self {
        match bump {
            Bump::Patch => Self::Patch,
            Bump::Minor => Self::Minor,
            Bump::Major => Self::Major,
        }
    }
}

/// What is known of the two crates.
#[derive(Clone, Debug)]
pub enum Surfaces {
    /// The comparison was not requested.
    Skipped,
    /// A side has no crate, for these reasons.
    Unknown(Vec<Finding>),
    /// All differences.
    Compared(Vec<Difference>),
}

/// A change with the bump that it needs.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The change.
    pub change: Change,
    /// The worst difference of the surface at or below its places.
    pub rust: Rust,
}

/// Everything that is said about two documents.
#[derive(Clone, Debug)]
pub struct Report {
    /// What the old document is called.
    pub old: String,
    /// What the new document is called.
    pub new: String,
    /// The worst that a change does on the wire.
    pub wire: Wire,
    /// The bump that the new document needs.
    pub rust: Rust,
    /// The changes, the worst on the wire first.
    pub changes: Vec<Entry>,
    /// Differences of the surface that belong to no change.
    pub unattributed: Vec<Difference>,
    /// What could not be followed in the documents.
    pub findings: Vec<Finding>,
    /// What the documents could mean in two ways, and how it was read.
    pub warnings: Vec<Finding>,
    /// Why the bump is unknown, if its comparison was requested.
    pub obstacles: Vec<Finding>,
}

impl Report {
    /// Brings the two halves together.
    pub fn new(old: &str, new: &str, differences: Differences, surfaces: Surfaces) -> Self {
        let wire = differences.wire();
        let (known, rust, obstacles) = match surfaces {
            Surfaces::Skipped => (Vec::new(), Some(Rust::Unknown), Vec::new()),
            Surfaces::Unknown(obstacles) => (Vec::new(), Some(Rust::Unknown), obstacles),
            Surfaces::Compared(known) => (known, None, Vec::new()),
        };
        let mut claimed = vec![false; known.len()];
        let mut changes = Vec::with_capacity(differences.changes.len());
        for change in differences.changes {
            let mut worst = rust.unwrap_or(Rust::None);
            for (difference, claimed) in known.iter().zip(&mut claimed) {
                if belongs(difference, &change) {
                    worst = worst.max(difference.bump.into());
                    *claimed = true;
                }
            }
            changes.push(Entry {
                change,
                rust: worst,
            });
        }
        let overall = known
            .iter()
            .map(|difference| Rust::from(difference.bump))
            .max();
        let unclaimed = known
            .into_iter()
            .zip(claimed)
            .filter(|(_, claimed)| !claimed);
        Self {
            old: old.to_owned(),
            new: new.to_owned(),
            wire,
            rust: rust.or(overall).unwrap_or(Rust::None),
            changes,
            unattributed: unclaimed.map(|(difference, _)| difference).collect(),
            findings: differences.findings,
            warnings: Vec::new(),
            obstacles,
        }
    }
}

/// Whether a difference stands at or below a place of the change, or at the property, parameter or the like whose
/// schema changed.
fn belongs(difference: &Difference, change: &Change) -> bool {
    let at = |pointer: &Option<String>, place: &Option<Place>| match (pointer, place) {
        (Some(pointer), Some(place)) => {
            is_within(pointer, &place.pointer) || carries(pointer, &place.subject)
        }
        _ => false,
    };
    at(&difference.old, &change.old) || at(&difference.new, &change.new)
}

/// Whether a pointer is that of a schema, or of an object that has only the schema.
fn carries(pointer: &str, schema: &str) -> bool {
    let mut at = schema;
    loop {
        if at == pointer {
            return true;
        }
        match at.rsplit_once('/') {
            Some((above, "schema" | "items" | "additionalProperties")) => at = above,
            _ => return false,
        }
    }
}

//! Changes on the wire and differences of the Rust surface, brought together by the places that they have in common.

use std::fmt;

use serde::Serialize;

use crate::finding::Finding;
use crate::pointer::is_within;
use crate::surface::{self, Bump};
use crate::wire::{Change, Differences, Place, Wire};

/// The version bump that callers' code needs. The greater, the worse; what is not known is worst.
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
    /// A side has no crate to compare, or nobody asked.
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

/// One difference between two crates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustDifference {
    /// The bump that it needs.
    pub bump: Rust,
    /// Pointer into the old document, if the item was there.
    pub old: Option<String>,
    /// Pointer into the new document, if the item is there.
    pub new: Option<String>,
    /// One sentence with the item's name.
    pub sentence: String,
}

impl From<&surface::Difference> for RustDifference {
    fn from(difference: &surface::Difference) -> Self {
        Self {
            bump: match difference.bump {
                Bump::Patch => Rust::Patch,
                Bump::Minor => Rust::Minor,
                Bump::Major => Rust::Major,
            },
            old: difference.old.clone(),
            new: difference.new.clone(),
            sentence: difference.sentence.clone(),
        }
    }
}

/// What is known of the two crates.
#[derive(Clone, Debug)]
pub enum Surfaces {
    /// Nobody asked.
    Skipped,
    /// A side has no crate, for these reasons.
    Unknown(Vec<Finding>),
    /// All differences.
    Compared(Vec<RustDifference>),
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
    pub unattributed: Vec<RustDifference>,
    /// What could not be followed, and why a side has no crate.
    pub findings: Vec<Finding>,
}

impl Report {
    /// Brings the two halves together.
    pub fn new(old: &str, new: &str, differences: Differences, surfaces: Surfaces) -> Self {
        let wire = differences.wire();
        let mut findings = differences.findings;
        let (known, rust) = match surfaces {
            Surfaces::Skipped => (Vec::new(), Some(Rust::Unknown)),
            Surfaces::Unknown(reasons) => {
                findings.extend(reasons);
                (Vec::new(), Some(Rust::Unknown))
            }
            Surfaces::Compared(known) => (known, None),
        };
        let mut claimed = vec![false; known.len()];
        let mut changes = Vec::with_capacity(differences.changes.len());
        for change in differences.changes {
            let mut worst = rust.unwrap_or(Rust::None);
            for (difference, claimed) in known.iter().zip(&mut claimed) {
                if belongs(difference, &change) {
                    worst = worst.max(difference.bump);
                    *claimed = true;
                }
            }
            changes.push(Entry {
                change,
                rust: worst,
            });
        }
        let overall = known.iter().map(|difference| difference.bump).max();
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
            findings,
        }
    }
}

/// Whether a difference stands at or below a place of the change, or at the object whose keyword the change is.
fn belongs(difference: &RustDifference, change: &Change) -> bool {
    let at = |pointer: &Option<String>, place: &Option<Place>| match (pointer, place) {
        (Some(pointer), Some(place)) => {
            is_within(pointer, &place.pointer) || *pointer == place.subject
        }
        _ => false,
    };
    at(&difference.old, &change.old) || at(&difference.new, &change.new)
}

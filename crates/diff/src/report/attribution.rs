//! Combines changes on the wire with differences of the Rust surface, by the locations that they share.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use openapi_document::finding::Finding;
use serde::Serialize;

use crate::callers::{Bump, Difference};
use crate::compare::Differences;
use crate::verdicts::{Change, Wire};

/// Version bump that callers' code needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rust {
    /// The crate is the same.
    None,
    /// One side has no crate to compare, or the comparison was not requested.
    Unknown,
    /// The crate differs.
    #[serde(untagged)]
    Bump(Bump),
}

impl fmt::Display for Rust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Unknown => f.pad("unknown"),
            Self::Bump(bump) => f.pad(&bump.to_string()),
        }
    }
}

/// Comparison of the two crates.
#[derive(Clone, Debug)]
pub enum Surfaces {
    /// The comparison was not requested.
    Skipped,
    /// A side has no crate, for these reasons.
    Unknown(Vec<Finding>),
    /// All differences.
    Compared(Vec<Difference>),
}

/// A change with the version bump that it needs.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The change.
    pub change: Change,
    /// Worst difference of the surface at or below its locations.
    pub rust: Rust,
}

impl Entry {
    /// Returns whether people see the change on a separate line; a change of documentation only if it breaks a caller's build.
    pub(super) fn is_shown(&self) -> bool {
        self.rust > Rust::Bump(Bump::Patch) || !self.change.rule.is_quiet()
    }
}

/// Report on two documents.
#[derive(Clone, Debug)]
pub struct Report {
    /// Name of the old document.
    pub old: String,
    /// Name of the new document.
    pub new: String,
    /// Files of the old document and of the new one, without revisions.
    pub files: [String; 2],
    /// Worst verdict of the changes on the wire.
    pub wire: Wire,
    /// Version bump that the new document needs.
    pub rust: Rust,
    /// Changes, the worst on the wire first.
    pub changes: Vec<Entry>,
    /// Differences of the surface that belong to no change.
    pub unattributed: Vec<Difference>,
    /// References in the documents that could not be followed.
    pub findings: Vec<Finding>,
    /// Ambiguities in the documents, and how they were read.
    pub warnings: Vec<Finding>,
    /// Reasons why the bump is unknown, if its comparison was requested.
    pub obstacles: Vec<Finding>,
}

impl Report {
    /// Combines the changes on the wire with those of the surface.
    pub fn new(old: &str, new: &str, differences: Differences, surfaces: Surfaces) -> Self {
        let wire = differences.wire();
        let (known, rust, obstacles) = match surfaces {
            Surfaces::Skipped => (Vec::new(), Some(Rust::Unknown), Vec::new()),
            Surfaces::Unknown(obstacles) => (Vec::new(), Some(Rust::Unknown), obstacles),
            Surfaces::Compared(known) => (known, None, Vec::new()),
        };
        let index = Index::of(&differences.changes);
        let mut bumps = vec![rust.unwrap_or(Rust::None); differences.changes.len()];
        let mut owners: Vec<Vec<usize>> = Vec::with_capacity(known.len());
        for difference in &known {
            owners.push(index.of_difference(difference));
            raise(&mut bumps, difference, owners.last());
        }
        // What is left is due to changes below that explain nothing else.
        for (difference, owners) in known.iter().zip(&mut owners) {
            if owners.is_empty() && difference.bump > Bump::Patch {
                owners.extend(index.below(difference));
                owners.retain(|at| bumps.get(*at) == Some(&Rust::None));
                raise(&mut bumps, difference, Some(owners));
            }
        }
        let overall = known.iter().map(|one| Rust::Bump(one.bump)).max();
        let unclaimed = known
            .into_iter()
            .zip(owners)
            .filter(|(_, owners)| owners.is_empty());
        Self {
            old: old.to_owned(),
            new: new.to_owned(),
            files: [old.to_owned(), new.to_owned()],
            wire,
            rust: rust.or(overall).unwrap_or(Rust::None),
            changes: differences
                .changes
                .into_iter()
                .zip(bumps)
                .map(|(change, rust)| Entry { change, rust })
                .collect(),
            unattributed: unclaimed.map(|(difference, _)| difference).collect(),
            findings: differences.findings,
            warnings: Vec::new(),
            obstacles,
        }
    }
}

/// Raises the bumps of the changes that a difference belongs to.
fn raise(bumps: &mut [Rust], difference: &Difference, owners: Option<&Vec<usize>>) {
    for at in owners.into_iter().flatten() {
        if let Some(bump) = bumps.get_mut(*at) {
            *bump = Rust::Bump(difference.bump).max(*bump);
        }
    }
}

/// Changes by the locations that differences of the surface are looked up by.
struct Index<'c> {
    changes: &'c [Change],
    /// Changes by location, in the old document and in the new one. A change owns everything at or below its locations.
    places: [BTreeMap<&'c str, Vec<usize>>; 2],
    /// Changes by schema, and by objects that contain only such a schema.
    carriers: [HashMap<&'c str, Vec<usize>>; 2],
}

impl<'c> Index<'c> {
    fn of(changes: &'c [Change]) -> Self {
        let mut index = Self {
            changes,
            places: Default::default(),
            carriers: Default::default(),
        };
        let Self {
            places, carriers, ..
        } = &mut index;
        for (number, change) in changes.iter().enumerate() {
            let sides = [&change.old, &change.new].into_iter();
            for ((place, places), carriers) in sides.zip(&mut *places).zip(&mut *carriers) {
                let Some(place) = place else { continue };
                places.entry(&place.pointer).or_default().push(number);
                for carrier in carrying(&place.subject) {
                    carriers.entry(carrier).or_default().push(number);
                }
            }
        }
        index
    }

    /// Returns the indices of the changes that a difference belongs to.
    fn of_difference(&self, difference: &Difference) -> Vec<usize> {
        let sides = [&difference.old, &difference.new].into_iter();
        let found = sides.zip(&self.places).zip(&self.carriers);
        let found = found.flat_map(|((pointer, places), carriers)| {
            let pointer = pointer.as_deref();
            let within = pointer.into_iter().flat_map(at_or_above);
            let within = within.filter_map(|at| places.get(at));
            within
                .chain(pointer.and_then(|at| carriers.get(at)))
                .flatten()
        });
        let mut found: Vec<usize> = found.copied().collect();
        // Words beside a change have no part in what it does to code.
        if !difference.is_documentation() && !found.iter().all(|at| self.is_docs(*at)) {
            found.retain(|at| !self.is_docs(*at));
        }
        found
    }

    /// Returns the indices of the changes below the locations of a difference that are more than words or notation.
    fn below(&self, difference: &Difference) -> Vec<usize> {
        let mut found = Vec::new();
        for (pointer, places) in [&difference.old, &difference.new]
            .into_iter()
            .zip(&self.places)
        {
            let Some(pointer) = pointer else { continue };
            let below = format!("{pointer}/");
            let after = places.range(below.as_str()..);
            let within = after.take_while(|(at, _)| at.starts_with(&below));
            found.extend(within.flat_map(|(_, changes)| changes).copied());
        }
        found.retain(|at| {
            self.changes
                .get(*at)
                .is_some_and(|change| !change.rule.is_quiet())
        });
        found
    }

    fn is_docs(&self, number: usize) -> bool {
        let change = self.changes.get(number);
        change.is_some_and(|change| change.rule.is_docs())
    }
}

/// Returns a pointer and its ancestors.
fn at_or_above(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |at| Some(at.rsplit_once('/')?.0))
}

/// Returns the pointer of a schema, and of the objects that contain only the schema.
fn carrying(schema: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(schema), |at| match at.rsplit_once('/') {
        Some((above, "schema" | "items" | "additionalProperties")) => Some(above),
        _ => None,
    })
}

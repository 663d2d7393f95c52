//! Matches the locations of two documents, as the comparison pairs them. Paths that moved are matched here, while
//! [`compare`](super::compare) treats them as different paths, because calls of the old ones fail.

use std::collections::HashSet;

use openapi_document::source::Source;
use serde_json::Value;

use super::http::{Documents, PathMove, documents, moves, operations, surroundings};
use super::schemas::{alike, drain};
use super::verdicts::{address, pointers};

/// Result of matching two documents.
#[derive(Clone, Debug, Default)]
pub struct Matched {
    /// JSON Pointers into the old and the new document of corresponding values, each pair once, in the order in which they were
    /// compared. Values below equal ones are omitted.
    pub places: Vec<(String, String)>,
    /// Paths that were renamed in the new document.
    pub moves: Vec<PathMove>,
    /// Component schemas that no operation of the old document uses, matched by likeness alone.
    pub alike: Vec<(String, String)>,
}

/// Matches two documents. Neither has to be valid: references that cannot be followed are reported as findings.
pub fn matched(old: &Source, new: &Source) -> Matched {
    let moves = moves(&old.value, &new.value);
    let mut documents = documents(&old.value, &new.value);
    documents.moved = moves
        .iter()
        .map(|one| (one.new.as_str(), one.old.as_str()))
        .collect();
    operations(&mut documents);
    surroundings(&mut documents);
    drain(&mut documents.schemas);
    let unmet = unmet(&documents);
    let pairs = alike(&mut documents.schemas, &unmet.0, &unmet.1);
    drain(&mut documents.schemas);
    let met = std::mem::take(&mut documents.schemas.met);
    let values = |side: fn(&(&'_ Value, &'_ Value)) -> usize| -> HashSet<usize> {
        met.iter().chain(&pairs).map(side).collect()
    };
    let before = pointers(&old.value, &values(|(a, _)| address(a)));
    let after = pointers(&new.value, &values(|(_, b)| address(b)));
    let place = |(a, b): &(&Value, &Value)| {
        let (a, b) = (before.get(&address(a))?, after.get(&address(b))?);
        Some((a.clone(), b.clone()))
    };
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    let places = met
        .iter()
        .filter(|(a, b)| seen.insert((address(a), address(b))))
        .filter_map(place)
        .collect();
    let alike = pairs.iter().filter_map(place).collect();
    Matched {
        places,
        alike,
        moves,
    }
}

/// Returns the component schemas of both documents that were compared with nothing.
fn unmet<'d>(documents: &Documents<'d>) -> (Vec<&'d Value>, Vec<&'d Value>) {
    let schemas = &documents.schemas;
    let of = |root: &'d Value, side: fn(&(&Value, &Value)) -> usize| -> Vec<&'d Value> {
        let met: HashSet<usize> = schemas.met.iter().map(side).collect();
        let components = root
            .get("components")
            .and_then(|all| all.get("schemas"))
            .and_then(Value::as_object);
        let listed = components.into_iter().flatten();
        listed
            .map(|(_, schema)| schema)
            .filter(|schema| !met.contains(&address(schema)))
            .collect()
    };
    (
        of(schemas.old.root, |(a, _)| address(a)),
        of(schemas.new.root, |(_, b)| address(b)),
    )
}

//! Matches the locations of two documents, as the comparison pairs them. Paths that moved are matched here, while
//! [`compare`](super::compare) treats them as different paths, because calls of the old ones fail.

use std::collections::{HashMap, HashSet};

use openapi_document::source::Source;
use openapi_schemas::reading::component_schemas;
use serde_json::Value;

use super::http::{PathMove, documents, moves, operations, surroundings};
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
    let schemas = &mut documents.schemas;
    let met_old = addresses(schemas.met.iter().map(|(old, _)| *old));
    let met_new = addresses(schemas.met.iter().map(|(_, new)| *new));
    let before = unmet(schemas.old.root, &met_old);
    let after = unmet(schemas.new.root, &met_new);
    let pairs = alike(schemas, &before, &after);
    drain(schemas);
    let met = std::mem::take(&mut schemas.met);
    let all = met.iter().chain(&pairs);
    let pointers = Pointers {
        old: pointers(&old.value, &addresses(all.clone().map(|(old, _)| *old))),
        new: pointers(&new.value, &addresses(all.map(|(_, new)| *new))),
    };
    let mut seen: HashSet<(usize, usize)> = HashSet::new();
    let mut places = Vec::new();
    for (old, new) in met {
        if seen.insert((address(old), address(new))) {
            places.extend(pointers.pair(old, new));
        }
    }
    let alike = pairs
        .into_iter()
        .filter_map(|(old, new)| pointers.pair(old, new));
    Matched {
        places,
        alike: alike.collect(),
        moves,
    }
}

/// Pointers of the values of both documents, by their addresses.
struct Pointers {
    old: HashMap<usize, String>,
    new: HashMap<usize, String>,
}

impl Pointers {
    fn pair(&self, old: &Value, new: &Value) -> Option<(String, String)> {
        let old = self.old.get(&address(old))?;
        let new = self.new.get(&address(new))?;
        Some((old.clone(), new.clone()))
    }
}

fn addresses<'d>(values: impl Iterator<Item = &'d Value>) -> HashSet<usize> {
    values.map(address).collect()
}

/// Returns the component schemas of a document that were compared with nothing.
fn unmet<'d>(root: &'d Value, met: &HashSet<usize>) -> Vec<&'d Value> {
    let schemas = component_schemas(root).map(|(_, schema)| schema);
    schemas
        .filter(|schema| !met.contains(&address(schema)))
        .collect()
}

//! Identifiers of changes in later runs: from the rule, the direction and the location, without parts that other changes shift.

use std::collections::HashMap;

use openapi_document::pointer;
use openapi_document::resolver::REFERRING;
use serde_json::Value;

use super::change::Direction;
use super::rules::Rule;

/// Members that name an element of a list beside a reference, if it has them. Alternatives share `type`; their properties distinguish them.
const NAMING: [&str; 5] = ["$id", "in", "name", "url", "type"];

/// Stable locations of one document: elements of lists by content, and paths without parameter names.
pub(crate) struct Steady<'d> {
    root: &'d Value,
    /// Names of the elements of a list, by the address of the first.
    lists: HashMap<*const Value, Vec<String>>,
}

impl<'d> Steady<'d> {
    pub(crate) fn new(root: &'d Value) -> Self {
        Self {
            root,
            lists: HashMap::new(),
        }
    }

    /// Returns the stable location of a pointer.
    pub(crate) fn place(&mut self, at: &str) -> String {
        let (mut place, mut value) = (String::new(), Some(self.root));
        for token in pointer::tokens(at) {
            let (name, below) = match value {
                Some(Value::Array(items)) => {
                    let names = self
                        .lists
                        .entry(items.as_ptr())
                        .or_insert_with(|| names(items));
                    let index = token.parse::<usize>().ok();
                    let name = index.and_then(|index| names.get(index)).cloned();
                    let below = index.and_then(|index| items.get(index));
                    (name.unwrap_or_default(), below)
                }
                value => (unnamed(&token), value.and_then(|value| value.get(&token))),
            };
            place = pointer::join(&place, &name);
            value = below;
        }
        place
    }
}

/// Returns a path without parameter names; any other key unchanged.
fn unnamed(key: &str) -> String {
    if !key.starts_with('/') {
        return key.to_owned();
    }
    let mut parts = key.split('{');
    let mut path = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        path.push_str("{}");
        path.push_str(part.split_once('}').map_or("", |(_, behind)| behind));
    }
    path
}

/// Returns the names of the elements of a list. Elements with equal names have their properties added, and then their number.
fn names(items: &[Value]) -> Vec<String> {
    let mut names: Vec<String> = items.iter().map(name).collect();
    for (name, item) in alike(&mut names).into_iter().zip(items) {
        if let Some(name) = name {
            name.push_str(&keys(item.get("properties")));
        }
    }
    let mut known: HashMap<String, usize> = HashMap::new();
    for name in &mut names {
        let number = known.entry(name.clone()).or_default();
        *number += 1;
        if *number > 1 {
            name.push_str(&format!(" {number}"));
        }
    }
    names
}

/// Returns the names that are not unique; `None` for the rest.
fn alike(names: &mut [String]) -> Vec<Option<&mut String>> {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for name in &*names {
        *numbers.entry(name.clone()).or_default() += 1;
    }
    let names = names.iter_mut();
    names
        .map(|name| numbers.get(name).is_some_and(|n| *n > 1).then_some(name))
        .collect()
}

fn name(item: &Value) -> String {
    let Value::Object(map) = item else {
        return item.to_string();
    };
    // Security requirements are named by their schemes.
    if map.values().all(Value::is_array) {
        return keys(Some(item));
    }
    let naming = REFERRING.iter().chain(&NAMING);
    let said = naming.filter_map(|key| map.get(*key));
    let said: Vec<String> = said.map(Value::to_string).collect();
    said.join(" ")
}

/// Returns the keys of an object in order.
fn keys(value: Option<&Value>) -> String {
    let map = value.and_then(Value::as_object);
    let mut keys: Vec<&str> = map
        .into_iter()
        .flat_map(|map| map.keys())
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys.iter().map(|key| format!(" {key}")).collect()
}

/// Returns the fingerprint of a change by its rule, direction and locations: 16 hexadecimal digits of FNV-1a. The changed values are not
/// included.
pub(crate) fn fingerprint(rule: &Rule, direction: Direction, places: &[String]) -> String {
    let direction = direction.to_string();
    let parts = [rule.id, &direction].into_iter();
    let parts = parts.chain(places.iter().map(String::as_str));
    let bytes = parts.flat_map(|part| part.bytes().chain([0]));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

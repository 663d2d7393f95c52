//! Checks that a guard keeps its meaning, based on the differences that the diff found in the guarded value. Changes of documentation do
//! not count, nor do changes that the override wants.

use openapi_diff::{Change, Differences, Place};
use openapi_document::pointer;
use openapi_document::source::references;
use openapi_overlay::lists;
use serde_json::{Map, Value};

use super::correspondence::Correspondence;
use super::resolution_path::{component, resolution_path, target};

/// Collects the guarded pointers at one location: the keys below the target that the guard names.
pub(super) fn leaves(guard: &Value, at: &str, found: &mut Vec<String>) {
    match guard {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                leaves(value, &pointer::join(at, key), found);
            }
        }
        _ => found.push(at.to_owned()),
    }
}

/// The differences of the diff, with their locations.
pub(super) struct Meaning<'m, 'd> {
    pub(super) to: &'m Correspondence<'d>,
    pub(super) differences: &'m Differences,
    /// True if a later override removes newly allowed null.
    pub(super) is_never_null: bool,
}

/// Members that operations inherit from the path item or the document.
const INHERITED: [&str; 2] = ["security", "servers"];

impl Meaning<'_, '_> {
    /// Returns the differences in meaning at a guarded key of two matching locations. `rest` is the pointer of the key below both.
    pub(super) fn changed(
        &self,
        old: &str,
        new: &str,
        rest: &str,
        update: Option<&Value>,
    ) -> Vec<&Change> {
        if let (Some((old, key)), Some((new, _)), "") = (bare(old), bare(new), rest) {
            return self.changed(old, new, key, None);
        }
        let (home, key) = rest.rsplit_once('/').unwrap_or(("", ""));
        let (a, b) = (format!("{old}{home}"), format!("{new}{home}"));
        if key == "parameters" {
            return self.parameters(&a, &b, update.and_then(|update| update.pointer(rest)));
        }
        let key = if rest.is_empty() {
            String::new()
        } else {
            format!("/{key}")
        };
        let (before, after) = (
            resolution_path(self.to.old, &a),
            resolution_path(self.to.new, &b),
        );
        let stays = |nodes: &[String]| nodes.iter().skip(1).any(|node| component(node).is_some());
        // With references on both sides, their target does not belong to this location.
        let far = !(key.is_empty() && stays(&before) && stays(&after));
        let keyed = |nodes: &[String]| -> Vec<String> {
            let nodes = nodes.iter().take(if far { usize::MAX } else { 1 });
            nodes.map(|node| format!("{node}{key}")).collect()
        };
        let (x, y) = (keyed(&before), keyed(&after));
        // A key in a map of names is a member, not a keyword.
        let keyword = Some(key.trim_start_matches('/'))
            .filter(|key| !key.is_empty() && !key.starts_with("x-") && !is_container(home));
        let said =
            |root: &Value, keyed: &[String]| keyed.iter().find_map(|at| root.pointer(at)).cloned();
        let (was, is) = (said(self.to.old, &x), said(self.to.new, &y));
        let is_other = was != is;
        // A component that the guarded value refers to is a part of it, where the value is another one.
        let (parts_before, parts_after) = match is_other {
            true => (parts(self.to.old, was), parts(self.to.new, is)),
            false => (Vec::new(), Vec::new()),
        };
        // If a reference was added or removed, its target changes.
        let is_referred = keyword == Some("$ref") && is_other && stays(&before) != stays(&after);
        let among = |place: &Option<Place>, nodes: &[String]| {
            let at = place.as_ref().map(|place| place.pointer.as_str());
            at.is_some_and(|at| nodes.iter().any(|node| pointer::is_within(at, node)))
        };
        let is_of = |change: &Change| {
            is_referred && (among(&change.old, &before) || among(&change.new, &after))
                || is_other && is_of_holder(change, &format!("{old}{rest}"))
        };
        let all = self.differences.changes.iter();
        let is_below = |place: &Option<Place>, keyed: &[String]| {
            let at = place.as_ref().map(|place| place.pointer.as_str());
            at.is_some_and(|at| {
                keyed
                    .iter()
                    .any(|key| at != key && pointer::is_within(at, key))
            })
        };
        // An unchanged keyword is not the difference.
        let is_said =
            |change: &Change| is_other && keyword.is_some_and(|key| change.rule.is_about(key));
        let is_aside = |change: &Change| {
            let rule = change.rule;
            // Only the guarded location counts, not a property below it.
            let is_of_object = rule.loosens_presence()
                && keyword != Some("required")
                && !is_below(&change.old, &x);
            rule.keeps_meaning() || is_of_object || self.is_never_null && rule.lets_absence_in()
        };
        all.filter(|change| !is_aside(change))
            .filter(|change| {
                let side = |place: &Option<Place>, keyed: &[String], nodes: &[String]| {
                    side(change, place.as_ref()?, keyed, nodes, keyword)
                };
                let sides = (
                    side(&change.old, &x, &before),
                    side(&change.new, &y, &after),
                );
                match sides {
                    _ if is_of(change) => true,
                    (Some(Side::Inside), Some(_)) => true,
                    // The new side is at another counterpart. The change counts only if it is here, too, if it is about what every
                    // location inherits, or if the new list is too short for the element.
                    (Some(Side::Inside), None) => {
                        let rule = change.rule;
                        change.new.is_none()
                            || among(&change.new, &before)
                            || change
                                .old
                                .as_ref()
                                .is_some_and(|old| lacks_element(self.to.new, &old.pointer, &x, &y))
                            || !rule.is_whole() && INHERITED.iter().any(|key| rule.is_about(key))
                    }
                    (_, Some(Side::Inside)) => change.old.is_none() || far,
                    (Some(Side::Beside), Some(Side::Beside)) => is_said(change),
                    (Some(Side::Beside), None) if among(&change.new, &parts_after) => true,
                    (None, Some(_)) if among(&change.old, &parts_before) => true,
                    (Some(Side::Beside), None) => change.new.is_none() && is_said(change),
                    (None, Some(Side::Beside)) => change.old.is_none() && is_said(change),
                    (None, None) => false,
                }
            })
            .collect()
    }

    /// Returns the changes of parameters that an update names: other elements of the list do not matter.
    fn parameters(&self, old: &str, new: &str, update: Option<&Value>) -> Vec<&Change> {
        let listed = |root: &Value, at: &str, wanted: &(String, String)| {
            let list = root.pointer(at)?.get("parameters")?.as_array()?;
            let index = list
                .iter()
                .position(|one| lists::key(root, one).as_ref() == Some(wanted))?;
            Some(format!("{at}/parameters/{index}"))
        };
        let named = update.and_then(Value::as_array).into_iter().flatten();
        let mut found = Vec::new();
        for wanted in named
            .filter_map(|one| lists::key(self.to.new, one).or_else(|| lists::key(self.to.old, one)))
        {
            let (a, b) = (
                listed(self.to.old, old, &wanted),
                listed(self.to.new, new, &wanted),
            );
            match (a, b) {
                (None, None) => {}
                (Some(a), Some(b)) => found.extend(self.changed(&a, &b, "", None)),
                (a, b) => {
                    let all = self.differences.changes.iter();
                    found.extend(all.filter(|change| {
                        let is = |place: &Option<Place>, at: &Option<String>| {
                            let pair = place.as_ref().zip(at.as_ref());
                            pair.is_some_and(|(place, at)| pointer::is_within(&place.pointer, at))
                        };
                        is(&change.old, &a) || is(&change.new, &b)
                    }));
                }
            }
        }
        found
    }
}

/// Returns the owner and the keyword of a location without a separate meaning: a reference, or the names of required properties or one
/// of them.
fn bare(at: &str) -> Option<(&str, &'static str)> {
    let list = at.rsplit_once('/').map_or("", |(list, _)| list);
    let homes = [
        (at.strip_suffix("/$ref"), "/$ref"),
        (at.strip_suffix("/required"), "/required"),
        (list.strip_suffix("/required"), "/required"),
    ];
    let found = homes.into_iter().find_map(|(home, key)| Some((home?, key)));
    found.filter(|(home, _)| !is_container(home))
}

/// Returns the locations that a value refers to.
fn parts(root: &Value, value: Option<Value>) -> Vec<String> {
    let value = value.unwrap_or_default();
    let found = references(&value).into_iter();
    found
        .filter_map(|(reference, _)| target(root, reference))
        .collect()
}

/// Returns whether a change is of a keyword at or above a location that is a part of the keyword's value.
fn is_of_holder(change: &Change, at: &str) -> bool {
    let Some(Place {
        pointer, subject, ..
    }) = &change.old
    else {
        return false;
    };
    let is_on_path = pointer::is_within(at, pointer) || pointer::is_within(pointer, at);
    let mut inner = at;
    while let Some((home, key)) = pointer::split_last(inner) {
        let is_about = !is_container(home) && change.rule.is_about(&key);
        let is_of_home = pointer == home || subject == home;
        // A discriminator names the value that selects each alternative.
        let is_chosen = key == "discriminator" && pointer::is_within(pointer, home);
        let is_there = is_of_home || is_chosen || is_on_path && pointer::is_within(pointer, inner);
        if is_about && !change.rule.is_whole() && is_there {
            return true;
        }
        inner = home;
    }
    false
}

/// Returns whether a pointer ends with a map of names, where a key is a member and not a keyword.
fn is_container(home: &str) -> bool {
    let last = home.rsplit('/').next().unwrap_or_default();
    matches!(
        last,
        "properties" | "headers" | "paths" | "responses" | "content" | "schemas" | "links"
    )
}

/// Location of a change relative to a guarded key.
enum Side {
    /// In the value of the key, or at something that was removed with it.
    Inside,
    /// At the schema or object that has the key, or above it.
    Beside,
}

fn side(
    change: &Change,
    place: &Place,
    keyed: &[String],
    nodes: &[String],
    keyword: Option<&str>,
) -> Option<Side> {
    let at = place.pointer.as_str();
    let is_above = keyed.iter().any(|key| pointer::is_within(key, at));
    // A keyword that contains the key, or a whole value that was added or removed.
    let is_whole = place.subject != at || change.rule.is_whole();
    if is_above && is_whole || keyed.iter().any(|key| pointer::is_within(at, key)) {
        return Some(Side::Inside);
    }
    let is_property = |node: &String| {
        let rest = at.strip_prefix(node.as_str());
        let name = rest.and_then(|rest| rest.strip_prefix("/properties/"));
        name.is_some_and(|name| !name.contains('/'))
    };
    let is_beside = is_above
        || nodes
            .iter()
            .any(|node| *node == place.subject || node == at)
        || keyword == Some("required") && nodes.iter().any(is_property);
    is_beside.then_some(Side::Beside)
}

/// Returns whether an old location is in an element of a guarded list that the new document lacks: its list is shorter, or another value.
fn lacks_element(new: &Value, at: &str, old_keys: &[String], new_keys: &[String]) -> bool {
    let mut below = old_keys.iter().filter_map(|key| {
        let is_within = pointer::is_within(at, key);
        at.get(key.len()..).filter(|_| is_within)
    });
    let Some(below) = below.next() else {
        return false;
    };
    let is_short = |mut here: &Value| {
        for token in pointer::tokens(below) {
            let next = match here {
                Value::Object(map) => match map.get(&token) {
                    None if token.parse::<usize>().is_ok() => return true,
                    found => found,
                },
                Value::Array(list) => {
                    let found = token.parse().ok().and_then(|index: usize| list.get(index));
                    match found {
                        None => return true,
                        found => found,
                    }
                }
                _ => return true,
            };
            match next {
                Some(next) => here = next,
                None => return false,
            }
        }
        false
    };
    let mut lists = new_keys.iter().filter_map(|key| new.pointer(key));
    lists.any(is_short)
}

/// Returns a guard with the new document's values, except at the keys that differ in meaning.
pub(super) fn merged(derived: Value, kept: &Value, differing: &[String]) -> Value {
    let mut guard = derived;
    for at in differing {
        if let Some(old) = kept.pointer(at) {
            put(&mut guard, at, old.clone());
        }
    }
    guard
}

fn put(guard: &mut Value, at: &str, value: Value) {
    let mut here = guard;
    for token in pointer::tokens(at) {
        if !here.is_object() {
            *here = Map::new().into();
        }
        let Value::Object(map) = here else { return };
        here = map.entry(token).or_insert(Value::Null);
    }
    *here = value;
}

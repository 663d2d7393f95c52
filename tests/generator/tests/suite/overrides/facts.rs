//! Surface of a crate, one line per fact: names, types and arguments, but no code. Two crates are compared by these facts.

use std::collections::{BTreeMap, HashMap};

use client_generator::surface::{Item, Kind, Surface};

/// Lists the facts of a crate that another one lacks. Documentation counts only if nothing else differs.
pub(super) fn missing(with: &Surface, without: &Surface) -> Vec<String> {
    let known: HashMap<(&str, Kind), &Item> = without.items().map(|one| (key(one), one)).collect();
    let has_type = |path: &str| known.contains_key(&(path, Kind::Type));
    let mut facts: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    let mut words = Vec::new();
    for item in with.items() {
        let before = known.get(&key(item));
        if before.is_some_and(|before| before.signature == item.signature) {
            let is_other = before.is_some_and(|before| before.docs != item.docs);
            words.extend(is_other.then(|| format!("words of {}", item.path)));
            continue;
        }
        let (owner, name) = split(item);
        let is_of_type = with.items().any(|one| key(one) == (owner, Kind::Type));
        // The abilities of a new type follow from its definition.
        let is_data = matches!(item.kind, Kind::Field | Kind::Variant);
        if is_data || !is_of_type || has_type(owner) {
            facts.entry((owner, fact(item))).or_default().push(name);
        }
    }
    if facts.is_empty() {
        words
    } else {
        facts.into_iter().map(line).collect()
    }
}

fn key(item: &Item) -> (&str, Kind) {
    (&item.path, item.kind)
}

/// Returns the owner of an item, and its own name.
fn split(item: &Item) -> (&str, &str) {
    let path = item.path.as_str();
    let parts = match item.kind {
        Kind::Trait => path.split_once(" for ").map(|(name, owner)| (owner, name)),
        Kind::Behaviour => path.split_once(' '),
        _ => path.rsplit_once("::"),
    };
    parts.unwrap_or(("", path))
}

/// Returns the fact about an item besides its name.
fn fact(item: &Item) -> String {
    let arguments = item.arguments.iter().map(|one| one.ty.as_str());
    match item.kind {
        Kind::Field => format!(": {}", item.signature),
        Kind::Function => format!("({})", arguments.collect::<Vec<_>>().join(", ")),
        Kind::Package => format!(" {}", item.signature),
        _ => String::new(),
    }
}

/// Joins equal facts into one line.
fn line(((owner, fact), names): ((&str, String), Vec<&str>)) -> String {
    let names = names.join(", ");
    match owner {
        "" => format!("{names}{fact}"),
        owner => format!("{owner} | {names}{fact}"),
    }
}

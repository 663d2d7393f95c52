//! Two surfaces to differences, by the rules in the documentation of the module above.

use std::collections::BTreeSet;

use openapi_diff::{About, Bump, Difference};

use super::Surface;
use super::arguments::arguments;
use super::duplicates::without_duplicates;
use super::item::{Item, Kind, of_items};
use super::moves::moved;
use super::walk::CODE;

/// The prefix of the runtime's functions that refuse an argument.
const REQUIRE: &str = "require_";

/// The variant of values that the document does not list.
const OTHER: &str = "Unrecognized";

/// Returns all differences, worst first, without duplicates.
pub fn compare(old: &Surface, new: &Surface) -> Vec<Difference> {
    let mut differences = Vec::new();
    let is_implied =
        |item: &Item| is_implied_by_type(item, old, new) || is_implied_by_field(item, old, new);
    for item in old.items() {
        match new.get(&item.path, item.kind) {
            _ if is_implied(item) => {}
            Some(now) if item.kind == Kind::Behaviour => {
                let difference = behaviour(item, Some(item), Some(now));
                differences
                    .extend(difference.map(|difference| of_values(difference, (item, now), new)));
            }
            Some(now) => differences.extend(changed(item, now, new)),
            None if item.kind == Kind::Behaviour => {
                differences.extend(behaviour(item, Some(item), None));
            }
            None => {
                let sentence = format!("`{}` is gone", item.path);
                differences.push(of_items(item, Bump::Major, Some(item), None, sentence));
            }
        }
    }
    for item in new.items() {
        if old.get(&item.path, item.kind).is_some() || is_implied(item) {
            continue;
        }
        if item.kind == Kind::Behaviour {
            differences.extend(behaviour(item, None, Some(item)));
        } else {
            differences.push(added(item, old));
        }
    }
    differences.extend(moved(old, new));
    let mut differences = without_duplicates(differences);
    differences.sort_by(|a, b| (b.bump, &a.item).cmp(&(a.bump, &b.item)));
    differences
}

/// Returns whether the type of an item is new, gone or a different kind of type, which implies the changes of its members.
fn is_implied_by_type(item: &Item, old: &Surface, new: &Surface) -> bool {
    let of = |surface: &Surface| {
        let owner = surface.get(&item.owner, Kind::Type);
        owner.map(|owner| owner.shape.clone())
    };
    of(old) != of(new)
}

/// Returns whether a method sets the field of its name, and a change of that field implies this one.
fn is_implied_by_field(item: &Item, old: &Surface, new: &Surface) -> bool {
    let of = |surface: &Surface| {
        let field = surface.get(&item.path, Kind::Field);
        field.map(|field| (field.signature.clone(), field.attributes.clone()))
    };
    item.kind == Kind::Function && of(old) != of(new)
}

fn added(item: &Item, old: &Surface) -> Difference {
    let owner = old.get(&item.owner, Kind::Type);
    let was_whole = owner.is_some_and(|owner| owner.whole);
    let (path, owner) = (&item.path, &item.owner);
    let (bump, sentence) = match item.kind {
        Kind::Field if was_whole => (
            Bump::Major,
            format!("`{path}` is new, and callers build `{owner}` from all its fields"),
        ),
        Kind::Variant if was_whole => (
            Bump::Major,
            format!("`{path}` is new, and callers match all variants of `{owner}`"),
        ),
        _ => (Bump::Minor, format!("`{path}` is new")),
    };
    of_items(item, bump, None, Some(item), sentence)
}

/// Code that differs. Statements that refuse an argument weigh more than the rest.
fn behaviour(of: &Item, old: Option<&Item>, new: Option<&Item>) -> Option<Difference> {
    let code = |item: Option<&Item>| item.map_or(String::new(), |item| item.signature.clone());
    let (before, after) = (code(old), code(new));
    if before == after {
        return None;
    }
    let checks = |code: &str| -> BTreeSet<String> {
        let lines = code.lines().filter(|line| line.contains(REQUIRE));
        lines.map(str::to_owned).collect()
    };
    let part = if of.name == CODE {
        String::new()
    } else {
        format!(" of `{}`", of.name)
    };
    let (bump, sentence) = if checks(&before) == checks(&after) {
        let part = part.replace(" of ", " in ");
        (
            Bump::Patch,
            format!("the behaviour of `{}`{part} has changed", of.owner),
        )
    } else {
        (
            Bump::Minor,
            format!("`{}` refuses other values{part} before it sends", of.owner),
        )
    };
    Some(Difference {
        about: About::Behaviour,
        ..of_items(of, bump, old, new, sentence)
    })
}

/// Of an enumeration that keeps unknown values: which values are known now, or no longer.
fn of_values(difference: Difference, (old, new): (&Item, &Item), surface: &Surface) -> Difference {
    let owner = &new.owner;
    let other = format!("{owner}::{OTHER}");
    if surface.get(&other, Kind::Variant).is_none() {
        return difference;
    }
    // Strings in code are the values and their other spellings.
    let values = |item: &Item| -> BTreeSet<String> {
        let texts = item.signature.split('"').skip(1).step_by(2);
        texts.map(|text| format!("`{text}`")).collect()
    };
    let (before, after) = (values(old), values(new));
    let list = |values: Vec<&String>| {
        let values: Vec<&str> = values.into_iter().map(String::as_str).collect();
        values.join(", ")
    };
    let gone = list(before.difference(&after).collect());
    let come = list(after.difference(&before).collect());
    let sentence = match (gone.as_str(), come.as_str()) {
        ("", "") => return difference,
        (gone, "") => format!("`{owner}` reads {gone} as `{OTHER}` now"),
        ("", come) => format!("`{owner}` reads {come} as a value that it knows"),
        (gone, come) => {
            format!("`{owner}` reads {gone} as `{OTHER}` now, and {come} as a value that it knows")
        }
    };
    Difference {
        sentence,
        ..difference
    }
}

fn changed(old: &Item, new: &Item, surface: &Surface) -> Vec<Difference> {
    let path = &old.path;
    let difference = |bump, sentence| of_items(new, bump, Some(old), Some(new), sentence);
    let mut found = Vec::new();
    if old.shape == new.shape {
        found.extend(arguments(old, new, surface));
    } else {
        let (is, was) = (&new.signature, &old.signature);
        let sentence = format!("`{path}` is `{is}` and was `{was}`");
        found.push(difference(Bump::Major, sentence));
    }
    if old.whole && !new.whole {
        let sentence = format!("callers can no longer build or match `{path}` completely");
        found.push(difference(Bump::Major, sentence));
    } else if new.whole && !old.whole {
        let sentence = format!("callers can build or match `{path}` completely");
        found.push(difference(Bump::Minor, sentence));
    }
    if old.attributes != new.attributes {
        let warns = |attribute| !old.attributes.contains(attribute);
        let bump = if new.attributes.iter().any(warns) {
            Bump::Minor
        } else {
            Bump::Patch
        };
        let sentence = format!("the compiler warnings about `{path}` have changed");
        found.push(difference(bump, sentence));
    }
    if old.docs != new.docs {
        let sentence = format!("the documentation of `{path}` has changed");
        found.push(Difference {
            about: About::Docs,
            ..difference(Bump::Patch, sentence)
        });
    }
    found
}

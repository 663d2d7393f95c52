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
    for item in old.items() {
        match new.get(&item.path, item.kind) {
            _ if is_implied(item, old, new) => {}
            None if is_in_module_of(item, new) => {}
            Some(now) if item.kind == Kind::Behaviour => {
                let difference = behaviour(item, Some(item), Some(now));
                differences
                    .extend(difference.map(|difference| of_values(difference, item, now, new)));
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
        let is_known = old.get(&item.path, item.kind).is_some() || is_in_module_of(item, old);
        if is_known || is_implied(item, old, new) {
            continue;
        }
        if item.kind == Kind::Behaviour {
            differences.extend(behaviour(item, None, Some(item)));
        } else {
            differences.push(added(item));
        }
    }
    differences.extend(moved(old, new));
    let mut differences = without_duplicates(differences);
    differences.sort_by(|a, b| (b.bump, &a.item).cmp(&(a.bump, &b.item)));
    differences
}

/// Returns whether the change of another item implies that of a member: its type is new, gone or a different kind of type, or it is a method
/// that sets the field of its name.
fn is_implied(item: &Item, old: &Surface, new: &Surface) -> bool {
    let [was, is] = [old, new].map(|surface| surface.get(&item.owner, Kind::Type));
    if was.map(|owner| &owner.shape) != is.map(|owner| &owner.shape) {
        return true;
    }
    let [was, is] = [old, new].map(|surface| surface.get(&item.path, Kind::Field));
    let was = was.map(|field| (&field.signature, &field.attributes));
    let is = is.map(|field| (&field.signature, &field.attributes));
    item.kind == Kind::Function && was != is
}

/// Returns whether another surface has a re-exported item by another declaration: its whole module, or for a module each of its items.
fn is_in_module_of(item: &Item, other: &Surface) -> bool {
    let module = other.get(&item.owner, Kind::Reexport);
    let mut others = other.items().filter(|one| one.kind == Kind::Reexport);
    item.kind == Kind::Reexport
        && (module.is_some_and(|module| is_within(module, item))
            || others.any(|one| is_within(item, one)))
}

/// Returns whether a module re-exports an item of the same module of the runtime.
fn is_within(module: &Item, one: &Item) -> bool {
    one.owner == module.path && one.signature == format!("{}::{}", module.signature, one.name)
}

fn added(item: &Item) -> Difference {
    let (path, owner) = (&item.path, &item.owner);
    // Other structs and all enumerations are `#[non_exhaustive]`.
    let is_of_tuple = item.kind == Kind::Field && item.name.parse::<usize>().is_ok();
    let (bump, sentence) = if is_of_tuple {
        let sentence = format!("`{path}` is new, and callers build `{owner}` from all its fields");
        (Bump::Major, sentence)
    } else {
        (Bump::Minor, format!("`{path}` is new"))
    };
    of_items(item, bump, None, Some(item), sentence)
}

/// Code that differs. Statements that refuse an argument weigh more than the rest.
fn behaviour(of: &Item, old: Option<&Item>, new: Option<&Item>) -> Option<Difference> {
    let [before, after] = [old, new].map(|item| item.map_or("", |item| &item.signature));
    if before == after {
        return None;
    }
    let part = if of.name == CODE {
        String::new()
    } else {
        format!(" of `{}`", of.name)
    };
    let (bump, sentence) = if checks(before) == checks(after) {
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

/// Returns the statements of code that refuse an argument.
fn checks(code: &str) -> BTreeSet<&str> {
    let lines = code.lines();
    lines.filter(|line| line.contains(REQUIRE)).collect()
}

/// Of an enumeration that keeps unknown values: which values are known now, or no longer.
fn of_values(difference: Difference, old: &Item, new: &Item, surface: &Surface) -> Difference {
    let owner = &new.owner;
    let other = format!("{owner}::{OTHER}");
    if surface.get(&other, Kind::Variant).is_none() {
        return difference;
    }
    let (before, after) = (enum_values(old), enum_values(new));
    let gone: Vec<&str> = before.difference(&after).map(String::as_str).collect();
    let come: Vec<&str> = after.difference(&before).map(String::as_str).collect();
    let (gone, come) = (gone.join(", "), come.join(", "));
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

/// Returns the strings in the code of an enumeration: its values and their other spellings.
fn enum_values(code: &Item) -> BTreeSet<String> {
    let texts = code.signature.split('"').skip(1).step_by(2);
    texts.map(|text| format!("`{text}`")).collect()
}

/// A difference between two items of one path.
fn difference(old: &Item, new: &Item, bump: Bump, sentence: String) -> Difference {
    of_items(new, bump, Some(old), Some(new), sentence)
}

fn changed(old: &Item, new: &Item, surface: &Surface) -> Vec<Difference> {
    let path = &old.path;
    let mut found = Vec::new();
    if old.shape == new.shape {
        found.extend(arguments(old, new, surface));
    } else {
        let (is, was) = (&new.signature, &old.signature);
        let sentence = format!("`{path}` is `{is}` and was `{was}`");
        found.push(difference(old, new, Bump::Major, sentence));
    }
    if old.attributes != new.attributes {
        let mut attributes = new.attributes.iter();
        let bump = if attributes.all(|attribute| old.attributes.contains(attribute)) {
            Bump::Patch
        } else {
            Bump::Minor
        };
        let [was, is] = [old, new].map(Item::is_deprecated);
        let sentence = match (was, is) {
            (false, true) => format!("`{path}` is deprecated"),
            (true, false) => format!("`{path}` is no longer deprecated"),
            _ => format!("the compiler warnings about `{path}` have changed"),
        };
        found.push(difference(old, new, bump, sentence));
    }
    if old.docs != new.docs {
        let sentence = format!("the documentation of `{path}` has changed");
        found.push(Difference {
            about: About::Docs,
            ..difference(old, new, Bump::Patch, sentence)
        });
    }
    found
}

//! Two surfaces to differences, by the rules in the documentation of the module above.

use std::collections::BTreeSet;

use super::Surface;
use super::item::{Item, Kind};
use super::walk::CODE;
use crate::pointer;

/// What the runtime's functions that refuse an argument are called like.
const REQUIRE: &str = "require_";

/// The least version bump that does not surprise a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bump {
    /// Everything compiles as before.
    Patch,
    /// There is more to use.
    Minor,
    /// A caller's code can stop compiling.
    Major,
}

/// One thing that differs between two surfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The item's path.
    pub item: String,
    /// What it is worth.
    pub bump: Bump,
    /// Where the item came from in the old document, if it was there.
    pub old: Option<String>,
    /// Where it comes from in the new one, if it is there.
    pub new: Option<String>,
    /// What a caller should know.
    pub sentence: String,
    about: About,
    owner: String,
    name: String,
}

/// What of an item differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// What callers name.
    Item,
    /// What code does.
    Behaviour,
    /// What people read.
    Docs,
}

/// Everything that differs, worst first; nothing twice.
pub fn compare(old: &Surface, new: &Surface) -> Vec<Difference> {
    let mut differences = Vec::new();
    for item in old.items() {
        match new.get(&item.path, item.kind) {
            Some(_) if is_told_by_its_type(item, old, new) => {}
            Some(now) if item.kind == Kind::Behaviour => {
                differences.extend(behaviour(item, Some(item), Some(now)));
            }
            Some(now) => differences.extend(changed(item, now)),
            None if is_told_by_its_type(item, old, new) => {}
            None if item.kind == Kind::Behaviour => {
                differences.extend(behaviour(item, Some(item), None));
            }
            None => {
                let sentence = format!("`{}` is gone", item.path);
                differences.push(Difference::new(
                    item,
                    Bump::Major,
                    Some(item),
                    None,
                    sentence,
                ));
            }
        }
    }
    for item in new.items() {
        if old.get(&item.path, item.kind).is_some() || is_told_by_its_type(item, old, new) {
            continue;
        }
        if item.kind == Kind::Behaviour {
            differences.extend(behaviour(item, None, Some(item)));
        } else {
            differences.push(added(item, old));
        }
    }
    let mut differences = without_echoes(differences);
    differences.sort_by(|a, b| (b.bump, &a.item).cmp(&(a.bump, &b.item)));
    differences
}

/// Whether the type that an item belongs to is new, gone or another thing altogether, which says all of its members.
fn is_told_by_its_type(item: &Item, old: &Surface, new: &Surface) -> bool {
    let of = |surface: &Surface| {
        let owner = surface.get(&item.owner, Kind::Type);
        owner.map(|owner| owner.shape.clone())
    };
    of(old) != of(new)
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
    Difference::new(item, bump, None, Some(item), sentence)
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
            format!("what `{}` does{part} has changed", of.owner),
        )
    } else {
        (
            Bump::Minor,
            format!("`{}` refuses other values{part} before it sends", of.owner),
        )
    };
    Some(Difference {
        about: About::Behaviour,
        ..Difference::new(of, bump, old, new, sentence)
    })
}

fn changed(old: &Item, new: &Item) -> Vec<Difference> {
    let path = &old.path;
    let difference = |bump, sentence| Difference::new(new, bump, Some(old), Some(new), sentence);
    let mut found = Vec::new();
    if old.shape == new.shape {
        found.extend(arguments(old, new));
    } else {
        let (is, was) = (&new.signature, &old.signature);
        let sentence = format!("`{path}` is `{is}` and was `{was}`");
        found.push(difference(Bump::Major, sentence));
    }
    if old.whole && !new.whole {
        let sentence = format!("callers cannot build or match `{path}` whole any more");
        found.push(difference(Bump::Major, sentence));
    } else if new.whole && !old.whole {
        let sentence = format!("callers can build or match `{path}` whole");
        found.push(difference(Bump::Minor, sentence));
    }
    if old.attributes != new.attributes {
        let warns = |attribute| !old.attributes.contains(attribute);
        let bump = if new.attributes.iter().any(warns) {
            Bump::Minor
        } else {
            Bump::Patch
        };
        let sentence = format!("the compiler warns otherwise about `{path}`");
        found.push(difference(bump, sentence));
    }
    if old.docs != new.docs {
        let sentence = format!("the documentation of `{path}` says something else");
        found.push(Difference {
            about: About::Docs,
            ..difference(Bump::Patch, sentence)
        });
    }
    found
}

/// Arguments are given by position; their names are not a caller's business.
fn arguments(old: &Item, new: &Item) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut at = |bump, before: Option<usize>, after: Option<usize>, sentence: String| {
        let place =
            |item: &Item, index: Option<usize>| Some(item.arguments.get(index?)?.pointer.clone());
        found.push(Difference {
            old: place(old, before),
            new: place(new, after),
            ..Difference::new(new, bump, Some(old), Some(new), sentence)
        });
    };
    let names = |item: &Item| -> Vec<String> {
        let names = item.arguments.iter().map(|argument| argument.name.clone());
        names.collect()
    };
    let (before, after) = (names(old), names(new));
    if before.len() == after.len() {
        for (index, (was, is)) in old.arguments.iter().zip(&new.arguments).enumerate() {
            let index = Some(index);
            let moved = was.name != is.name && after.contains(&was.name);
            if moved {
                at(
                    Bump::Major,
                    index,
                    index,
                    format!("`{}` takes its arguments in another order", old.path),
                );
            } else if was.ty != is.ty {
                let bump = if is.ty == format!("impl Into<{}>", was.ty) {
                    Bump::Minor
                } else {
                    Bump::Major
                };
                at(
                    bump,
                    index,
                    index,
                    format!(
                        "`{}` takes `{}` as `{}` and took `{}`",
                        old.path, is.name, is.ty, was.ty
                    ),
                );
            } else if was.name != is.name {
                at(
                    Bump::Patch,
                    index,
                    index,
                    format!(
                        "`{}` calls an argument `{}` and called it `{}`",
                        old.path, is.name, was.name
                    ),
                );
            }
        }
        return found;
    }
    for (index, name) in before.iter().enumerate() {
        if !after.contains(name) {
            at(
                Bump::Major,
                Some(index),
                None,
                format!("`{}` takes no `{name}` any more", old.path),
            );
        }
    }
    for (index, name) in after.iter().enumerate() {
        if !before.contains(name) {
            at(
                Bump::Major,
                None,
                Some(index),
                format!("`{}` wants `{name}` too", old.path),
            );
        }
    }
    found
}

/// Leaves out what something else tells already: documentation and code of a place by an item of that place, code of a
/// whole type by anything below it.
fn without_echoes(differences: Vec<Difference>) -> Vec<Difference> {
    let is_echo = |one: &Difference| {
        differences.iter().any(|other| {
            let same_place = one.old == other.old && one.new == other.new;
            let below = one.owner == other.owner && other.is_below(one);
            other.bump >= one.bump
                && match (one.about, other.about) {
                    (About::Item, _) | (_, About::Docs) => false,
                    (About::Docs, _) => same_place,
                    (About::Behaviour, About::Item) => same_place || below,
                    (About::Behaviour, About::Behaviour) => {
                        one.name == CODE && other.name != CODE && one.owner == other.owner
                    }
                }
        })
    };
    differences
        .iter()
        .filter(|one| !is_echo(one))
        .cloned()
        .collect()
}

impl Difference {
    fn new(
        item: &Item,
        bump: Bump,
        old: Option<&Item>,
        new: Option<&Item>,
        sentence: String,
    ) -> Self {
        Self {
            item: item.path.clone(),
            bump,
            old: old.map(|item| item.pointer.clone()),
            new: new.map(|item| item.pointer.clone()),
            sentence,
            about: About::Item,
            owner: item.owner.clone(),
            name: item.name.clone(),
        }
    }

    /// Whether this is about a part of what the other is about.
    fn is_below(&self, other: &Self) -> bool {
        let is_within = |inner: &Option<String>, outer: &Option<String>| match (inner, outer) {
            (Some(inner), Some(outer)) => pointer::is_within(inner, outer),
            _ => false,
        };
        is_within(&self.old, &other.old) || is_within(&self.new, &other.new)
    }
}

//! Two surfaces to differences, by the rules in the documentation of the module above.

use std::collections::BTreeSet;

use super::Surface;
use super::item::{Item, Kind};
use super::walk::CODE;

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
    kind: Kind,
    owner: String,
    name: String,
}

/// Everything that differs, worst first; nothing twice.
pub fn compare(old: &Surface, new: &Surface) -> Vec<Difference> {
    let mut differences = Vec::new();
    for item in old.items() {
        match new.get(&item.path, item.kind) {
            Some(now) => differences.extend(changed(item, now)),
            None => differences.extend(removed(item, new)),
        }
    }
    for item in new.items() {
        if old.get(&item.path, item.kind).is_none() {
            differences.extend(added(item, old));
        }
    }
    let mut differences = without_echoes(differences);
    differences.sort_by(|a, b| (b.bump, &a.item).cmp(&(a.bump, &b.item)));
    differences
}

/// The type that an item belongs to, if it belongs to one.
fn owner<'s>(item: &Item, surface: &'s Surface) -> Option<&'s Item> {
    surface.get(&item.owner, Kind::Type)
}

fn removed(item: &Item, new: &Surface) -> Option<Difference> {
    // With a type goes all that belongs to it, without saying so.
    if is_of_a_type(item) && owner(item, new).is_none() {
        return None;
    }
    let sentence = match item.kind {
        Kind::Behaviour => format!("{} does less than before", item.owner),
        Kind::Trait => format!("`{}` is gone", item.path),
        _ => format!("`{}` is gone", item.path),
    };
    let bump = if item.kind == Kind::Behaviour {
        behaviour(&item.signature, "")
    } else {
        Bump::Major
    };
    Some(Difference::new(item, bump, Some(item), None, sentence))
}

fn added(item: &Item, old: &Surface) -> Option<Difference> {
    let owner = owner(item, old);
    if is_of_a_type(item) && owner.is_none() {
        return None;
    }
    let was_whole = owner.is_some_and(|owner| owner.whole);
    let (bump, sentence) = match item.kind {
        Kind::Behaviour => (
            behaviour("", &item.signature),
            format!("{} does more than before", item.owner),
        ),
        Kind::Field if was_whole => (
            Bump::Major,
            format!(
                "`{}` is new, and callers build `{}` from all its fields",
                item.path, item.owner
            ),
        ),
        Kind::Variant if was_whole => (
            Bump::Major,
            format!(
                "`{}` is new, and callers match all variants of `{}`",
                item.path, item.owner
            ),
        ),
        _ => (Bump::Minor, format!("`{}` is new", item.path)),
    };
    Some(Difference::new(item, bump, None, Some(item), sentence))
}

fn is_of_a_type(item: &Item) -> bool {
    matches!(
        item.kind,
        Kind::Field
            | Kind::Variant
            | Kind::Function
            | Kind::Constant
            | Kind::Trait
            | Kind::Behaviour
    ) && item.owner.contains("::")
}

fn changed(old: &Item, new: &Item) -> Vec<Difference> {
    let difference = |bump, sentence| Difference::new(new, bump, Some(old), Some(new), sentence);
    let mut found = Vec::new();
    if old.kind == Kind::Behaviour {
        if old.signature != new.signature {
            let bump = behaviour(&old.signature, &new.signature);
            let sentence = match bump {
                Bump::Patch => format!("`{}` does something else in `{}`", old.owner, old.name),
                _ => format!(
                    "what `{}` accepts in `{}` is checked otherwise",
                    old.owner, old.name
                ),
            };
            found.push(difference(bump, sentence));
        }
        return found;
    }
    if old.shape != new.shape {
        found.push(difference(
            Bump::Major,
            format!(
                "`{}` is `{}` and was `{}`",
                old.path, new.signature, old.signature
            ),
        ));
    } else {
        found.extend(arguments(old, new));
    }
    if old.whole != new.whole {
        found.push(if old.whole {
            difference(
                Bump::Major,
                format!(
                    "callers cannot build or match `{}` whole any more",
                    old.path
                ),
            )
        } else {
            difference(
                Bump::Minor,
                format!("callers can build or match `{}` whole", old.path),
            )
        });
    }
    if old.attributes != new.attributes {
        let more = new
            .attributes
            .iter()
            .any(|attribute| !old.attributes.contains(attribute));
        found.push(difference(
            if more { Bump::Minor } else { Bump::Patch },
            format!("the compiler warns otherwise about `{}`", old.path),
        ));
    }
    if found.is_empty() && old.docs != new.docs {
        found.push(difference(
            Bump::Patch,
            format!("the documentation of `{}` says something else", old.path),
        ));
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

/// Code that differs. Statements that refuse an argument weigh more than the rest.
fn behaviour(old: &str, new: &str) -> Bump {
    fn checks(code: &str) -> BTreeSet<&str> {
        code.lines()
            .filter(|line| line.contains(".require_") || line.contains(". require_"))
            .collect()
    }
    if checks(old) == checks(new) {
        Bump::Patch
    } else {
        Bump::Minor
    }
}

/// Leaves out behaviour that something else tells of already: the same place, or of a catch-all anything of its owner.
fn without_echoes(differences: Vec<Difference>) -> Vec<Difference> {
    let (behaviour, public): (Vec<_>, Vec<_>) = differences
        .into_iter()
        .partition(|difference| difference.kind == Kind::Behaviour);
    let told = |one: &Difference| {
        public.iter().chain(&behaviour).any(|other| {
            let same_place = other.old.is_some() && other.old == one.old
                || other.new.is_some() && other.new == one.new;
            let is_public = other.kind != Kind::Behaviour;
            let catch_all = one.name == CODE && other.name != CODE && other.owner == one.owner;
            other.bump >= one.bump && (is_public && same_place || catch_all)
        })
    };
    let kept: Vec<Difference> = behaviour.iter().filter(|one| !told(one)).cloned().collect();
    public.into_iter().chain(kept).collect()
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
            kind: item.kind,
            owner: item.owner.clone(),
            name: item.name.clone(),
        }
    }
}

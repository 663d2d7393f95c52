//! The arguments of one function, before and after.

use openapi_diff::{Bump, Difference};

use super::Surface;
use super::item::{Argument, Item, Kind, of_items};

/// A change of one argument.
struct Change<'i> {
    was: Option<&'i Argument>,
    is: Option<&'i Argument>,
    bump: Bump,
    sentence: String,
}

/// Arguments are given by position; their names are not a caller's business, unless two change places. `surface` is the new one.
pub(super) fn arguments(old: &Item, new: &Item, surface: &Surface) -> Vec<Difference> {
    let path = &old.path;
    let mut changes = Vec::new();
    if old.arguments.len() == new.arguments.len() {
        for (was, is) in old.arguments.iter().zip(&new.arguments) {
            let moved = was.name != is.name && takes(new, &was.name);
            changes.extend(position(path, was, is, moved, surface));
        }
    } else {
        let gone = old.arguments.iter().filter(|was| !takes(new, &was.name));
        changes.extend(gone.map(|was| Change {
            was: Some(was),
            is: None,
            bump: Bump::Major,
            sentence: format!("`{path}` no longer takes `{}`", was.name),
        }));
        let more = new.arguments.iter().filter(|is| !takes(old, &is.name));
        changes.extend(more.map(|is| Change {
            was: None,
            is: Some(is),
            bump: Bump::Major,
            sentence: format!("`{path}` also requires `{}`", is.name),
        }));
    }
    let differences = changes.into_iter().map(|change| Difference {
        old: change.was.map(|argument| argument.pointer.clone()),
        new: change.is.map(|argument| argument.pointer.clone()),
        ..of_items(new, change.bump, Some(old), Some(new), change.sentence)
    });
    differences.collect()
}

fn takes(function: &Item, name: &str) -> bool {
    let mut arguments = function.arguments.iter();
    arguments.any(|argument| argument.name == name)
}

/// Compares the arguments at one position.
fn position<'i>(
    path: &str,
    was: &'i Argument,
    is: &'i Argument,
    moved: bool,
    surface: &Surface,
) -> Option<Change<'i>> {
    let (before, after) = (&was.ty, &is.ty);
    let name = &is.name;
    let (bump, sentence) = if moved {
        let sentence = format!("`{path}` takes its arguments in another order");
        (Bump::Major, sentence)
    } else if before != after {
        // Whatever was given is still taken.
        let target = after.strip_prefix("impl Into<");
        let target = target.and_then(|target| target.strip_suffix('>'));
        let is_wider = target.is_some_and(|target| {
            let conversion = format!("impl From<{before}> for {target}");
            target == before || surface.get(&conversion, Kind::Trait).is_some()
        });
        let bump = if is_wider { Bump::Minor } else { Bump::Major };
        let sentence = format!("`{path}` takes `{name}` as `{after}` and took `{before}`");
        (bump, sentence)
    } else if was.name != is.name {
        let sentence = format!("`{path}` has an argument `{name}`, formerly `{}`", was.name);
        (Bump::Patch, sentence)
    } else {
        return None;
    };
    Some(Change {
        was: Some(was),
        is: Some(is),
        bump,
        sentence,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taking(ty: &str) -> Item {
        Item {
            arguments: vec![Argument {
                name: "value".to_owned(),
                ty: ty.to_owned(),
                pointer: String::new(),
            }],
            ..Item::new(
                Kind::Function,
                "operations::ListBooks",
                "limit",
                String::new(),
            )
        }
    }

    /// No document does this by itself: it takes another generator.
    #[test]
    fn a_setter_that_takes_more_is_minor_and_one_that_takes_less_is_major() {
        for (old, new, bump) in [
            ("String", "impl Into<String>", Bump::Minor),
            ("impl Into<String>", "String", Bump::Major),
        ] {
            let found = arguments(&taking(old), &taking(new), &Surface::from_iter([]));
            let bumps: Vec<Bump> = found.iter().map(|difference| difference.bump).collect();
            assert_eq!(bumps, [bump]);
        }
    }
}

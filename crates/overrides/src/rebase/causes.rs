//! The reasons why a location has another pointer in the new document.

use openapi_document::pointer;

use super::correspondence::Correspondence;
use super::moved::Cause;
use super::pointers::{component, component_of};

/// Returns the causes of a move from one pointer to another.
pub(super) fn of(to: &Correspondence<'_>, old: &str, new: &str) -> Vec<Cause> {
    if old == new {
        return Vec::new();
    }
    let mut causes = Vec::new();
    let named = |at: &str| component_of(at).and_then(component);
    let below = |at: &str| match component_of(at) {
        Some(home) => at.get(home.len()..).unwrap_or_default().to_owned(),
        None => pointer::tokens(at)
            .skip(2)
            .fold(String::new(), |at, token| pointer::join(&at, &token)),
    };
    match (named(old), named(new)) {
        (Some((kind, old)), Some((into, name))) if old != name => {
            let is_whole = component(new_home(new)).is_some();
            causes.push(match to.renamed(&kind, &old) {
                Some(new) if new == name => Cause::Renamed { kind, old, new },
                // A location in it has become a component.
                Some(_) if is_whole => Cause::Extracted { kind: into, name },
                _ => Cause::WrittenOut { kind, name: old },
            });
        }
        (Some((kind, name)), None) => causes.push(Cause::WrittenOut { kind, name }),
        (None, Some((kind, name))) => causes.push(Cause::Extracted { kind, name }),
        _ => {}
    }
    let path = |at: &str| {
        at.strip_prefix("/paths/")
            .map(|rest| pointer::unescape(rest.split('/').next().unwrap_or_default()))
    };
    if let (Some(a), Some(b)) = (path(old), path(new))
        && a != b
    {
        causes.extend(of_path(to, &a, &b));
    }
    let is_same_kind = named(old).is_some() == named(new).is_some();
    if is_same_kind && !same_members(&below(old), &below(new)) {
        causes.push(Cause::Respelled);
    }
    causes
}

/// Returns the component that contains a location, or the location.
fn new_home(at: &str) -> &str {
    component_of(at).unwrap_or(at)
}

/// Returns whether two pointers differ only in list positions.
fn same_members(old: &str, new: &str) -> bool {
    let names = |at: &str| -> Vec<String> {
        pointer::tokens(at)
            .filter(|token| token.parse::<usize>().is_err())
            .collect()
    };
    names(old) == names(new)
}

/// Returns the causes of a changed path.
pub(super) fn of_path(to: &Correspondence<'_>, old: &str, new: &str) -> Vec<Cause> {
    let Some(one) = to.moves.get(old) else {
        // A path that an override adds changes like the others.
        let prefixes = to.moves.values().filter_map(|one| one.prefix.clone());
        let mut causes: Vec<Cause> = prefixes
            .filter(|(from, _)| old.starts_with(from.as_str()))
            .map(|(old, new)| Cause::Prefix { old, new })
            .take(1)
            .collect();
        if old.ends_with('/') != new.ends_with('/') {
            causes.push(Cause::Slash {
                ends: new.ends_with('/'),
            });
        }
        return causes;
    };
    let mut causes = Vec::new();
    if let Some((old, new)) = one.prefix.clone() {
        causes.push(Cause::Prefix { old, new });
    }
    if one.slash {
        causes.push(Cause::Slash {
            ends: new.ends_with('/'),
        });
    }
    if causes.is_empty() {
        causes.push(Cause::Path {
            old: old.to_owned(),
            new: new.to_owned(),
        });
    }
    causes
}

//! Describes lost content in lines of output: preserved by an override, or left to a decision.

use super::preserver::Line;
use crate::rebase::moved::Rebase;

/// Maximum number of locations that are listed one by one.
const PLACES: usize = 6;

/// Describes the names known to callers.
pub(super) fn names(rebase: &Rebase, verbose: bool) -> Vec<Line> {
    let all = &rebase.kept.places;
    let names = quoted(all, if verbose { all.len() } else { PLACES });
    unless_empty(all, "Kept", || {
        format!(
            "the names that callers or stored responses have: {names}; overrides/generator/names.yaml keeps them; a name that is deleted there follows the document"
        )
    })
}

/// Describes the locations that became nullable, the override for them, and the rule.
pub(super) fn nulls(rebase: &Rebase, verbose: bool) -> Vec<Line> {
    let nulls = &rebase.nulls;
    let Some(first) = nulls.places.first() else {
        return Vec::new();
    };
    let (count, known) = (nulls.places.len(), nulls.known);
    let found = format!(
        "the new document allows null in {count} of {known} places of responses that were never null"
    );
    let list = || listed(&nulls.places, verbose);
    let end = match verbose {
        true => format!(": {}", list()),
        false => format!(", as in #{first}"),
    };
    vec![match (&nulls.kept_by, nulls.is_likely) {
        (Some(file), _) => (
            "Kept",
            format!(
                "{count} of {known} places of responses as never null, where the new document allows null; {file} says them, and what \
                 is deleted there follows the document{end}"
            ),
        ),
        (None, true) => (
            "Decide",
            format!(
                "{found}, and the crate follows it. More than half at once is rather another tool than another service: with \
                 `--accept` an override keeps them as they were{end}"
            ),
        ),
        (None, false) => (
            "Note",
            format!(
                "{found}, and the crate follows it; `--accept` keeps such places only where they are more than half: {}",
                list()
            ),
        ),
    }]
}

/// Describes lost keywords of schemas and parameters, and schemas that cannot be preserved.
pub(super) fn schemas(rebase: &Rebase, verbose: bool) -> Vec<Line> {
    let mut lines = silence(rebase, verbose);
    lines.extend(emptied(rebase, verbose));
    lines
}

/// Describes lost keywords of schemas and parameters on one line, because they have one cause.
fn silence(rebase: &Rebase, verbose: bool) -> Vec<Line> {
    let (emptied, silent) = (&rebase.emptied, &rebase.silent);
    let files = [&emptied.kept_by, &silent.kept_by];
    let files: Vec<&str> = files
        .into_iter()
        .filter_map(|file| file.as_deref())
        .collect();
    let is_kept = !files.is_empty();
    let schemas = emptied.places.first().map(|_| {
        let places = listed(&emptied.places, verbose);
        match is_kept {
            true => format!("the schemas at {places}, which it leaves empty"),
            false => {
                format!("leaves the schemas empty at {places}, where the crate reads any JSON")
            }
        }
    });
    let parameters = silent.places.first().map(|_| {
        let names = quoted(&silent.places, silent.places.len());
        match is_kept {
            true => format!("style, bounds and defaults of {names}, where it is silent"),
            false => format!("no longer says the style, the bounds or the default of {names}"),
        }
    });
    let found: Vec<String> = schemas.into_iter().chain(parameters).collect();
    let found = match found.as_slice() {
        [] => return Vec::new(),
        all => all.join(", and "),
    };
    vec![match is_kept {
        true => (
            "Kept",
            format!(
                "what the new document no longer says: {found}; see {}, and what is deleted there follows the document",
                files.join(" and ")
            ),
        ),
        false => (
            "Decide",
            format!(
                "the new document {found}; the crate follows it, and with `--accept` an override keeps them as they were"
            ),
        ),
    }]
}

/// Describes schemas that are empty now and cannot be preserved.
fn emptied(rebase: &Rebase, verbose: bool) -> Vec<Line> {
    let lost = &rebase.emptied.lost;
    unless_empty(lost, "Decide", || {
        format!(
            "the new document leaves the schemas empty at {}, and the crate reads any JSON there; several schemas became one there, or \
             their references mean something else now, and `--accept` does not keep them: say them in an override",
            listed(lost, verbose)
        )
    })
}

/// Describes operations that require no credentials any more, the override for them, and those that follow the document even with `--accept`.
pub(super) fn security(rebase: &Rebase, verbose: bool) -> Vec<Line> {
    let open = &rebase.open;
    let operations = match open.places.len() {
        1 => "1 operation".to_owned(),
        many => format!("{many} operations"),
    };
    let mut lines = match &open.kept_by {
        Some(file) => unless_empty(&open.places, "Kept", || {
            format!(
                "the credentials of {operations} as required, where the new document takes calls without any; {file} says it, and \
                 what is deleted there follows the document"
            )
        }),
        None => unless_empty(&open.places, "Decide", || {
            format!(
                "the new document takes calls of {operations} without a credential, and the crate calls them without one where \
                 it has none; with `--accept` an override keeps the credentials required"
            )
        }),
    };
    lines.extend(unless_empty(&open.followed, "Note", || {
        format!(
            "the new document names no credential for {}, which needed one, and the crate sends none",
            listed(&open.followed, verbose)
        )
    }));
    lines.extend(unless_empty(&open.lost, "Decide", || {
        format!(
            "the new document takes calls without a credential, too, of {}, which needed one, and the crate follows it; they \
             share the list with an operation that needed none, and `--accept` does not keep it: if the service refuses such \
             calls, give them `security` of their own in an override",
            listed(&open.lost, verbose)
        )
    }));
    lines
}

/// Returns the line, unless the list is empty.
fn unless_empty(all: &[String], verb: &'static str, say: impl FnOnce() -> String) -> Vec<Line> {
    all.first().map(|_| (verb, say())).into_iter().collect()
}

/// Lists pointers in one sentence.
fn listed(places: &[String], verbose: bool) -> String {
    let most = if verbose { places.len() } else { PLACES };
    together(places.iter().map(|at| format!("#{at}")), most)
}

/// Lists names in one sentence.
fn quoted(names: &[String], most: usize) -> String {
    together(names.iter().map(|name| format!("`{name}`")), most)
}

/// Lists some items, and the number of omitted ones.
fn together(all: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let left = all.len().saturating_sub(most);
    let shown = all.take(most).collect::<Vec<_>>().join(", ");
    match left {
        0 => shown,
        left => format!("{shown} and {left} more"),
    }
}

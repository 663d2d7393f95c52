//! What an earlier document said and the new one does not, as lines of a screen: kept by an override, or for a person to decide.

use super::moved::{Emptied, Nulls, Open, Silent};

/// Places are listed one by one up to this many.
const PLACES: usize = 6;

impl Nulls {
    /// What allows null now and never did, and what becomes of it; `None` where nothing does. The rule is said with it.
    pub(super) fn line(&self, verbose: bool) -> Option<(&'static str, String)> {
        let count = self.places.len();
        let (known, first) = (self.known, self.places.first()?);
        let found = format!(
            "the new document allows null in {count} of {known} places of responses that were never null"
        );
        let list = || listed(&self.places, verbose);
        let end = if verbose {
            format!(": {}", list())
        } else {
            format!(", as in #{first}")
        };
        Some(match (&self.kept_by, self.is_likely) {
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
        })
    }
}

/// What the new document no longer says of schemas and of parameters, and what becomes of it: one line, for one silence is one cause.
pub(super) fn unsaid(
    emptied: &Emptied,
    silent: &Silent,
    verbose: bool,
) -> Option<(&'static str, String)> {
    let files: Vec<&str> = [&emptied.kept_by, &silent.kept_by]
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
    let parameters = silent.names.first().map(|_| {
        let names: Vec<String> = silent.names.iter().map(|one| format!("`{one}`")).collect();
        let names = names.join(", ");
        match is_kept {
            true => format!("style, bounds and defaults of {names}, where it is silent"),
            false => format!("no longer says the style, the bounds or the default of {names}"),
        }
    });
    let found: Vec<String> = schemas.into_iter().chain(parameters).collect();
    let found = match found.as_slice() {
        [] => return None,
        all => all.join(", and "),
    };
    Some(match is_kept {
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
    })
}

impl Emptied {
    /// Which schemas are empty now and cannot be kept; `None` where none is.
    pub(super) fn lost_line(&self, verbose: bool) -> Option<(&'static str, String)> {
        self.lost.first()?;
        let places = listed(&self.lost, verbose);
        Some((
            "Decide",
            format!(
                "the new document leaves the schemas empty at {places}, and the crate reads any JSON there; several schemas became one \
                 there, or their references mean something else now, and `--accept` does not keep them: say them in an override"
            ),
        ))
    }
}

impl Open {
    /// How many operations need no credential any more, and what becomes of them; `None` where none is.
    pub(super) fn line(&self) -> Option<(&'static str, String)> {
        self.operations.first()?;
        let operations = match self.operations.len() {
            1 => "1 operation".to_owned(),
            many => format!("{many} operations"),
        };
        Some(match &self.kept_by {
            Some(file) => (
                "Kept",
                format!(
                    "the credentials of {operations} as required, where the new document takes calls without any; {file} says it, and \
                     what is deleted there follows the document"
                ),
            ),
            None => (
                "Decide",
                format!(
                    "the new document takes calls of {operations} without a credential, and the crate calls them without one where \
                     it has none; with `--accept` an override keeps the credentials required"
                ),
            ),
        })
    }

    /// Which operations need no credential any more by a list that is followed, with `--accept`, too.
    pub(super) fn followed(&self, verbose: bool) -> Vec<(&'static str, String)> {
        let free = self.free.first().map(|_| {
            (
                "Note",
                format!(
                    "the new document names no credential for {}, which needed one, and the crate sends none",
                    listed(&self.free, verbose)
                ),
            )
        });
        let shared = self.shared.first().map(|_| {
            (
                "Decide",
                format!(
                    "the new document takes calls without a credential, too, of {}, which needed one, and the crate follows it; they \
                     share the list with an operation that needed none, and `--accept` does not keep it: if the service refuses such \
                     calls, give them `security` of their own in an override",
                    listed(&self.shared, verbose)
                ),
            )
        });
        free.into_iter().chain(shared).collect()
    }
}

/// Pointers in one sentence.
fn listed(places: &[String], verbose: bool) -> String {
    let shown = if verbose { places.len() } else { PLACES };
    let list: Vec<String> = places
        .iter()
        .take(shown)
        .map(|at| format!("#{at}"))
        .collect();
    format!("{}{}", list.join(", "), more(places.len(), list.len()))
}

/// How many of a list are not shown.
pub(super) fn more(all: usize, shown: usize) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        left => format!(" and {left} more"),
    }
}

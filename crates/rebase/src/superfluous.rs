//! Overrides that are no longer needed: the new document has their changes.

use std::collections::BTreeSet;

use openapi_document::keywords::is_words;
use openapi_document::pointer;
use openapi_overrides::{Family, Override};
use serde_json::Value;

use super::agreement::agrees;
use super::correspondence::Correspondence;
use super::meaning::leaves;
use super::nulls::allowances;
use super::outcome::effect_value;
use super::resolution_path::{is_aside, target_schema};
use super::text::Moved;

/// Returns whether the document now has the correction of an override: only documentation is left of the override, and names that are
/// read beside those of the document.
pub(super) fn is_published(to: &Correspondence<'_>, one: &Override, left: &[Vec<Moved>]) -> bool {
    let is_aside = |key: &str| is_words(key) || key == "x-aliases";
    let says_more = |document: &Value, target: &str, update: &Value| {
        let places = selected(document, target);
        let mut said = Vec::new();
        leaves(update, "", &mut said);
        said.iter().any(|at| {
            let is_said =
                |place: &String| document.pointer(&format!("{place}{at}")) == update.pointer(at);
            !pointer::tokens(at).any(|key| is_aside(&key))
                && (places.is_empty() || !places.iter().all(is_said))
        })
    };
    let mut actions = one.overlay.actions.iter();
    let had_more = actions.any(|action| {
        effect_value(action).is_none_or(|update| says_more(to.old, &action.target, update))
    });
    let mut moved = left.iter().flatten();
    let has_more = moved.any(|moved| match &moved.update {
        Some(update) => says_more(to.new, &moved.target, update),
        None => !is_restored(to, moved, left, &|_, _| true),
    });
    // A missing value in the document does not count.
    let mut targets = left.iter().flatten().map(|moved| &moved.target);
    let is_there = targets.any(|target| !selected(to.new, target).is_empty());
    one.family == Family::Upstream && had_more && !has_more && is_there
}

/// Returns whether an override for the generator replaced a schema with a reference, and the new document, which has inlined the target,
/// has everything that is left of it.
pub(super) fn is_needless(to: &Correspondence<'_>, one: &Override, left: &[Vec<Moved>]) -> bool {
    let refers = |update: &Value| update.to_string().contains("\"$ref\":");
    let says_nothing = |moved: &Moved, update: &Value| {
        let mut said = Vec::new();
        leaves(update, "", &mut said);
        let is_extension = |at: &String| pointer::tokens(at).any(|key| key.starts_with("x-"));
        let places = selected(to.new, &moved.target);
        !refers(update)
            && !said.iter().any(is_extension)
            && !places.is_empty()
            && places.iter().all(|at| agrees(to.new, to.new, at, update))
    };
    let mut actions = one.overlay.actions.iter().filter_map(effect_value);
    let mut moved = left.iter().flatten();
    one.family == Family::Generator
        && actions.any(refers)
        && left.iter().flatten().any(|moved| moved.update.is_none())
        && moved.all(|moved| match &moved.update {
            Some(update) => says_nothing(moved, update),
            None => is_restored(to, moved, left, &|now, wanted| {
                keywords(now).is_subset(&keywords(wanted))
            }),
        })
}

/// Returns the keywords of a schema and of the parts of its wrappers, except for documentation.
fn keywords(schema: &Value) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (key, value) in schema.as_object().into_iter().flatten() {
        match (key.as_str(), value.as_array()) {
            ("allOf" | "anyOf" | "oneOf", Some(parts)) => {
                found.extend(parts.iter().flat_map(keywords));
            }
            ("nullable", _) => {}
            (key, _) if is_aside(key) => {}
            (key, _) => {
                found.insert(key);
            }
        }
    }
    found
}

/// Returns whether another action of the same file writes what this one removes, and the new document has it already. `fits`: whether the
/// document's value is the one that the other action writes.
fn is_restored(
    to: &Correspondence<'_>,
    removal: &Moved,
    left: &[Vec<Moved>],
    fits: &dyn Fn(&Value, &Value) -> bool,
) -> bool {
    let gone = selected(to.new, &removal.target);
    let writes = |other: &Moved, at: &str| {
        let update = other.update.as_ref();
        let mut homes = selected(to.new, &other.target).into_iter();
        homes.any(|home| {
            let rest = at.strip_prefix(home.as_str());
            let wanted = update
                .zip(rest)
                .and_then(|(update, rest)| update.pointer(rest));
            let Some(wanted) = wanted else { return false };
            let same_null = allowances(wanted, "").is_empty() == allowances(to.new, at).is_empty();
            let now = to.new.pointer(&target_schema(to.new, at));
            same_null
                && now.is_some_and(|now| fits(now, wanted))
                && agrees(to.new, to.new, at, wanted)
        })
    };
    !gone.is_empty()
        && gone
            .iter()
            .all(|at| left.iter().flatten().any(|other| writes(other, at)))
}

/// Returns the locations that a target selects; none if it is not a valid path.
fn selected(document: &Value, target: &str) -> Vec<String> {
    openapi_overlay::parse(target)
        .map_or(Vec::new(), |query| openapi_overlay::nodes(&query, document))
}

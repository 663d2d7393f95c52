//! The guard of a moved action.

use openapi_document::keywords::is_words;
use openapi_document::pointer;
use openapi_overlay::lists;
use openapi_overlay::{Action, Effect};
use openapi_overrides::{derive_guard, guard_holds};
use serde_json::Value;

use super::agreement::{agrees, is_compatible};
use super::correspondence::Correspondence;
use super::meaning::{Meaning, leaves, merged};
use super::moved::Cause;
use super::outcome::{Documents, Outcome, Pairing, decision, effect_value};
use super::resolution_path::component_of;
use super::values::{Written, written};

/// The reason why an unchanged override is only likely to be right.
const LESS: &str =
    "the document has changed to a part of what the override says, without a contradiction";

/// Returns the guard with the new document's wording where its meaning is the same, and the old guard otherwise.
pub(super) fn guard(
    meaning: &Meaning<'_, '_>,
    documents: &Documents<'_>,
    (old, new, update): (&Action, &Action, Option<&Value>),
    pairs: &[&Pairing],
    id: &str,
    outcome: &mut Outcome,
) -> Option<Value> {
    let to = meaning.to;
    let guard = old.guard.as_ref()?;
    let first = pairs.first().map(|pair| pair.old.as_str());
    let kept = written(
        to,
        guard,
        first.unwrap_or_default(),
        &mut Written::default(),
    );
    if guard_holds(to.new, documents.new, new, &kept) {
        return Some(kept);
    }
    let mut guarded = Vec::new();
    leaves(guard, "", &mut guarded);
    if matches!(new.effect, Effect::Remove) || update.is_none() {
        guarded = vec![String::new()];
    }
    let mut differing = Vec::new();
    for at in &guarded {
        // An inlined component equals the other locations.
        for pair in pairs.iter().filter(|pair| !to.is_copy(&pair.new)) {
            let (pair, above, at) = &inner(to, pair, at);
            let part = update.and_then(|update| update.pointer(above));
            let changes = meaning.changed(&pair.old, &pair.new, at, part);
            if changes.is_empty() {
                reworded(to, pair, at, part, id, outcome);
                continue;
            }
            let wanted = match update {
                Some(_) => part.and_then(|part| part.pointer(at)).cloned(),
                None => restored(to, documents, &pair.old),
            };
            let there = format!("{}{at}", pair.new);
            if let Some(wanted) = &wanted {
                if agrees(to.new, documents.new, &there, wanted) {
                    outcome.causes.insert(Cause::Agreed);
                    continue;
                }
                if is_compatible(to.new, documents.new, &there, wanted) {
                    outcome.causes.insert(Cause::Agreed);
                    outcome.doubts.insert(LESS.to_owned());
                    continue;
                }
            }
            differing.push(format!("{above}{at}"));
            let mut reasons: Vec<&str> = changes
                .iter()
                .map(|change| change.message.as_str())
                .collect();
            reasons.dedup();
            let reason = reasons.join("; ");
            outcome.decisions.push(decision(
                to,
                old,
                id,
                &format!("{}{at}", pair.old),
                Some(&format!("{}{at}", pair.new)),
                &reason,
            ));
        }
    }
    let derived = derive_guard(to.new, documents.new, new);
    let fresh = merged(derived, &kept, &differing);
    if differing.is_empty() && fresh != kept {
        outcome.causes.insert(Cause::Guard);
    }
    Some(fresh)
}

/// Splits a guarded key into the locations that contain it, the part that the new location adds, and the rest. Components and paths in the
/// key may have been renamed.
fn inner(to: &Correspondence<'_>, pair: &Pairing, at: &str) -> (Pairing, String, String) {
    let whole = format!("{}{at}", pair.old);
    let first = pointer::tokens(at).next();
    let path = first.filter(|_| pair.old == "/paths").map(|path| {
        let join = |path: &str| pointer::join("/paths", path);
        (join(&path), join(&to.path(&path)))
    });
    let component = || {
        let home = component_of(&whole)?;
        Some((home.to_owned(), to.named(home)?))
    };
    let found = path.or_else(component).and_then(|(old, new)| {
        let rest = whole.strip_prefix(&old)?.to_owned();
        let is_below = old.len() > pair.old.len();
        let above = new.strip_prefix(&pair.new).filter(|_| is_below)?.to_owned();
        Some((Pairing { old, new }, above, rest))
    });
    found.unwrap_or_else(|| (pair.clone(), String::new(), at.to_owned()))
}

/// Records a wording that the override replaces and that has changed.
fn reworded(
    to: &Correspondence<'_>,
    pair: &Pairing,
    at: &str,
    update: Option<&Value>,
    id: &str,
    outcome: &mut Outcome,
) {
    let Some((parent, key)) = pointer::split_last(at) else {
        return;
    };
    if !is_words(&key) {
        return;
    }
    let text = |root: &Value, home: &str| {
        let nodes = super::resolution_path::resolution_path(root, &format!("{home}{parent}"));
        nodes
            .iter()
            .find_map(|node| root.pointer(node)?.get(&key)?.as_str().map(str::to_owned))
    };
    let (old, new) = (text(to.old, &pair.old), text(to.new, &pair.new));
    let wanted = update.and_then(|update| update.pointer(at)?.as_str());
    if old != new && new.as_deref() != wanted {
        let quoted = |text: Option<String>| {
            text.map_or_else(
                || "nothing".to_owned(),
                |text| format!("\"{}\"", text.trim()),
            )
        };
        outcome.notes.push(format!(
            "{id} replaces the {key} of #{}{parent}, which was {} and is {} now",
            pair.new,
            quoted(old),
            quoted(new)
        ));
    }
}

/// Returns the value that a later action of the same file writes where this one removes, in the terms of the new document.
fn restored(to: &Correspondence<'_>, documents: &Documents<'_>, removed: &str) -> Option<Value> {
    documents.later.iter().find_map(|action| {
        let update = effect_value(action)?;
        documents.targets(to, &action.query).iter().find_map(|at| {
            let rest = removed.strip_prefix(at.as_str())?;
            let element = to
                .old
                .pointer(removed)
                .and_then(|one| lists::key(to.old, one));
            let found = match (rest.strip_prefix("/parameters/"), element) {
                (Some(_), Some(wanted)) => {
                    let list = update.get("parameters")?.as_array()?;
                    list.iter()
                        .find(|one| lists::key(to.old, one).as_ref() == Some(&wanted))?
                }
                _ => update.pointer(rest)?,
            };
            Some(written(to, found, removed, &mut Written::default()))
        })
    })
}

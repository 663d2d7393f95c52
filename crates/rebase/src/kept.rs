//! What an earlier document said and the new one does not, kept by overrides that the update writes.

use openapi_document::finding::Stop;
use openapi_document::source::Source;
use openapi_overlay::Selection;
use openapi_overrides::{Family, Override, OverrideSet, kept};
use serde_json::Value;

use super::beginning::path;
use super::correspondence::Correspondence;
use super::moved::{Emptied, Nulls, Open, Rebase, Silent};
use super::names::Kept;
use super::{never_null, parameters, schemas, security};

/// Adds the override that keeps names, or actions to it.
pub(super) fn keep_names(kept: &Kept, new: &Value, rebase: &mut Rebase) -> Result<(), Stop> {
    if kept.is_empty() {
        return Ok(());
    }
    let path = path(folder(&rebase.set), Family::Generator, kept::NAMES);
    let text = |before: Option<&str>| kept.text(new, before);
    put(Family::Generator, &path, text, rebase)?;
    rebase.kept = kept.names();
    Ok(())
}

/// Finds what allows null now and never did, schemas and parameters that the new document says less of, and operations that anybody may call.
/// Adds the overrides that keep them as they were, or actions to those, where that is accepted.
pub(super) fn keep_what_was(
    (old, new): (&Source, &Source),
    turn: &mut (Value, Value),
    accept: bool,
    rebase: &mut Rebase,
) -> Result<(), Stop> {
    let matched = openapi_diff::matched(
        &old.with_value(turn.0.clone()),
        &new.with_value(turn.1.clone()),
    );
    let to = Correspondence::new(&turn.0, &turn.1, &matched);
    let (nulls, emptied) = (never_null::never_null(&to), schemas::emptied(&to));
    let (silent, open) = (parameters::silent(&to), security::open(&to));
    let folder = folder(&rebase.set).to_owned();
    let mut written = Vec::new();
    let mut keep = |is_needed: bool, file: &str, text: &dyn Fn(Option<&str>) -> String| {
        if !accept || !is_needed {
            return Ok(None);
        }
        let path = path(&folder, Family::Assumed, file);
        written.push(put(Family::Assumed, &path, text, rebase)?);
        Ok::<_, Stop>(Some(path))
    };
    let (after, published) = (&turn.1, &new.value);
    let nulls_by = keep(nulls.is_likely(), kept::NEVER_NULL, &|before| {
        nulls.text(after, published, before)
    })?;
    let emptied_by = keep(!emptied.names.is_empty(), kept::SCHEMAS, &|before| {
        emptied.text(after, published, before)
    })?;
    let silent_by = keep(!silent.names.is_empty(), kept::PARAMETERS, &|before| {
        silent.text(after, before)
    })?;
    let open_by = keep(!open.operations.is_empty(), kept::SECURITY, &|before| {
        open.text(after, before)
    })?;
    rebase.nulls = Nulls {
        is_likely: nulls.is_likely(),
        known: nulls.known,
        places: nulls.places.clone(),
        kept_by: nulls_by,
    };
    if let Some(file) = &emptied_by {
        for decision in &mut rebase.decisions {
            if emptied.has(&decision.place) {
                decision.reason = format!(
                    "delete it once {file} is written, which keeps the schema that is empty now as this override made it"
                );
            }
        }
    }
    rebase.emptied = Emptied {
        places: emptied.names.iter().cloned().collect(),
        lost: emptied.lost.iter().cloned().collect(),
        kept_by: emptied_by,
    };
    rebase.silent = Silent {
        names: silent.names.iter().cloned().collect(),
        kept_by: silent_by,
    };
    rebase.open = Open {
        operations: open.operations.iter().cloned().collect(),
        free: open.free.iter().cloned().collect(),
        shared: open.shared.iter().cloned().collect(),
        kept_by: open_by,
    };
    for one in &written {
        for action in &one.overlay.actions {
            // What cannot be applied is judged later.
            let _ = openapi_overlay::apply_action(
                &mut turn.1,
                action,
                &one.source,
                Selection::MayBeEmpty,
            );
        }
    }
    Ok(())
}

/// The folder of the overrides.
fn folder(set: &OverrideSet) -> &str {
    let first = set.overrides.first();
    let folder = first.and_then(|one| one.source.path.rsplitn(3, '/').nth(2));
    folder.unwrap_or("overrides")
}

/// Puts an override into the set, at its turn. What the set has of it is in the new text.
fn put(
    family: Family,
    path: &str,
    text: impl FnOnce(Option<&str>) -> String,
    rebase: &mut Rebase,
) -> Result<Override, Stop> {
    let all = &mut rebase.set.overrides;
    let known = all.iter().position(|one| one.source.path == path);
    let before = known.map(|known| all.remove(known).source.text);
    let text = text(before.as_deref());
    let source = Source::parse(path, text.clone())?;
    let one = Override::parse(family, source).map_err(Stop::Findings)?;
    rebase.set.insert(one.clone());
    rebase.files.retain(|(other, _)| other != path);
    rebase.files.push((path.to_owned(), text));
    Ok(one)
}

//! Schemas that are conditions: `not`, `if`, `contains` and the like.

use crate::schemas::comparison::{Form, Notes, Readings};
use crate::schemas::values::without_effect;
use crate::verdicts::{Turn, rules, way};
use openapi_schemas::reading::{Reading, Site, types};

pub(crate) fn conditions<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    conditional(notes, "not", Turn::Not, both);
    conditional(notes, "if", Turn::Either, both);
    let has_condition = both.old.first("if").or(both.new.first("if")).is_some();
    for name in ["then", "else"] {
        if has_condition {
            conditional(notes, name, Turn::Keep, both);
        } else {
            without_effect(notes, name, both);
        }
    }
    contents(notes, both);
}

/// Compares the content of a string that contains JSON or the like.
fn contents<'d>(notes: &mut Notes<'_, 'd>, both: Readings<'_, 'd>) {
    const KEYWORD: &str = "contentSchema";
    match (has_content(both.old), has_content(both.new)) {
        (true, true) => conditional(notes, KEYWORD, Turn::Keep, both),
        (false, false) => without_effect(notes, KEYWORD, both),
        // Has a separate rule.
        _ => {}
    }
}

/// Returns whether a string may have content. The schema of it has no effect without a media type.
fn has_content(flat: &Reading<'_>) -> bool {
    flat.allows(types::STRING) && flat.first("contentMediaType").is_some()
}

/// Compares schemas whose absence differs from a schema that allows everything.
pub(super) fn conditional<'d>(
    notes: &mut Notes<'_, 'd>,
    name: &'static str,
    turn: Turn,
    both: Readings<'_, 'd>,
) {
    let keyword = both.first(name);
    match (keyword.old, keyword.new) {
        (None, None) => {}
        (Some(old), Some(new)) => {
            let [old, new] = [old, new].map(|schema| Site::new(Some(schema), schema));
            notes.child(old, new, Form::Data, way::BOTH, turn);
        }
        (None, Some(_)) => notes.changed(&rules::CONDITION_ADDED, keyword),
        (Some(_), None) => notes.changed(&rules::CONDITION_REMOVED, keyword),
    }
}

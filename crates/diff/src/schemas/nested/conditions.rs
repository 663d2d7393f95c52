//! Schemas that are conditions: `not`, `if`, `contains` and the like.

use crate::schemas::comparison::{Form, Notes};
use crate::schemas::values::without_effect;
use crate::verdicts::{Turn, rules, way};
use openapi_schemas::reading::{Reading, Site, types};

pub(crate) fn conditions<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    conditional(notes, "not", Turn::Not, old, new);
    conditional(notes, "if", Turn::Either, old, new);
    conditional(notes, "then", Turn::Keep, old, new);
    conditional(notes, "else", Turn::Keep, old, new);
    contents(notes, old, new);
}

/// Compares the content of a string that contains JSON or the like.
fn contents<'d>(notes: &mut Notes<'_, 'd>, old: &Reading<'d>, new: &Reading<'d>) {
    const KEYWORD: &str = "contentSchema";
    // Has no effect without a media type.
    let has = |flat: &Reading<'d>| {
        flat.types & (types::STRING | types::UNKNOWN) != 0
            && flat.first("contentMediaType").is_some()
    };
    match (has(old), has(new)) {
        (true, true) => conditional(notes, KEYWORD, Turn::Keep, old, new),
        (false, false) => without_effect(notes, KEYWORD, old, new),
        // Has a separate rule.
        _ => {}
    }
}

/// Compares schemas whose absence differs from a schema that allows everything.
pub(super) fn conditional<'d>(
    notes: &mut Notes<'_, 'd>,
    keyword: &'static str,
    turn: Turn,
    old: &Reading<'d>,
    new: &Reading<'d>,
) {
    let (a, b) = (old.first(keyword), new.first(keyword));
    let rule = match (a, b) {
        (None, None) => return,
        (Some(a), Some(b)) => {
            return notes.child(
                Site::new(Some(a), old.home),
                Site::new(Some(b), new.home),
                Form::Data,
                way::BOTH,
                turn,
            );
        }
        (None, Some(_)) => &rules::CONDITION_ADDED,
        (Some(_), None) => &rules::CONDITION_REMOVED,
    };
    notes.changed(rule, keyword, (old, a), (new, b));
}

/// Compares schemas whose absence allows everything.
pub(super) fn plain_child<'d>(
    notes: &mut Notes<'_, 'd>,
    keyword: &'static str,
    old: &Reading<'d>,
    new: &Reading<'d>,
) {
    let site = |flat: &Reading<'d>| Site::all(flat.all(keyword).collect(), flat.home);
    notes.child(site(old), site(new), Form::Data, way::BOTH, Turn::Keep);
}

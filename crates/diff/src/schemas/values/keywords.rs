//! Keywords without effect on the values of a schema.

use crate::schemas::comparison::Notes;
use crate::verdicts::rules;
use openapi_schemas::reading::{Reading, types};

/// Returns whether keywords about values of a type have an effect here.
pub(crate) fn holds<'d, 'k>(
    notes: &mut Notes<'_, 'd>,
    keywords: impl IntoIterator<Item = &'k str>,
    allowed: u8,
    old: &Reading<'d>,
    new: &Reading<'d>,
) -> bool {
    let has = |flat: &Reading<'d>| flat.types & (allowed | types::UNKNOWN) != 0;
    if !has(old) && !has(new) {
        for keyword in keywords {
            without_effect(notes, keyword, old, new);
        }
    }
    has(old) && has(new)
}

/// Reports changes of a keyword that excludes no value on either side.
pub(crate) fn without_effect<'d>(
    notes: &mut Notes<'_, 'd>,
    keyword: &str,
    old: &Reading<'d>,
    new: &Reading<'d>,
) {
    let (a, b) = (old.first(keyword), new.first(keyword));
    if a != b {
        notes.changed(&rules::NO_EFFECT, keyword, (old, a), (new, b));
    }
}

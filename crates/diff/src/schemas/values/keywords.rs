//! Keywords without effect on the values of a schema.

use crate::schemas::comparison::{Notes, Readings};
use crate::verdicts::rules;

/// Returns whether keywords about values of a type have an effect here.
pub(crate) fn holds<'d, 'k>(
    notes: &mut Notes<'_, 'd>,
    keywords: impl IntoIterator<Item = &'k str>,
    types: u8,
    both: Readings<'_, 'd>,
) -> bool {
    if both.neither_allows(types) {
        for keyword in keywords {
            without_effect(notes, keyword, both);
        }
    }
    both.both_allow(types)
}

/// Reports changes of a keyword that excludes no value on either side.
pub(crate) fn without_effect<'d>(notes: &mut Notes<'_, 'd>, name: &str, both: Readings<'_, 'd>) {
    let keyword = both.first(name);
    if keyword.differs() {
        notes.changed(&rules::NO_EFFECT, keyword);
    }
}

//! Inline schemas that the document names with `x-rust-type-name`. Those that share a name and say the same are one type.

use super::hoister::Hoister;
use super::naming::RESERVED;
use super::same::says_the_same;
use super::settle::Settled;
use super::type_name::TYPE_NAME;
use crate::names;

/// The type of an inline schema with a name.
pub(super) fn named_inline(hoister: &mut Hoister<'_>, settled: &Settled<'_>) -> Option<String> {
    let wanted = settled.schema.get(TYPE_NAME)?.as_str()?;
    let name = names::pascal(wanted);
    if RESERVED.contains(&name.as_str()) {
        hoister.written.naming.reserve(&name);
    }
    if hoister.written.naming.give(&settled.pointer, wanted) {
        return Some(name);
    }
    let source = hoister.written.source;
    let first = hoister
        .written
        .naming
        .at(&name)
        .and_then(|at| source.value.pointer(at));
    if first.is_some_and(|first| says_the_same(&source.value, first, settled.schema)) {
        hoister.written.naming.share(&settled.pointer, &name);
        return Some(name);
    }
    let other = hoister.written.naming.give_unique(&settled.pointer, wanted);
    hoister.renamed(&settled.pointer, wanted, &other);
    Some(other)
}

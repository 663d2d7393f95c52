//! What the engine leaves undone, one rewrite a pass. A pass changes only what it is named after.

mod around;
mod conversions;
mod documentation;
mod enums;
mod envelopes;
mod fields;
mod identifiers;
mod items;
mod plain_paths;
mod prune;
mod reading;
mod records;
mod sealed;
mod tuples;
mod unions;

use super::context::Context;

type Pass = fn(&mut syn::File, &Context<'_>) -> syn::Result<()>;

/// All passes, in the order in which they run.
pub(super) const PASSES: [(&str, Pass); 14] = [
    ("enums", enums::run),
    ("identifiers", identifiers::run),
    ("unions", unions::run),
    ("tuples", tuples::run),
    ("records", records::run),
    ("around", around::run),
    ("envelopes", envelopes::run),
    ("fields", fields::run),
    ("documentation", documentation::run),
    ("reading", reading::run),
    ("sealed", sealed::run),
    ("conversions", conversions::run),
    ("prune", prune::run),
    ("plain_paths", plain_paths::run),
];

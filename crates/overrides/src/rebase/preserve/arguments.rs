//! Arguments of `new` that the new document would remove: required properties of requests to which it adds a default. Callers pass them.

use std::collections::BTreeSet;

use openapi_document::pointer;
use openapi_schemas::reading::{Document, parts};

use super::never_null::requires;
use crate::rebase::correspondence::Correspondence;
use crate::rebase::nulls::request_places;
use crate::rebase::pointers::property;

/// Keeps the argument.
pub(super) const EFFECT: &str =
    "    x-expect:\n      x-rust-optional: null\n    update:\n      x-rust-optional: false\n";

/// Returns the properties of the new document whose defaults are new.
pub(super) fn lost(to: &Correspondence<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut old, mut new) = (Document::new(to.old), Document::new(to.new));
    for a in request_places(to.old) {
        let Some((owner, name)) = property(&a) else {
            continue;
        };
        if !requires(&mut old, owner, &name) || has_default(&mut old, &a) {
            continue;
        }
        for b in to.slots.get(&a).into_iter().flatten() {
            let is_required =
                property(b).is_some_and(|(owner, name)| requires(&mut new, owner, &name));
            if is_required && has_default(&mut new, b) && !is_marked(to, b) {
                found.insert(b.clone());
            }
        }
    }
    found
}

/// Returns whether an override has decided on the property.
fn is_marked(to: &Correspondence<'_>, at: &str) -> bool {
    let property = to.new.pointer(at);
    property.is_some_and(|property| property.get("x-rust-optional").is_some())
}

fn has_default(document: &mut Document<'_>, at: &str) -> bool {
    let schema = document.root.pointer(at);
    let parts = schema.map(|schema| parts(document, schema));
    let mut parts = parts.into_iter().flatten();
    parts.any(|part| part.get("default").is_some())
}

/// Names an argument for people.
pub(super) fn show(at: &str) -> Option<String> {
    let (owner, name) = property(at)?;
    let (_, owner) = pointer::split_last(owner)?;
    Some(format!("{owner}::new({name})"))
}

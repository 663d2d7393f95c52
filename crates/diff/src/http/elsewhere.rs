//! References at locations where OpenAPI allows none and the comparison follows none: their targets may have changed.

use std::collections::{HashMap, HashSet};

use openapi_document::pointer;
use openapi_document::source::references;
use serde_json::Value;

use super::documents::Documents;
use crate::verdicts::{Both, rules};

/// A reference that was never followed, and whose target differs.
struct Open<'d> {
    text: &'d str,
    written: Both<'d>,
    old: Option<&'d Value>,
    new: Option<&'d Value>,
}

/// Records each reference of both documents that was never followed and whose target differs. Components that no operation uses are
/// compared separately.
pub(crate) fn elsewhere(documents: &mut Documents<'_>) {
    let schemas = &mut documents.schemas;
    let before: HashMap<&str, &Value> = references(schemas.old.root).into_iter().collect();
    let mut open = Vec::new();
    for (text, new) in references(schemas.new.root) {
        let Some(old) = before.get(text).copied() else {
            continue;
        };
        if schemas.old.has_followed(text) || schemas.new.has_followed(text) {
            continue;
        }
        let one = Open {
            text,
            written: Both { old, new },
            old: schemas.old.object(old),
            new: schemas.new.object(new),
        };
        if one.old != one.new {
            open.push(one);
        }
    }
    beside_extensions(documents, &open);
    if open.is_empty() {
        return;
    }
    let schemas = &mut documents.schemas;
    let (used_old, used_new) = (schemas.old.used(), schemas.new.used());
    for one in open {
        if is_in(&used_old, one.old) || is_in(&used_new, one.new) {
            let delta = documents.aside(&rules::REFERENCE_UNKNOWN, one.written, || {
                format!(
                    "the target of `{}` changed, at a place that is not compared",
                    one.text
                )
            });
            documents.schemas.graph.anywhere(delta);
        }
    }
}

/// Records each schema of both documents that was never compared, because only extensions refer to it.
fn beside_extensions<'d>(documents: &mut Documents<'d>, open: &[Open<'d>]) {
    let schemas = &documents.schemas;
    let met = schemas.met.iter().flat_map(|(old, new)| [*old, *new]);
    let known = met.chain(open.iter().flat_map(|one| [one.old, one.new]).flatten());
    let known: HashSet<*const Value> = known.map(std::ptr::from_ref).collect();
    let components = documents.roots().keyword("components").inner("schemas");
    for schema in components.entries().filter(|schema| schema.differs()) {
        let reference = pointer::join("#/components/schemas", schema.name);
        let schemas = &documents.schemas;
        let is_compared = schemas.old.has_followed(&reference)
            || schemas.new.has_followed(&reference)
            || is_in(&known, schema.old)
            || is_in(&known, schema.new);
        if let Some(both) = schema.both().filter(|_| !is_compared) {
            documents.aside(&rules::COMPONENT_CHANGED, both, || {
                format!("the schema `{}` changed", schema.name)
            });
        }
    }
}

fn is_in(used: &HashSet<*const Value>, target: Option<&Value>) -> bool {
    target.is_none_or(|target| used.contains(&std::ptr::from_ref(target)))
}

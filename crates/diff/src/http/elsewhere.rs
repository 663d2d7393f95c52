//! References at locations where OpenAPI allows none and the comparison follows none: their targets may have changed.

use std::collections::{HashMap, HashSet};

use openapi_document::pointer;
use openapi_document::source::references;
use serde_json::Value;

use super::documents::Documents;
use crate::schemas::Form;
use crate::verdicts::{Both, Keyword, rules};
use openapi_schemas::reading::Site;

/// A reference that was never followed, and whose target differs.
struct Open<'d> {
    text: &'d str,
    written: Both<'d>,
    old: Option<&'d Value>,
    new: Option<&'d Value>,
}

/// Records each reference of both documents that was never followed and whose target differs, and queues the schemas that were never
/// compared. Components that no operation uses are compared separately.
pub(crate) fn elsewhere(documents: &mut Documents<'_>) {
    let schemas = uncompared(documents);
    let open = open(documents);
    if !open.is_empty() {
        // What was added or removed as a whole is reported with all that it refers to.
        let alone = added_or_removed(documents);
        let sides = &mut documents.schemas;
        let (used_old, used_new) = (sides.old.used(&alone), sides.new.used(&alone));
        for one in open {
            if !is_in(&used_old, one.old) && !is_in(&used_new, one.new) {
                continue;
            }
            let delta = documents.aside(&rules::REFERENCE_UNKNOWN, one.written, || {
                format!(
                    "the target of `{}` changed, at a place that is not compared",
                    one.text
                )
            });
            documents.schemas.graph.anywhere(delta);
        }
    }
    for both in schemas.into_iter().filter_map(Keyword::both) {
        let [old, new] = [both.old, both.new].map(|schema| Site::new(Some(schema), schema));
        documents.schemas.start(old, new, Form::Data);
    }
}

/// Returns the references of both documents that were never followed, and whose targets differ.
fn open<'d>(documents: &mut Documents<'d>) -> Vec<Open<'d>> {
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
    open
}

/// Returns the schemas of both documents that differ and were never compared: extensions refer to them, or parts of one document.
fn uncompared<'d>(documents: &Documents<'d>) -> Vec<Keyword<'d, 'd>> {
    let sides = &documents.schemas;
    let met = sides.met.iter().flat_map(|(old, new)| [*old, *new]);
    let met: HashSet<*const Value> = met.map(std::ptr::from_ref).collect();
    let all = documents.roots().keyword("components").inner("schemas");
    let all = all.entries().filter(|schema| {
        let reference = pointer::join("#/components/schemas", schema.name);
        let is_followed = sides.old.has_followed(&reference) || sides.new.has_followed(&reference);
        schema.differs() && !is_followed && !is_in(&met, schema.old) && !is_in(&met, schema.new)
    });
    all.collect()
}

/// Returns the values that differences add or remove.
fn added_or_removed(documents: &Documents<'_>) -> HashSet<*const Value> {
    let deltas = documents.schemas.graph.deltas.iter();
    let alone = deltas.filter_map(
        |delta| match (delta.marks.old.value, delta.marks.new.value) {
            (Some(one), None) | (None, Some(one)) => Some(std::ptr::from_ref(one)),
            _ => None,
        },
    );
    alone.collect()
}

fn is_in(used: &HashSet<*const Value>, target: Option<&Value>) -> bool {
    target.is_none_or(|target| used.contains(&std::ptr::from_ref(target)))
}

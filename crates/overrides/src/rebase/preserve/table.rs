//! All kinds of lost content that are preserved.

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use serde_json::Value;

use super::preserver::{Documents, Line, Preserver};
use super::{names, never_null, parameters, schemas, security, sentences};
use crate::load::Family;
use crate::preserved;
use crate::rebase::correspondence::Correspondence;
use crate::rebase::moved::Rebase;

/// The kinds, in stages: each stage sees the documents with the overrides of the earlier stages.
const STAGES: [&[Preserver]; 2] = [
    &[
        Preserver {
            family: Family::Assumed,
            file: preserved::NEVER_NULL,
            head: never_null::HEAD,
            find: never_null::find,
            unsaid: |rebase| &mut rebase.nulls,
            lines: sentences::nulls,
        },
        Preserver {
            family: Family::Assumed,
            file: preserved::SCHEMAS,
            head: schemas::HEAD,
            find: schemas::find,
            unsaid: |rebase| &mut rebase.emptied,
            lines: sentences::schemas,
        },
        Preserver {
            family: Family::Assumed,
            file: preserved::PARAMETERS,
            head: parameters::HEAD,
            find: parameters::find,
            unsaid: |rebase| &mut rebase.silent,
            // Described together with the schemas, because they have one cause.
            lines: |_, _| Vec::new(),
        },
        Preserver {
            family: Family::Assumed,
            file: preserved::SECURITY,
            head: security::HEAD,
            find: security::find,
            unsaid: |rebase| &mut rebase.open,
            lines: sentences::security,
        },
    ],
    &[Preserver {
        family: Family::Generator,
        file: preserved::NAMES,
        head: names::HEAD,
        find: names::find,
        unsaid: |rebase| &mut rebase.kept,
        lines: sentences::names,
    }],
];

/// Finds lost content. Adds overrides that preserve it, or actions to existing ones. `documents` has both documents with their
/// overrides applied.
pub(crate) fn preserve(
    (old, new): (&Source, &Source),
    documents: (Value, Value),
    accept: bool,
    rebase: &mut Rebase,
) -> Result<(), DocumentError> {
    let (old, mut after) = (old.with_value(documents.0), documents.1);
    for stage in STAGES {
        let now = new.with_value(after.clone());
        let documents = Documents {
            to: Correspondence::new(&old.value, &now.value, &openapi_diff::matched(&old, &now)),
            old: &old,
            new: &now,
            published: &new.value,
            accept,
        };
        for one in stage {
            let Some(one) = one.preserve(&documents, rebase)? else {
                continue;
            };
            for action in &one.overlay.actions {
                one.apply_action(action, &mut after);
            }
        }
    }
    Ok(())
}

/// Describes the result as pairs of a verb and a sentence. Names come first, because they need no decision.
pub(crate) fn lines(rebase: &Rebase, verbose: bool) -> Vec<Line> {
    let all = STAGES.into_iter().rev().flatten();
    all.flat_map(|one| (one.lines)(rebase, verbose)).collect()
}

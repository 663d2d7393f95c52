//! Notes of an update about the open questions: those that the new document may resolve, and those that lost a place. They stop nothing.

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, reconcile};

/// A sentence for each question that a person may want to read again, in the order of the list. `touched` has the ids of the questions about
/// places that differ.
pub(super) fn notes(
    new: &Source,
    set: &OverrideSet,
    touched: &[String],
) -> Result<Vec<String>, DocumentError> {
    let asked = reconcile(new, set)?.report.asked;
    let notes = asked.iter().filter_map(|one| {
        let id = &one.by.id;
        if !one.gone.is_empty() {
            let gone = one.gone.join(", ");
            return Some(format!("{id}: the document no longer has {gone}"));
        }
        touched.contains(id).then(|| {
            let question = &one.by.question;
            format!("{id}: the document changed here, check whether it answers: {question}")
        })
    });
    Ok(notes.collect())
}

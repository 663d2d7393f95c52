//! New operations that page, or may.

use openapi_document::source::Source;
use openapi_model::Detection;

/// Returns a sentence for each operation that `callers` do not have. One that may page does not, until an override says how.
pub(super) fn new_operations(callers: &Source, detections: &[Detection]) -> Vec<String> {
    let is_new = |one: &&Detection| callers.value.pointer(&one.pointer).is_none();
    let sentence = |one: &Detection| {
        let (operation, reason) = (&one.operation, &one.reason);
        match &one.doubt {
            None => format!("`{operation}`: {reason}"),
            Some(doubt) => format!(
                "`{operation}` may page: {reason}, and {doubt}; an override with `x-pagination` decides it"
            ),
        }
    };
    let new = detections.iter().filter(is_new);
    new.map(sentence).collect()
}

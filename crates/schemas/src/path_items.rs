//! The parts of a path item besides its operations: a reference in place of it or of an operation, and operations that are left out.

use serde_json::Value;

use super::walker::Walker;
use crate::LeftOut;

/// Replaces a reference to a path item with its target. Its operations are then below the path, and messages show the author's
/// location. OpenAPI has no reference in place of an operation, but bundlers of split documents write it out too.
pub(super) fn written_out(walker: &mut Walker<'_>, item: &mut Value, at: &str) {
    let Some(reference) = item.get("$ref").and_then(Value::as_str).map(str::to_owned) else {
        return;
    };
    let Value::Object(own) = item else {
        return;
    };
    own.shift_remove("$ref");
    if let Some(target) = walker.shared(&reference, at) {
        for (key, value) in target.value.as_object().into_iter().flatten() {
            if !own.contains_key(key) {
                own.insert(key.clone(), value.clone());
            }
        }
        walker.moved.insert(at.to_owned(), target.pointer);
    }
}

/// Leaves out an operation, with a row and a warning.
pub(super) fn leave_out(
    walker: &mut Walker<'_>,
    at: &str,
    method: &str,
    path: Option<&str>,
    reason: String,
) {
    let Some(path) = path else {
        return;
    };
    let left_out = LeftOut::new(method, path, reason, at);
    let help = "correct the operation in an override, or remove it there";
    walker.warn("left-out", at, left_out.message(), help);
    walker.left_out.push(left_out);
}

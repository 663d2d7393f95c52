//! What a path item has beside its operations: a reference in place of it, and methods that are not supported.

use openapi_document::pointer;
use serde_json::{Map, Value};

use super::walker::Walker;
use crate::{LeftOut, METHODS};

/// Replaces a reference to a path item by what it names. Operations stand below the path then, and messages show where the author
/// has them.
pub(super) fn written_out(walker: &mut Walker<'_>, item: &mut Value, at: &str) {
    let Some(reference) = item.get("$ref").and_then(Value::as_str).map(str::to_owned) else {
        return;
    };
    let target = walker.resolver.target(&reference);
    let target = target.and_then(|target| walker.resolver.end(target));
    let target = target.map(|target| (target.pointer, target.value));
    if let Some(map) = item.as_object_mut() {
        map.shift_remove("$ref");
    }
    match (target, item) {
        (Some((target, Value::Object(shared))), Value::Object(own)) => {
            for (key, value) in shared {
                if !own.contains_key(key) {
                    own.insert(key.clone(), value.clone());
                }
            }
            walker.moved.insert(at.to_owned(), target);
        }
        _ => walker.leads_nowhere(at, &reference),
    }
}

/// Leaves out the operations whose methods are not in the table of all methods.
pub(super) fn other_methods(
    walker: &mut Walker<'_>,
    map: &mut Map<String, Value>,
    at: &str,
    path: Option<&str>,
) {
    if !METHODS.contains(&"query") && map.shift_remove("query").is_some() {
        let reason = "its method is QUERY, which is not supported".to_owned();
        leave_out(walker, &format!("{at}/query"), "query", path, reason);
    }
    let Some(Value::Object(others)) = map.shift_remove("additionalOperations") else {
        return;
    };
    for method in others.keys() {
        let at = pointer::join(&format!("{at}/additionalOperations"), method);
        let reason = format!("its method is {method}, which is not supported");
        leave_out(walker, &at, method, path, reason);
    }
}

/// Notes that an operation is left out, with a row and a warning.
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
    let method = method.to_uppercase();
    walker.warn(
        "left-out",
        at,
        format!("`{method} {path}` is left out: {reason}"),
        "correct the operation in an override, or remove it there",
    );
    walker
        .left_out
        .push(LeftOut::new(&method, path, &reason, at));
}

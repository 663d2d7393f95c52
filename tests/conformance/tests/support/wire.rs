//! Views of a recorded request, compared with the reference.

use super::calls::KEY;
use super::document::parameter_of;
use super::server::Recorded;

/// Checks the headers of a GET, and that its path and query are those of the operation in the reference.
#[track_caller]
pub(crate) fn assert_get(request: Recorded, operation: &str, rest: &str, query: &str) {
    assert_eq!(get(request), target(operation, rest, query));
}

/// Checks the headers that all requests share; returns the path and query of a GET.
pub(crate) fn get(request: Recorded) -> String {
    assert_common(&request);
    assert!(request.header("content-type").is_empty());
    assert_eq!(request.body, "");
    let target = request.line.strip_prefix("GET ").unwrap();
    in_order(target.strip_suffix(" HTTP/1.1").unwrap())
}

/// Returns the path and query of an operation, from the reference.
pub(crate) fn target(operation: &str, rest: &str, query: &str) -> String {
    in_order(&reviewed_facts::target(operation, rest, query))
}

/// Returns a list in the query of an operation. Each value has the name of the parameter, unless the document joins them by commas.
pub(crate) fn list(operation: &str, name: &str, values: &[&str]) -> String {
    let separator = if parameter_of(operation, name)["explode"] == false {
        ",".to_owned()
    } else {
        format!("&{name}=")
    };
    format!("{name}={}", values.join(&separator))
}

/// Sorts the parameters of a path and query by name, because the order across names has no meaning. Values of one name
/// keep theirs.
fn in_order(target: &str) -> String {
    let Some((path, query)) = target.split_once('?') else {
        return target.to_owned();
    };
    let mut pairs: Vec<&str> = query.split('&').collect();
    pairs.sort_by_key(|pair| pair.split('=').next());
    format!("{path}?{}", pairs.join("&"))
}

pub(crate) fn assert_common(request: &Recorded) {
    assert_eq!(request.header("x-api-key"), [KEY]);
    assert_eq!(request.header("accept"), ["application/json"]);
    assert_eq!(request.header("user-agent").len(), 1);
    assert!(request.header("authorization").is_empty());
    let shown = request.line.contains(KEY) || request.body.contains(KEY);
    assert!(!shown, "the key stands outside of its header: {request:?}");
}

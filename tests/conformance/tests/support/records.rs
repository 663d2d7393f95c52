//! Views of a decoded page: its records, what was rejected or set aside, and its drift.

use company_intel::drift::{Drift, DriftKind};
use company_intel::{Client, Error, Records, Response};
use serde::Serialize;
use serde_json::Value;

use super::calls::respond_with;
use super::payloads::essence;
use super::server::json_response;
use super::whole::whole;

/// Returns index, path and raw value of each reject.
pub(crate) fn rejects<T>(records: &Records<T>) -> Vec<(usize, &str, Value)> {
    let said = |text: &str| essence(&serde_json::from_str(text).unwrap());
    let rejects = records.rejects().iter();
    rejects
        .map(|reject| (reject.index, reject.path.as_str(), said(reject.raw.get())))
        .collect()
}

/// Returns a field of each record, by its name in the document.
pub(crate) fn fields<T: Serialize>(records: &[T], name: &str) -> Vec<Value> {
    let values = records.iter().map(|one| serde_json::to_value(one).unwrap());
    values.map(|one| one[name].clone()).collect()
}

/// Returns pointer and raw JSON of each value that was left out.
pub(crate) fn left_out<T>(response: &Response<T>) -> Vec<(&str, &str)> {
    let left_out = response.set_aside().iter();
    left_out
        .map(|one| (one.pointer.as_str(), one.raw.get()))
        .collect()
}

pub(crate) async fn read<T, F>(
    operation: &str,
    body: &str,
    call: impl FnOnce(Client) -> F,
) -> Response<T>
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let body = whole(operation, body);
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert_eq!(response.raw, body);
    response
}

pub(crate) fn has_drift<T>(response: &Response<T>, line: &str) -> bool {
    let drift = response.drift();
    drift.iter().any(|one| one.to_string() == line)
}

/// Returns the lines of drift of a short payload, which lacks many required properties.
pub(crate) fn lines_of<T>(response: &Response<T>) -> Vec<String> {
    let drift = response.drift();
    let is_without_value =
        |drift: &&Drift| matches!(drift.kind, DriftKind::Missing | DriftKind::Null);
    let others = drift.iter().filter(|one| !is_without_value(one));
    others.map(ToString::to_string).collect()
}

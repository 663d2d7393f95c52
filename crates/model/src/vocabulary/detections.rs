//! Paging that no extension declares, detected because the parameters and the response of an operation agree.

use std::collections::BTreeMap;

use super::extensions::Pagination;

/// The paging that the parameters and the response of an operation show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The name of the operation for callers, on one line and without backticks: READMEs and screens show it.
    pub operation: String,
    /// Its location in the document.
    pub pointer: String,
    /// The content that `x-pagination` would have.
    pub pagination: Pagination,
    /// The parts of the document that show it.
    pub reason: String,
}

impl Detection {
    /// The detections by their reasons.
    pub fn by_reason(all: &[Self]) -> BTreeMap<&str, Vec<String>> {
        let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for one in all {
            let named = reasons.entry(&one.reason).or_default();
            named.push(format!("`{}`", one.operation));
        }
        reasons
    }
}

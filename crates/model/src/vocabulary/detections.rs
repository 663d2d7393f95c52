//! Paging that no extension declares, detected because the parameters and the response of an operation agree, or nearly.

use std::collections::BTreeMap;

use super::extensions::Pagination;

/// The paging that the parameters and the response of an operation suggest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The name of the operation for callers, on one line and without backticks: READMEs and screens show it.
    pub operation: String,
    /// Its location in the document.
    pub pointer: String,
    /// The content that `x-pagination` would have; for a doubtful one, the likeliest. It is a suggestion that works only if it is whole.
    pub pagination: Pagination,
    /// The parts of the document that suggest it.
    pub reason: String,
    /// Why it is not certain. The operation pages only without a doubt.
    pub doubt: Option<String>,
}

impl Detection {
    /// Those of one doubt and one reason together, the certain ones first.
    pub fn by_reason(all: &[Self]) -> Vec<Vec<&Self>> {
        let mut reasons: BTreeMap<(Option<&str>, &str), Vec<&Self>> = BTreeMap::new();
        for one in all {
            let key = (one.doubt.as_deref(), one.reason.as_str());
            reasons.entry(key).or_default().push(one);
        }
        reasons.into_values().collect()
    }
}

//! Paging that no extension says, and that the parameters and the response of an operation agree on, or nearly.

use std::collections::BTreeMap;

use super::extensions::Pagination;

/// What the parameters and the response of an operation say of paging.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// What callers know the operation by, on one line and without backticks: it stands in READMEs and on screens.
    pub operation: String,
    /// Where it stands in the document.
    pub pointer: String,
    /// What `x-pagination` would say; of a doubtful one, the likeliest.
    pub pagination: Pagination,
    /// What in the document says so.
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

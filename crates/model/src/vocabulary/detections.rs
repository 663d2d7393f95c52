//! Paging that no extension says, and that the parameters and the response of an operation agree on, or nearly.

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

//! How much of what an operation has is called for.

use crate::money::Wanted;

/// The extent that the options of a run select.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) wanted: Wanted,
    pub(crate) wait: bool,
    /// True if inputs are called again that an earlier run may have been billed for.
    pub(crate) again: bool,
    /// True if programs read what is written beside records.
    #[cfg(any(feature = "cache", feature = "metered"))]
    pub(crate) is_json: bool,
}

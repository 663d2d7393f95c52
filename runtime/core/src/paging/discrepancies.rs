//! What does not add up in a run although each of its pages is valid.

/// Records of a run that do not add up, although each of its pages is valid. The run goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Discrepancies {
    /// The number of records that are, byte for byte, records of the page before. The list may have changed between two calls: then there may
    /// also be records that no page had. It is zero if a page has several lists, or its lists have keys.
    pub repeated: u64,
    /// The number of received records beyond the total of their page. Such a total may end a run before the last record.
    pub beyond_total: u64,
}

//! What does not add up in a run although each of its pages is valid.

/// Records of a run that do not add up, although each of its pages is valid. The run goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Discrepancies {
    /// The number of records that are, byte for byte, records of the page before. The list changed between two calls: it may also have
    /// records that no page had. Of pages with several lists, it is zero.
    pub repeated: u64,
    /// The number of received records beyond the total of their page. Such a total may end a run before the last record.
    pub beyond_total: u64,
}

//! How much of what an operation has is called for.

/// What the options of a run say of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    pub(super) all: bool,
    pub(super) most: Option<u64>,
    pub(super) wait: bool,
    /// Whether inputs are called that may have been billed by an earlier run.
    pub(super) again: bool,
}

impl Extent {
    pub(super) fn is_one_page(self) -> bool {
        !self.all && self.most.is_none()
    }
}

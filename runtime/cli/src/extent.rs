//! How much of what an operation has is called for.

use metered_client::journal::Wanted;

/// The extent that the options of a run select.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Extent {
    pub(crate) all: bool,
    pub(crate) most: Option<u64>,
    pub(crate) wait: bool,
    /// True if inputs are called again that an earlier run may have been billed for.
    pub(crate) again: bool,
}

impl Extent {
    pub(crate) fn wanted(self) -> Wanted {
        match self.most {
            Some(most) => Wanted::Records(most),
            None if self.all => Wanted::All,
            None => Wanted::Page,
        }
    }

    pub(crate) fn is_one_page(self) -> bool {
        !self.all && self.most.is_none()
    }
}

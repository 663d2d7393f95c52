//! A request to a store that is not decided yet.

use std::sync::Arc;

use super::shared::Levels;
use super::store::Ending;
use crate::money::budget::{AtRiskId, CallLabel};
use crate::money::credits::Credits;
use crate::money::metered_budget::Settlement;

/// A request that may have a place in the queue, or a reservation whose reply was lost. If it is dropped, it is given up.
pub(super) struct Place<'a> {
    levels: &'a Levels,
    pub(super) id: AtRiskId,
    call: CallLabel,
    is_open: bool,
}

impl<'a> Place<'a> {
    pub(super) fn new(levels: &'a Levels, call: CallLabel) -> Self {
        Self {
            levels,
            id: AtRiskId::unused(),
            call,
            is_open: true,
        }
    }

    /// Hands the reservation over to its new owner, who settles it.
    pub(super) fn pass_on(mut self) -> AtRiskId {
        self.is_open = false;
        self.id
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.is_open {
            let shared = &self.levels.shared;
            let ending = Ending {
                account: Arc::clone(&shared.name),
                id: self.id,
                settlement: Settlement::Refund,
                scopes: self.levels.scopes(),
                amount: Credits::ZERO,
                call: std::mem::take(&mut self.call),
                went_through: false,
                cool_down: None,
                price: None,
            };
            drop(shared.background.settle(&shared.store, ending));
        }
    }
}

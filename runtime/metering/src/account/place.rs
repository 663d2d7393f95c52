//! A request to a store that is not decided yet.

use std::sync::Arc;

use super::id::ReservationId;
use super::shared::Levels;
use super::store::{Ending, Settlement};
use super::usage::Label;
use crate::money::credits::Credits;

/// A request that may have a place in the queue, or a reservation whose reply was lost. If it is dropped, it is given up.
pub(super) struct Place<'a> {
    levels: &'a Levels,
    pub(super) id: ReservationId,
    label: Label,
    is_open: bool,
}

impl<'a> Place<'a> {
    pub(super) fn new(levels: &'a Levels, label: Label) -> Self {
        Self {
            levels,
            id: ReservationId::unused(),
            label,
            is_open: true,
        }
    }

    /// Hands the reservation over to its new owner, who settles it.
    pub(super) fn pass_on(mut self) -> ReservationId {
        self.is_open = false;
        self.id.clone()
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.is_open {
            let shared = &self.levels.shared;
            let ending = Ending {
                account: Arc::clone(&shared.name),
                id: self.id.clone(),
                settlement: Settlement::Refund,
                scopes: self.levels.scopes(),
                amount: Credits::ZERO,
                label: std::mem::take(&mut self.label),
                went_through: false,
                cool_down: None,
                price: None,
            };
            drop(shared.background.settle(&shared.store, ending));
        }
    }
}

//! What a call needs of a budget while it is in flight, and what it has at risk when it is lost.

use crate::money::budget::{Asked, BudgetError};
use crate::money::credits::Credits;

/// The amounts of one call.
///
/// A call of unknown price reserves more than it is expected to cost, and has at risk what it is expected to cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Need {
    /// The amount to reserve.
    pub(crate) reserved: Credits,
    /// Where less is left than `reserved`, all of it is reserved, but not less than this: the call runs alone.
    pub(crate) least: Credits,
    /// What is at risk if the call is lost; `None` if nothing is known.
    pub(crate) at_risk: Option<Credits>,
    /// The price is unknown, and what is at risk may be corrected when it is seen.
    pub(crate) is_open: bool,
}

impl Need {
    /// Returns the need of a call with this price.
    pub(crate) fn exactly(price: Credits) -> Self {
        Self {
            reserved: price,
            least: price,
            at_risk: Some(price),
            is_open: false,
        }
    }

    /// Returns the amount to ask for next, after `error` refused `asked`; `Err` if there is none.
    pub(crate) fn less(self, asked: Credits, error: BudgetError) -> Result<Credits, BudgetError> {
        if error.frozen.is_some() {
            return Err(error);
        }
        let left = error.left_at_best();
        if self.least <= left && left < asked {
            return Ok(left);
        }
        let asked = if self.least < self.reserved {
            Asked::Estimate(self.least)
        } else {
            error.asked
        };
        Err(BudgetError { asked, ..error })
    }
}

//! Usage of an account.

use std::time::SystemTime;

use super::id::ReservationId;
use crate::money::credits::Credits;
use crate::money::ledger::Usage;

/// The sums of a scope, and what goes on in its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AccountUsage {
    /// The sums.
    pub usage: Usage,
    /// Number of reservations in the account.
    pub in_flight: u64,
    /// Number of leases that ended without a settlement, ever.
    pub lapsed: u64,
    /// Number of settlements that contradict an earlier one, ever. The earlier ones stay.
    pub conflicts: u64,
    /// Number of settlements of reservations that the store did not know, ever. Each shows that the store lost data.
    pub strays: u64,
}

/// A call that may have been charged.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccountRisk {
    /// The id to pass to [`Account::settle`](super::Account::settle).
    pub id: ReservationId,
    /// The amount at risk in the scope.
    pub amount: Credits,
    /// When it became at risk, by the clock of the store.
    pub at: SystemTime,
    /// True if its worker failed to settle it in time.
    pub is_lapsed: bool,
    /// The call.
    pub label: Label,
}

impl AccountRisk {
    /// Returns a call whose worker reported this amount as at risk at this time.
    pub fn new(id: ReservationId, amount: Credits, at: SystemTime, label: Label) -> Self {
        Self {
            id,
            amount,
            at,
            is_lapsed: false,
            label,
        }
    }
}

/// Names a call for a person who looks it up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Label {
    /// The operation, by its `operationId`.
    pub operation: String,
    /// Number of the attempt, from 1 on.
    pub attempt: u32,
    /// The request id of the response.
    pub request_id: Option<String>,
    /// The idempotency key of the call, if the operation has one.
    pub idempotency_key: Option<String>,
}

//! Usage of an account.

use crate::money::budget::Usage;

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

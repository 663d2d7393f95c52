//! Assertions on what calls have cost.

use crate::money::budget::Budget;
use crate::money::credits::Credits;

/// Panics unless the budget has spent exactly this much, and has nothing reserved and nothing at risk.
///
/// ```
/// use generated_client::testing::assert_spent;
/// use generated_client::{Budget, Credits};
///
/// assert_spent(&Budget::unlimited(), Credits::ZERO);
/// ```
#[track_caller]
pub fn assert_spent(budget: &Budget, credits: Credits) {
    let usage = budget.usage();
    assert!(
        (usage.spent, usage.reserved, usage.at_risk) == (credits, Credits::ZERO, Credits::ZERO),
        "expected {credits} credits spent and nothing else; {} are spent, {} reserved and {} at risk: {:?}",
        usage.spent,
        usage.reserved,
        usage.at_risk,
        budget.at_risk()
    );
}

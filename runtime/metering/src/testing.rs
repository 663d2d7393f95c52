//! A service that follows a script, and assertions on what calls have cost.

pub use generated_client::testing::*;

use crate::money::credits::Credits;
use crate::money::ledger::Ledger;

/// Panics unless the ledger has spent exactly this much, and has nothing reserved and nothing at risk.
///
/// ```
/// use metered_client::testing::assert_spent;
/// use metered_client::{Credits, Ledger};
///
/// assert_spent(&Ledger::unlimited(), Credits::ZERO);
/// ```
#[track_caller]
pub fn assert_spent(ledger: &Ledger, credits: Credits) {
    let usage = ledger.usage();
    assert!(
        (usage.spent, usage.reserved, usage.at_risk) == (credits, Credits::ZERO, Credits::ZERO),
        "expected {credits} credits spent and nothing else; {} are spent, {} reserved and {} at risk: {:?}",
        usage.spent,
        usage.reserved,
        usage.at_risk,
        ledger.at_risk()
    );
}

/// Panics unless the ledger has exactly this much at risk.
///
/// ```
/// use metered_client::testing::assert_at_risk;
/// use metered_client::{Credits, Ledger};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), metered_client::error::BudgetError> {
/// let ledger = Ledger::unlimited();
/// ledger.reserve(Credits::new(2)).await?.at_risk();
/// assert_at_risk(&ledger, Credits::new(2));
/// # Ok(())
/// # }
/// ```
#[track_caller]
pub fn assert_at_risk(ledger: &Ledger, credits: Credits) {
    let usage = ledger.usage();
    assert!(
        usage.at_risk == credits,
        "expected {credits} credits at risk, not {}: {:?}",
        usage.at_risk,
        ledger.at_risk()
    );
}

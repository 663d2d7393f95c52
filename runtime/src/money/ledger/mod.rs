//! A budget of credits that calls to a paid API draw on.
//!
//! In goes what a call may cost, out comes a reservation or a refusal; every reservation ends as a refund, a charge or a risk, also when
//! its holder is cancelled or panics. Nothing here sends, retries, or knows a price, and nothing is ever reserved beyond a limit.
//!
//! ```text
//! Ledger ── reserve ──▶ Reservation ──▶ charged │ refund │ at_risk
//!    └─ Tree: one lock around one Book        pure, without a lock:
//!         Book ─▶ Accounts: which ledger is scoped from which  ─▶ Account: the sums of one
//!              ─▶ Queue: the waiters, and where   Risks: the calls at risk
//! ```

mod account;
mod accounts;
mod book;
mod error;
mod handle;
mod node;
mod queue;
mod reservation;
mod risks;

#[cfg(test)]
mod tests;

pub use account::{Amount, Usage};
pub use error::BudgetError;
pub use handle::Ledger;
pub(crate) use node::Lost;
pub use reservation::Reservation;
pub use risks::{AtRisk, AtRiskId, CallLabel};

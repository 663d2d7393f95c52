//! A budget of credits that calls to a paid API draw on.
//!
//! Input: the price of a call. Output: a reservation or a `BudgetError`. Every reservation ends as refunded, charged or at risk, even if
//! its holder is cancelled or panics. This module does not send requests, retry, or know prices. It never reserves more than a limit
//! allows.
//!
//! ```text
//! Budget ── reserve ──▶ Reservation ──▶ charged │ refund │ at_risk
//!    └─ Tree: one lock around one Book        pure, without a lock:
//!         Book ─▶ Scopes: which budget is scoped from which  ─▶ Sums: the sums of one
//!              ─▶ Queue: the waiters, and where   Risks: the calls at risk
//! ```

mod book;
pub(crate) mod error;
mod handle;
mod id;
mod metered;
mod node;
mod queue;
mod record;
mod reservation;
mod risks;
mod scopes;
mod sums;

#[cfg(test)]
pub(crate) mod tests;

pub use error::{Asked, BudgetError, RefusedBy};
pub use handle::Budget;
pub use id::{AtRiskId, ParseAtRiskIdError};
pub use node::Reservation;
pub(crate) use record::Unrecorded;
#[cfg(feature = "journal")]
pub(crate) use record::{Entry, Recorder, Sent};
pub use risks::{AtRisk, CallLabel};
pub use sums::Usage;

//! The meter of a client: it reserves the price of an attempt before it is sent, and settles it afterwards.
//!
//! ```text
//! admit: prices · budgets ─▶ admitted: one attempt ─▶ billing: the table ─▶ charges: what the call cost
//! ```

mod admitted;
mod amount;
mod billing;
pub(crate) mod charges;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its type"
)]
pub(crate) mod meter;
pub(crate) mod methods;
pub(crate) mod prices;
mod span;

//! One call, from its admission to the decoded response.
//!
//! ```text
//! drive: its own task ─▶ attempts: the loop over a state ─▶ admission: limiter · interceptors ─▶ transport ─▶ body ─▶ retry: the table ─▶ receive
//! ```

mod admission;
pub(crate) mod attempts;
pub(crate) mod drive;
pub(crate) mod engine;
pub(crate) mod interceptors;
pub(crate) mod limiter;
pub(crate) mod receive;
#[cfg(feature = "tokens")]
mod renewal;
mod retry;
mod retry_after;
pub(crate) mod retry_budget;
pub(crate) mod span;
pub(crate) mod state;
mod stored;
pub(crate) mod trace_context;

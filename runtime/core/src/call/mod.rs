//! One call, from its turn to the decoded response.
//!
//! ```text
//! drive: a task of its own ─▶ attempts: the loop ─▶ turn: limiter · interceptor ─▶ transport ─▶ body ─▶ retry: the table ─▶ receive
//! ```

pub(crate) mod attempts;
pub(crate) mod body;
pub(crate) mod drive;
pub(crate) mod engine;
pub(crate) mod limiter;
mod rate_limit;
pub(crate) mod receive;
mod retry;
mod retry_after;
pub(crate) mod retry_budget;
pub(crate) mod span;
mod stored;
mod turn;

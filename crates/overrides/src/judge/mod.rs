//! The judgement of an override: its guard, its goals, its verdict, and the finding that a person reads.

mod applied;
mod goals;
mod guard;
mod judgements;
mod one;
mod problem;
mod report;
mod verdict;

pub use applied::{Applied, OverrideReport};
pub use guard::derive as derive_guard;
pub(crate) use guard::{before as guarded, holds as guard_holds, is_said, meant};
pub use judgements::{Judgement, Judgements, judge};
pub(crate) use one::outcome;
pub use verdict::Verdict;

//! Whether an override still applies.

mod guard;
mod judgements;
mod verdict;

pub use guard::derive as derive_guard;
pub use judgements::{
    Applied, Judgement, Judgements, OverrideReport, ReconciledDocument, judge, reconcile,
};
pub use verdict::Verdict;

//! Overrides: what is known better than the published document, as data.
//! Loads the set, judges each against the document, applies it and reports who changed which place.

mod edit;
mod guard;
mod lint;
mod load;
mod reconcile;
mod rename;
mod verdict;
mod vocabulary;

pub use edit::{template, with_guard};
pub use guard::derive as derive_guard;
pub use lint::{could_be_one, lint};
pub use load::{About, Family, Override, OverrideSet};
pub use reconcile::{
    Applied, Judgement, Judgements, OverrideReport, ReconciledDocument, judge, reconcile,
};
pub use verdict::Verdict;

//! Overrides: what is known better than the published document, as data.
//! Loads the set, judges each against the document, applies it and reports who changed which place.

mod edit;
mod judge;
mod lint;
mod load;
mod reconcile;
mod vocabulary;

pub use edit::{template, with_guard};
pub use judge::{Applied, Judgement, Judgements, OverrideReport, Verdict, derive_guard, judge};
pub use lint::{could_be_one, lint};
pub use load::{About, Family, Override, OverrideSet};
pub use reconcile::{ReconciledDocument, reconcile};

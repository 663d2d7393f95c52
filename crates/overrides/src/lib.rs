//! Overrides: what is known better than the published document, as data.
//! Loads the set, judges each against the document, applies it and reports which override changed which place.
//! `rebase` moves a set to another document.

mod edit;
mod evidence;
mod fits;
mod judge;
mod lint;
mod load;
mod plain;
mod preserved;
mod rebase;
mod reconcile;
mod required;
mod shown;
mod vocabulary;

pub use edit::{template, with_key};
pub use evidence::Evidence;
pub use judge::{Applied, Judgement, Judgements, OverrideReport, Verdict, derive_guard, judge};
pub use lint::lint;
pub use load::{About, Family, Override, OverrideSet};
pub use plain::{Plain, Written};
pub use rebase::{
    Assumption, Decision, Follow, Likely, Nulls, Order, Proposal, Reason, Rebase, Retired, rebase,
};
pub use reconcile::{ReconciledDocument, reconcile};
pub use required::required;
pub use shown::shown;

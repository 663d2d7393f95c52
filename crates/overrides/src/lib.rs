//! Overrides: what is known better than the published document, as data.
//! Loads the set, judges each against the document, applies it and reports which override changed which place. Beside it is the list of open questions.

mod edit;
mod evidence;
mod fits;
mod judge;
mod lint;
mod load;
mod plain;
pub mod preserved;
mod questions;
mod reconcile;
mod required;
mod shown;
mod vocabulary;

pub use edit::{action_lines, template, with_guard, with_key};
pub use evidence::Evidence;
pub use judge::{
    Applied, Judgement, Judgements, OverrideReport, Verdict, derive_guard, guard_holds, judge,
    outcome,
};
pub use lint::{could_be_one, lint, only_wording};
pub use load::{About, Family, Override, OverrideSet};
pub use plain::{Plain, Written};
pub use questions::{Asked, OpenQuestion, OpenQuestions};
pub use reconcile::{ReconciledDocument, reconcile};
pub use required::{has_property, required};
pub use shown::shown;

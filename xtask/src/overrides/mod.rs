//! Overrides: what is known better than the published document, as data.
//! Loads the set, applies it to the published document and reports who changed which place.

mod load;
mod reconcile;
mod vocabulary;

pub use load::{About, Family, Override, OverrideSet};
pub use reconcile::{Applied, OverrideReport, ReconciledDocument, reconcile};

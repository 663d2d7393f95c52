//! Credits: amounts, outcomes, reported charges, and the ledger.

pub(crate) mod credits;
pub(crate) mod ledger;
pub(crate) mod outcome;
pub(crate) mod report;

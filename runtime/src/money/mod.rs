//! Credits: amounts, what became of them, what a response reports, and the budget.

pub(crate) mod credits;
pub(crate) mod ledger;
pub(crate) mod outcome;
pub(crate) mod report;

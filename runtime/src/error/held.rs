//! Attempts that were not made: the budget does not allow them, or the time does not.

use std::time::Duration;

use crate::api::Operation;
use crate::call::Course;
use crate::ledger::BudgetError;

/// The budget has no room for a call. This attempt was not made; earlier ones of the same call may have been.
#[derive(Debug, thiserror::Error)]
#[error("{operation} was not sent{}", again(.course))]
pub struct BudgetExceeded {
    operation: &'static Operation,
    pub(crate) course: Course,
    source: BudgetError,
}

impl BudgetExceeded {
    pub(crate) fn new(
        operation: &'static Operation,
        course: Course,
        source: BudgetError,
    ) -> Box<Self> {
        Box::new(Self {
            operation,
            course: course.held(None),
            source,
        })
    }

    /// The operation that was to be called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// What was asked of the budget, and what it had.
    pub fn budget(&self) -> &BudgetError {
        &self.source
    }
}

/// The client is cooling down for longer than the call may wait, or its deadline passed while it waited for its turn. This attempt was not
/// made; earlier ones of the same call may have been.
#[derive(Debug, thiserror::Error)]
#[error(
    "{operation} was not sent{}: its turn would come after its deadline",
    again(.course)
)]
pub struct Postponed {
    operation: &'static Operation,
    pub(crate) course: Course,
}

impl Postponed {
    pub(crate) fn new(operation: &'static Operation, course: Course, wait: Duration) -> Box<Self> {
        let hint = (!wait.is_zero()).then_some(wait);
        Box::new(Self {
            operation,
            course: course.held(hint),
        })
    }

    /// The operation that was to be called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }
}

/// Who reads that a call was not sent takes it for one that cost nothing.
fn again(course: &Course) -> &'static str {
    match course.attempts {
        0 => "",
        _ => " again",
    }
}

//! Attempts that were not made: the budget does not allow them, or the time does not, or nobody can say.

use std::fmt;
use std::time::{Duration, SystemTime};

use crate::account::StoreError;
use crate::document::api::Operation;
use crate::money::ledger::BudgetError;
use crate::response::history::CallHistory;

/// Why a call cannot go now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delay {
    /// The client cools down for so long.
    CoolDown(Duration),
    /// The deadline passed while the call waited for a permit.
    Place,
    /// It passed while the call waited for the budget.
    Budget,
    /// It passed while the call waited for a token.
    Token,
    /// It passed before the call waited for anything.
    Deadline,
}

/// The budget has no room for a call. This attempt was not made; earlier ones of the same call may have been.
///
/// Waiting makes no room. [`Ledger::raise`](crate::Ledger::raise) raises the limit, and [`Ledger::settle`](crate::Ledger::settle) settles
/// what is at risk; of an account, [`Account::raise`](crate::account::Account::raise) and [`Account::settle`](crate::account::Account::settle).
/// [`budget`](Self::budget) has the amounts, and says which of several limits refused the call.
#[derive(Debug, thiserror::Error)]
#[error("{operation} was not sent{}: {budget}", again(.course))]
pub struct BudgetExceeded {
    operation: &'static Operation,
    pub(crate) course: CallHistory,
    budget: BudgetError,
}

impl BudgetExceeded {
    pub(crate) fn new(
        operation: &'static Operation,
        course: CallHistory,
        budget: BudgetError,
    ) -> Box<Self> {
        Box::new(Self {
            operation,
            // Waiting makes no room: that takes a higher limit, or a settlement of what is at risk.
            course: course.held(None, false),
            budget,
        })
    }

    /// The operation that was to be called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// What was asked of the budget, and what it had.
    pub fn budget(&self) -> &BudgetError {
        &self.budget
    }
}

/// The store of the client's [account](crate::account) cannot be asked. This attempt was not made; earlier ones of the same call may have been.
#[derive(Debug, thiserror::Error)]
#[error("{operation} was not sent{}: the store of the account cannot be asked: {cause}", again(.course))]
pub struct AccountUnavailable {
    operation: &'static Operation,
    pub(crate) course: CallHistory,
    cause: StoreError,
}

impl AccountUnavailable {
    pub(crate) fn new(
        operation: &'static Operation,
        course: CallHistory,
        cause: StoreError,
    ) -> Box<Self> {
        Box::new(Self {
            operation,
            course: course.held(None, true),
            cause,
        })
    }

    /// The operation that was to be called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Why the store cannot be asked.
    pub fn store_error(&self) -> &StoreError {
        &self.cause
    }
}

/// The client is rate limited for longer than the call may wait, or its deadline passed while it waited for its turn. This attempt was not
/// made; earlier ones of the same call may have been.
#[derive(Debug, thiserror::Error)]
#[error("{operation} was not sent{}: {}", again(.course), Reason(*delay, *at))]
pub struct DeadlineExceeded {
    operation: &'static Operation,
    pub(crate) course: CallHistory,
    delay: Delay,
    at: SystemTime,
}

impl DeadlineExceeded {
    pub(crate) fn new(
        operation: &'static Operation,
        course: CallHistory,
        delay: Delay,
    ) -> Box<Self> {
        let hint = match delay {
            Delay::CoolDown(pause) if !pause.is_zero() => Some(pause),
            _ => None,
        };
        Box::new(Self {
            operation,
            course: course.held(hint, true),
            delay,
            at: SystemTime::now(),
        })
    }

    /// The operation that was to be called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// When the cool-down ends that the service asked for; `None` when the call waited for something else.
    ///
    /// [`Client::end_cool_down`](crate::Client::end_cool_down) ends it earlier.
    pub fn rate_limited_until(&self) -> Option<SystemTime> {
        match self.delay {
            Delay::CoolDown(pause) if !pause.is_zero() => self.at.checked_add(pause),
            Delay::CoolDown(_) | Delay::Place | Delay::Budget | Delay::Token | Delay::Deadline => {
                None
            }
        }
    }
}

/// A call that was not sent is taken for one that cost nothing.
fn again(course: &CallHistory) -> &'static str {
    match course.attempts {
        0 => "",
        _ => " again",
    }
}

struct Reason(Delay, SystemTime);

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(delay, at) = self;
        match delay {
            Delay::CoolDown(pause) if pause.is_zero() => {
                f.write_str("rate limited, and its deadline passed while another call looked whether that is over")
            }
            Delay::CoolDown(pause) => {
                let until = at.checked_add(*pause).unwrap_or(*at);
                // Rounded up: at the second that is named, it is over.
                let seconds = pause.saturating_add(Duration::from_millis(999)).as_secs();
                write!(
                    f,
                    "rate limited until {}, in {seconds} s",
                    httpdate::fmt_http_date(until)
                )
            }
            Delay::Place => f.write_str(
                "its deadline passed while it waited for a place among the calls in flight",
            ),
            Delay::Budget => {
                f.write_str("its deadline passed while it waited for room in the budget")
            }
            Delay::Token => f.write_str("its deadline passed while its token provider was asked"),
            Delay::Deadline => f.write_str("its deadline has passed"),
        }
    }
}

//! Billing status of calls, for responses and errors.

use generated_client::Error;
use generated_client::Response;
use generated_client::interceptor::Record;
use generated_client::response::{Attempt, Meta};
use generated_client::stream::ResponseStream;

#[cfg(feature = "redis")]
use crate::account::StoreError;
use crate::meter::charges::Charges;
use crate::meter::tariff::Tariff;
use crate::money::budget::BudgetError;
use crate::money::credits::Credits;
use crate::money::outcome::Outcome;
use crate::money::report::ReportedCharge;

/// Billing status of a call. Responses, errors and earlier attempts have it.
///
/// ```
/// use metered_client::prelude::*;
/// use metered_client::{Credits, Error, Outcome};
///
/// /// The cost of a failed call at least, for the bill of a customer.
/// fn cost(error: &Error) -> Credits {
///     match error.outcome() {
///         Outcome::Charged(credits) => credits,
///         _ => Credits::ZERO, // nothing, or at risk until it is settled
///     }
/// }
/// # let error = Error::from(metered_client::error::ConfigurationError::UserAgent);
/// # assert_eq!(cost(&error), Credits::ZERO);
/// ```
pub trait Charged {
    /// Returns the record of the call.
    #[doc(hidden)]
    fn billed(&self) -> Option<&Record>;

    /// Returns the billing status of the call, summed over all attempts; for an [`Attempt`], that of this attempt. For errors of paging and
    /// waiting, it is that of the last call.
    fn outcome(&self) -> Outcome {
        charges(self.billed()).map_or(Outcome::NotSent, |charges| charges.outcome)
    }

    /// Returns whether repeating the call could be a second charge.
    fn may_have_been_charged(&self) -> bool {
        self.outcome().may_have_been_charged()
    }

    /// Returns the charge that the body reports; `None` without a report.
    fn reported_charge(&self) -> Option<Credits> {
        charges(self.billed())?.reported
    }

    /// Settles the credits that the call has at risk: its attempts that are still at risk were charged this much in total, or nothing.
    /// Returns `false` if none is at risk any more.
    ///
    /// The amount comes from the provider's account, or from the contract. [`Budget::at_risk`](crate::Budget::at_risk) lists the calls of all
    /// responses and errors.
    fn settle(&self, charged: Credits) -> bool {
        charges(self.billed()).is_some_and(|charges| charges.settle(charged))
    }
}

/// Why a call was refused.
pub trait MeteredError {
    /// Returns the requested amount, and the state of the budget; `None` if no budget refused the call.
    ///
    /// Waiting does not help. [`Budget::raise`](crate::Budget::raise) raises the limit, and [`Budget::settle`](crate::Budget::settle)
    /// settles calls at risk; for an account, `Account::raise` and `Account::settle`.
    fn budget(&self) -> Option<&BudgetError>;

    /// Returns the error of the account's store; `None` if the call failed for another reason. Nothing was sent.
    #[cfg(feature = "redis")]
    fn account_unavailable(&self) -> Option<&StoreError>;
}

impl MeteredError for Error {
    fn budget(&self) -> Option<&BudgetError> {
        cause(self)?.downcast_ref()
    }

    #[cfg(feature = "redis")]
    fn account_unavailable(&self) -> Option<&StoreError> {
        cause(self)?.downcast_ref()
    }
}

/// Returns the reason why the call was refused.
fn cause(error: &Error) -> Option<&(dyn std::error::Error + Send + Sync + 'static)> {
    match error.of_call() {
        Error::Refused(refused) => Some(refused.cause()),
        _ => None,
    }
}

fn charges(record: Option<&Record>) -> Option<&Charges> {
    record.and_then(Charges::of)
}

impl Charged for Error {
    fn billed(&self) -> Option<&Record> {
        self.record()
    }
}

impl Charged for Meta {
    fn billed(&self) -> Option<&Record> {
        self.record()
    }
}

impl<T> Charged for Response<T> {
    fn billed(&self) -> Option<&Record> {
        self.meta.record()
    }

    /// A body that was [read from bytes](Response::from_bytes) reports it too.
    fn reported_charge(&self) -> Option<Credits> {
        if self.meta.record().is_some() {
            return self.meta.reported_charge();
        }
        let member = Tariff::of(self.operation()).charge?;
        ReportedCharge::read(&self.raw, member).credits()
    }
}

impl<T> Charged for ResponseStream<T> {
    fn billed(&self) -> Option<&Record> {
        self.meta.record()
    }
}

/// An attempt is settled with its call.
impl Charged for Attempt {
    fn billed(&self) -> Option<&Record> {
        self.record()
    }

    fn outcome(&self) -> Outcome {
        charges(self.record()).map_or(Outcome::NotSent, |charges| charges.last)
    }
}

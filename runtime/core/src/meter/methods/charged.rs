//! Billing status of calls, for responses and errors.

#[cfg(feature = "redis")]
use crate::account::StoreError;
use crate::document::tariff::Tariff;
use crate::error::Error;
use crate::interceptor::Record;
use crate::meter::charges::Charges;
use crate::money::budget::BudgetError;
use crate::money::credits::Credits;
use crate::money::outcome::Outcome;
use crate::money::report::ReportedCharge;
use crate::response::response::Response;
use crate::response::{Attempt, Meta};
use crate::stream::ResponseStream;

/// Defines the methods about money of what ends a call, from the record of the call.
macro_rules! charged {
    ([$($generics:tt)*] $type:ty, $self:ident => $record:expr, $outcome:expr, $reported:expr) => {
        /// Billing status.
        impl<$($generics)*> $type {
            /// Returns the billing status of the call, summed over all attempts; for an [`Attempt`], that of this attempt. For errors of paging
            /// and waiting, it is that of the last call.
            pub fn outcome(&$self) -> Outcome {
                charges($record).map_or(Outcome::NotSent, $outcome)
            }

            /// Returns whether repeating the call could be a second charge.
            pub fn may_have_been_charged(&$self) -> bool {
                $self.outcome().may_have_been_charged()
            }

            /// Returns the charge that the body reports; `None` without a report. A body that was
            /// [read from bytes](Response::from_bytes) reports it too.
            pub fn reported_charge(&$self) -> Option<Credits> {
                $reported
            }

            /// Settles the credits that the call has at risk: its attempts that are still at risk were charged this much in total, or nothing.
            /// Returns `false` if none is at risk any more.
            ///
            /// The amount comes from the provider's account, or from the contract. [`Budget::at_risk`](crate::Budget::at_risk) lists the calls
            /// of all responses and errors.
            pub fn settle(&$self, charged: Credits) -> bool {
                charges($record).is_some_and(|charges| charges.settle(charged))
            }
        }
    };
    ([$($generics:tt)*] $type:ty, $self:ident => $record:expr) => {
        charged!([$($generics)*] $type, $self => $record, |charges| charges.outcome, charges($record)?.reported);
    };
}

charged!([] Error, self => self.record());
charged!([] Meta, self => self.record());
charged!([T] Response<T>, self => self.meta.record(), |charges| charges.outcome, self.report());
charged!([T] ResponseStream<T>, self => self.meta.record());
// An attempt is settled with its call.
charged!([] Attempt, self => self.record(), |charges| charges.last, charges(self.record())?.reported);

impl<T> Response<T> {
    fn report(&self) -> Option<Credits> {
        if self.meta.record().is_some() {
            return self.meta.reported_charge();
        }
        let member = Tariff::of(self.operation()).charge?;
        ReportedCharge::read(&self.raw, member).credits()
    }
}

/// Why a call was refused.
///
/// ```
/// use generated_client::{Credits, Error, Outcome};
///
/// /// The cost of a failed call at least, for the bill of a customer.
/// fn cost(error: &Error) -> Credits {
///     match error.outcome() {
///         Outcome::Charged(credits) => credits,
///         _ => Credits::ZERO, // nothing, or at risk until it is settled
///     }
/// }
/// # let error = Error::from(generated_client::error::ConfigurationError::NoRuntime);
/// # assert_eq!(cost(&error), Credits::ZERO);
/// ```
impl Error {
    /// Returns the requested amount, and the state of the budget; `None` if no budget refused the call.
    ///
    /// Waiting does not help. [`Budget::raise`](crate::Budget::raise) raises the limit, and [`Budget::settle`](crate::Budget::settle)
    /// settles calls at risk; for an account, `Account::raise` and `Account::settle`.
    ///
    /// ```
    /// use generated_client::Error;
    /// use generated_client::error::BudgetError;
    ///
    /// fn advice(error: &Error) -> Option<String> {
    ///     let refused: &BudgetError = error.budget()?;
    ///     Some(format!("{} of {} credits are left", refused.left(), refused.limit))
    /// }
    /// ```
    pub fn budget(&self) -> Option<&BudgetError> {
        cause(self)?.downcast_ref()
    }

    /// Returns the error of the account's store; `None` if the call failed for another reason. Nothing was sent.
    #[cfg(feature = "redis")]
    pub fn account_unavailable(&self) -> Option<&StoreError> {
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

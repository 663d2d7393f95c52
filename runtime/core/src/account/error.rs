//! Errors of a store and of opening an account.

use std::fmt;
use std::time::Duration;

use crate::money::budget::{AtRiskId, CallLabel};
use crate::money::credits::Credits;

/// A step of a store failed. It is unknown whether the step was done, unless the message says so.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the store of the account failed: {message}")]
pub struct StoreError {
    message: String,
    /// True if the store was reached, and its data forbids the call.
    is_refusal: bool,
}

impl StoreError {
    /// Returns an error with this message. It must hold no secret.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            is_refusal: false,
        }
    }

    /// Returns an error of an available store.
    pub(super) fn refusal(message: impl Into<String>) -> Self {
        Self {
            is_refusal: true,
            ..Self::new(message)
        }
    }

    /// Returns whether the store was unavailable, so that its decision is unknown.
    pub(super) fn is_outage(&self) -> bool {
        !self.is_refusal
    }

    /// Returns the error for a lost account: nothing may be spent without a limit.
    pub(super) fn gone() -> Self {
        Self::refusal(
            "the store has lost the account: check what was spent, and set the limit again, as for a new account",
        )
    }
}

/// Why an account cannot be opened.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The store failed.
    #[error("{0}")]
    Store(StoreError),
    /// The account has another limit already.
    #[error(
        "`{name}` has a limit of {has} credits, not {wanted}: leave the limit out to take the one that it has, and change it with \
         `Account::raise`"
    )]
    OtherLimit {
        /// The account, or the scope of it.
        name: String,
        /// Its limit.
        has: Credits,
        /// The limit that was requested.
        wanted: Credits,
    },
    /// There is no such account, and no limit was given for a new one.
    #[error(
        "the store has no account `{0}`: set its limit once, with `AccountBuilder::limit` or `--set-limit` of the command line; if it had one, the \
         store has lost what was spent, so look at the provider's account first"
    )]
    Absent(String),
    /// The limit is larger than a store can count exactly.
    #[error("a limit can be at most {most} credits in a store, not {limit}")]
    TooLarge {
        /// The limit.
        limit: Credits,
        /// The largest one.
        most: Credits,
    },
    /// A name that cannot be part of a key.
    #[error(
        "`{0}` cannot be the name of an account or a scope: 1 to 100 letters, digits and `-_.:` are possible"
    )]
    Name(String),
    /// Settings that contradict one another.
    #[error("{0}")]
    Settings(&'static str),
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A reservation of this process whose cost the account does not know yet.
///
/// [`FlushError`] lists them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unsettled {
    /// The id that it has in [`Account::at_risk`](super::Account::at_risk) after its lease has ended.
    pub id: AtRiskId,
    /// The call; without an operation for the settlement of a call at risk.
    pub call: CallLabel,
}

impl Unsettled {
    pub(super) fn new(id: &AtRiskId, call: &CallLabel) -> Self {
        Self {
            id: *id,
            call: call.clone(),
        }
    }
}

/// The operation, the attempt and the id.
impl fmt::Display for Unsettled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CallLabel {
            operation, attempt, ..
        } = &self.call;
        match &**operation {
            "" => write!(f, "reservation {}", self.id),
            operation => write!(f, "{operation}, attempt {attempt}, reservation {}", self.id),
        }
    }
}

/// The account does not know the cost of some calls of this process yet.
#[derive(Debug, Clone, thiserror::Error)]
#[error(
    "the account `{account}` does not know after {within:?} what {} of this process cost, beginning with {}: call `flush` again to wait \
     longer, or settle them when they are at risk",
    Calls(left.len()), First(left)
)]
#[non_exhaustive]
pub struct FlushError {
    /// The name of the account.
    pub account: String,
    /// How long `flush` was to wait.
    pub within: Duration,
    /// Pending work, oldest first: calls in flight, and settlements that have not reached the store.
    pub left: Vec<Unsettled>,
}

struct Calls(usize);

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 reservation"),
            calls => write!(f, "{calls} reservations"),
        }
    }
}

struct First<'a>(&'a [Unsettled]);

impl fmt::Display for First<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.first().map_or(Ok(()), |first| first.fmt(f))
    }
}

//! Errors of a store and of opening an account.

use std::time::Duration;

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

/// The account does not know the cost of some calls of this process yet.
#[derive(Debug, Clone, thiserror::Error)]
#[error(
    "the account `{account}` does not know after {within:?} what {} of this process cost: call `flush` again to wait longer, or settle them \
     when they are at risk",
    calls(*left)
)]
#[non_exhaustive]
pub struct FlushError {
    /// The name of the account.
    pub account: String,
    /// How long `flush` was to wait.
    pub within: Duration,
    /// How many calls are in flight, or have a settlement that did not reach the store. After its lease,
    /// [`Account::at_risk`](super::Account::at_risk) lists such a call.
    pub left: usize,
}

fn calls(left: usize) -> String {
    match left {
        1 => "1 call".to_owned(),
        left => format!("{left} calls"),
    }
}

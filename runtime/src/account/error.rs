//! Errors of a store and of opening an account.

use crate::money::credits::Credits;

/// A step of a store failed. It is unknown whether the step was done, unless the message says so.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct StoreError {
    message: String,
}

impl StoreError {
    /// An error with this message. It must hold no secret.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }

    /// Without a limit nothing may be spent.
    pub(super) fn gone() -> Self {
        Self::new(
            "the store has lost the account: look at what was spent, and open it again with a limit",
        )
    }
}

/// Why an account cannot be opened.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The store cannot be asked.
    #[error("the store of the account cannot be asked: {0}")]
    Store(#[from] StoreError),
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
        /// What was asked for.
        wanted: Credits,
    },
    /// There is no such account, and no limit was given for a new one.
    #[error("there is no account `{0}` in the store: give a limit to open a new one")]
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

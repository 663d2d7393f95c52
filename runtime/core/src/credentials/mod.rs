//! The credentials of a client: what callers give, the selection for a call, and their places in a request.

pub(crate) mod attempt;
pub(crate) mod credential;
mod guard;
mod header;
mod part;
#[cfg(feature = "tokens")]
mod refresh;
pub(crate) mod store;
#[cfg(feature = "tokens")]
pub(crate) mod token;

pub use credential::Credential;
#[cfg(feature = "tokens")]
pub use token::{Token, TokenProvider, TokenReason};

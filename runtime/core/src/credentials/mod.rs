//! The credentials of a client: what callers give, the selection for a call, and their places in a request.

pub(crate) mod attempt;
pub(crate) mod credential;
mod guard;
mod header;
mod refresh;
pub(crate) mod store;
pub(crate) mod token;

pub use credential::Credential;
pub use token::{Token, TokenProvider, TokenReason};

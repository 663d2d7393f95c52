//! The credentials of a client: what callers give, the selection for a call, and their places in a request.

pub(crate) mod credential;
pub(crate) mod grant;
mod guard;
mod header;
mod refresh;
pub(crate) mod token;
pub(crate) mod wallet;

pub use credential::Credential;
pub use token::{Token, TokenProvider, TokenReason};

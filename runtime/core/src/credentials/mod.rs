//! The credentials of a client: what callers give, which of them a call takes along, and where in a request they travel.

pub(crate) mod credential;
pub(crate) mod grant;
mod guard;
mod header;
mod refresh;
pub(crate) mod token;
pub(crate) mod wallet;

pub use credential::Credential;
pub use token::{Token, TokenProvider, TokenReason};

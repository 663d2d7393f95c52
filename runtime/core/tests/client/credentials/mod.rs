//! Credentials of calls: how they are sent, how tokens are refreshed, and where operations with separate addresses are called.

mod providers;
mod schemes;
mod servers;
mod silence;
mod support;
mod token_service;
mod tokens;

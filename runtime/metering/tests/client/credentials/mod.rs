//! Which credentials a call takes along, where they travel, how tokens are refreshed, and where operations with addresses of their own are
//! called.

mod providers;
mod schemes;
mod servers;
mod silence;
mod support;
mod token_service;
mod tokens;

//! The client against real sockets: see `tests/`. The documentation tests are the Rust code of the README, which compiles as it stands there.

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

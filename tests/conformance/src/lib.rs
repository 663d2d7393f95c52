//! Tests of the client against real sockets: see `tests/`. The documentation tests are the Rust blocks of the README and of
//! the pages below `docs/`, which compile unchanged.

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/batches.md")]
pub struct Batches;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/budgets.md")]
pub struct Budgets;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/drift.md")]
pub struct Drift;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/pages.md")]
pub struct Pages;

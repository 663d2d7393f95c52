//! Reviewed lists of everything public in the crates that callers depend on: see `tests/`.

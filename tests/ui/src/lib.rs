//! Misuse of the client that must not compile: see `tests/`.

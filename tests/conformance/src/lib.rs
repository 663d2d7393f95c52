//! The client against real sockets: see `tests/`.

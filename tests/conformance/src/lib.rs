//! Tests of the client against real sockets: see `tests/`.

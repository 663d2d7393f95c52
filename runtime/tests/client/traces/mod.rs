//! What a client says in spans and events.

mod spans;
mod warnings;

//! What a client says in spans and events.

mod events;
mod spans;
mod warnings;

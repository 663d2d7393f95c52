//! What a client says in spans and events.

mod documented;
mod events;
mod spans;
mod warnings;

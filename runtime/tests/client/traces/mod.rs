//! What a client says in spans and events.

mod news;
mod spans;
mod warnings;

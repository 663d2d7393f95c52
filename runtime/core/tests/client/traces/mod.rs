//! Spans and events of a client.

mod documented;
mod events;
mod spans;
mod warnings;

//! Bodies that are read while they arrive: as chunks, as events, or line by line.

pub(crate) mod events;
pub(crate) mod json_lines;
mod lines;
mod origin;
mod parser;
mod pump;
pub(crate) mod response_stream;

pub use events::{Event, Events};
pub use json_lines::JsonLines;
pub use response_stream::ResponseStream;

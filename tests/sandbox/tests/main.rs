//! The programs of this package, as a person or another program runs them.

mod binary;
mod command_line;
mod examples;

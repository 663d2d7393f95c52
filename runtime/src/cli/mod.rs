//! The command line of a generated crate, with the feature `cli`: a table of its operations becomes a program.
//!
//! ```text
//! Program (generated: a table) ─▶ parser ─▶ Arguments ─▶ Call (generated: a function) ─▶ run
//!                                                                   records ─▶ output    journal ◀─ what is done and paid
//! ```
//!
//! A generated crate has `cli::main`, and a binary that calls it. What belongs to one operation is in the table: its name, its arguments and
//! the function that makes its builder. Everything else is here, once for all documents.

mod argument;
mod arguments;
mod call;
mod columns;
mod dry_run;
mod ended;
mod inputs;
mod journal;
mod output;
mod parser;
mod program;
mod progress;
mod run;
mod settings;
mod signals;
mod table;

pub use argument::{Argument, Kind};
pub use arguments::{Arguments, Refusal};
pub use call::Call;
pub use program::main;
pub use table::{Command, Does, Program};

//! The command line of a generated crate: a table of its operations becomes a program.
//!
//! ```text
//! Program (generated: a table) ─▶ parser ─▶ Arguments ─▶ Call (generated: a function) ─▶ run
//!                                                                   records ─▶ output    journal ◀─ what is done and paid
//! ```
//!
//! A generated crate has `cli::main`, and a binary that calls it. What belongs to one operation is in the table: its name, its arguments and
//! the function that makes its builder. Everything else is here, once for all documents.
//!
//! Generated code declares:
//!
//! ```
//! use generated_cli::{self as cli, Argument, Arguments, Call, Command, Does, Kind, Program, Refusal};
//! use generated_client::document::{Api, Operation, Shape};
//! use generated_client::request::Request;
//! use generated_client::Client;
//!
//! static API: Api = Api::new("example", "1.2.3", "EXAMPLE");
//! static GET_THING: Operation = Operation::get("getThing", "/v1/things/{id}");
//! static PROGRAM: Program = Program {
//!     api: &API,
//!     about: "A client of the Example API",
//!     commands: &[COMMANDS],
//! };
//! static COMMANDS: &[Command] = &[Command {
//!     handle: "",
//!     name: "get-thing",
//!     about: "Returns a thing.",
//!     note: "Price: not published.",
//!     method: "GET",
//!     arguments: &[Argument::new("id", "Which thing", Kind::Number).positional()],
//!     record: &Shape::Any,
//!     does: Does::Once,
//!     call: |client, arguments| {
//!         let mut request = Request::new(&GET_THING);
//!         request.path("id", &arguments.required::<u64>("id")?);
//!         Ok(Call::once(client, request))
//!     },
//! }];
//!
//! let dry = ["example", "get-thing", "7", "--dry-run", "--base-url", "http://localhost"];
//! assert_eq!(cli::main(&PROGRAM, dry), std::process::ExitCode::SUCCESS);
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "redis")]
mod account;
mod argument;
mod arguments;
mod blocking;
#[cfg(feature = "cache")]
mod cache;
mod call;
mod columns;
mod delivery;
mod dry_run;
mod ended;
mod extent;
#[cfg(not(feature = "metered"))]
mod free;
mod inputs;
mod list;
#[cfg(feature = "mcp")]
mod mcp;
#[cfg(feature = "metered")]
mod money;
mod notes;
mod options;
mod output;
mod parser;
#[cfg(feature = "metered")]
mod plan;
mod program;
mod progress;
mod report;
mod run;
mod said;
mod settings;
#[cfg(feature = "metered")]
mod settle;
mod signals;
#[cfg(feature = "cache")]
mod sqlite;
mod table;
mod target;
#[cfg(feature = "metered")]
#[cfg(test)]
mod tests;
mod visible;
#[cfg(feature = "cache")]
mod watch;

#[cfg(not(feature = "metered"))]
use free as money;

pub use argument::{Argument, Kind};
pub use arguments::{Arguments, Refusal};
pub use call::Call;
pub use program::main;
pub use table::{Command, Does, Program};

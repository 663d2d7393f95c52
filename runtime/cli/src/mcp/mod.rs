//! The server for agents: each operation is a tool of the Model Context Protocol.
//!
//! ```text
//! the table of operations ─▶ offered (tools, schemas) ─▶ server ◀─ transport (standard input and output, or loopback)
//!                                                          │
//!                              given (arguments, checked) ─▶ session ─▶ call ─▶ the journal, then the result in parts
//! ```
//!
//! All calls of a server draw on one budget and one journal, whatever session they are of. A paid result is in the journal before its agent has
//! it, and can be read again for nothing, also after a restart. No argument names a file, and none has a credential.

#[cfg(feature = "redis")]
mod account;
mod answer;
mod call;
mod given;
mod history;
mod kept;
mod offered;
mod options;
mod own;
mod run;
mod server;
mod session;
mod slice;
mod transport;

pub(crate) use options::{command, name};
pub(crate) use run::run;

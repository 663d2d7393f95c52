//! The server for agents: each operation is a tool of the Model Context Protocol.
//!
//! ```text
//! the table of operations ─▶ offered (tools, schemas) ─▶ server ◀─ standard input and output
//!                                                          │
//!                              given (arguments, checked) ─▶ session ─▶ call ─▶ the journal, then the result in parts
//! ```
//!
//! All calls of a server share one budget and one journal. A paid result is in the journal before its agent has
//! it, and can be read again for free, also after a restart. No argument names a file or holds a credential.

mod answer;
mod call;
mod given;
#[cfg(feature = "metered")]
mod history;
mod kept;
#[cfg(feature = "metered")]
mod money;
mod offered;
mod options;
mod own;
#[cfg(feature = "metered")]
mod paid;
mod run;
mod server;
mod session;
mod slice;
#[cfg(feature = "metered")]
#[cfg(test)]
mod tests;

pub(crate) use options::{command, name};
pub(crate) use run::run;

//! A service that knows an API only by its document: it checks each request by the schemas, records it, and responds with the documented
//! example. It shares no code with the generator or the clients. The sandbox reads and checks its requests with it.
//!
//! ```text
//! document ─▶ Values ─▶ Given ─▶ Call (emitted) ─▶ client ─▶ socket ─▶ Service ─▶ Received ─▶ compared with Given
//! ```

pub use calls::{Call, Given, Made, Read, Refusal, Sending, again, listing, sending};
pub use document::{Document, Operation};
pub use request::{Received, read};
pub use run::{main, run};
pub use schema::{Violation, undeclared, violations};
pub use serve::{Behavior, serve, serve_on};
pub use service::Service;
pub use states::{Direction, Values};
pub use table::{Report, Row};
pub use types::Type;
pub use wire::typed;

mod calls;
mod compare;
mod document;
mod draw;
mod families;
mod list;
mod pages;
mod parameters;
mod request;
mod requests;
mod responses;
mod run;
mod scalars;
mod schema;
mod serve;
mod service;
mod states;
mod table;
mod types;
mod wire;

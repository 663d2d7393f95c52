//! What the emitters read of a document: [`Model`] and its parts. Nothing in here reads a document.

mod access;
mod body;
pub mod extensions;
mod formats;
mod groups;
mod kinds;
mod model;
mod operation;
mod pages;
mod presence;
mod schema;
mod variants;
mod waits;
mod ways;
mod webhooks;

pub use access::{Auth, Carrier, Scheme, Security, Server, Servers, Variable};
pub use body::{Body, BodyKind, Content, Encoding, OtherResponse, Output, Style};
pub use formats::TextFormat;
pub use groups::Group;
pub use kinds::kind;
pub use model::{Conversion, Model};
pub use operation::{Constraints, Operation, Parameter, ParameterType, Place};
pub use pages::{Branch, Hop, Pages};
pub use presence::Presence;
pub use presence::{OPTIONAL, always_there};
pub use schema::{ANY_TEXT, field_name, reference};
pub use schema::{Envelope, Schema, Tag, Usage};
pub use variants::variants;
pub use waits::{Submission, Waits};
pub use ways::properties;
pub use webhooks::GROUP as WEBHOOKS;
pub use webhooks::Webhook;

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
pub(crate) use kinds::kind;
pub use model::{Conversion, LeftOut, Model};
pub use operation::{Constraints, Operation, Parameter, ParameterType, Place};
pub use pages::{Branch, Hop, Pages};
pub use presence::Presence;
pub(crate) use presence::{OPTIONAL, always_there};
pub(crate) use schema::{ANY_TEXT, field_name, reference};
pub use schema::{Envelope, Schema, Tag, Usage};
pub(crate) use variants::variants;
pub use waits::{Submission, Waits};
pub(crate) use ways::properties;
pub(crate) use webhooks::GROUP as WEBHOOKS;
pub use webhooks::Webhook;

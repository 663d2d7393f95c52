//! What the emitters read of a document: [`Model`] and its parts. Nothing in here reads a document.

mod access;
mod aliases;
mod body;
mod bounds;
mod constraints;
pub mod extensions;
mod groups;
mod kinds;
mod model;
mod operation;
mod pages;
mod place;
mod presence;
mod runtime_types;
mod schema;
mod variants;
mod waits;
mod ways;
mod webhooks;

pub use access::{Auth, Carrier, Scheme, Security, Server, Servers, Variable};
pub use aliases::Aliases;
pub use body::{Body, BodyKind, Content, Encoding, OtherResponse, Output, Style};
pub use bounds::Constraints;
pub use groups::Group;
pub use kinds::kind;
pub use model::{Conversion, Model};
pub use operation::{Location, Operation, Parameter, ParameterType};
pub use pages::{Branch, Hop, Pages};
pub use place::{Object, Others, Place, Property, Scalar, Shape, Tag};
pub use presence::Presence;
pub use runtime_types::{Absent, Form, RUNTIME_TYPES, RuntimeType, runtime_type};
pub use schema::{Envelope, Schema, Usage};
pub use variants::variants;
pub use waits::{Submission, Waits};
pub use webhooks::GROUP as WEBHOOKS;
pub use webhooks::Webhook;

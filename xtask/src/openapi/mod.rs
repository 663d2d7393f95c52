//! What an OpenAPI 3.0 document says, as the generator needs it.
//! Works on JSON values with pointers; [`Model`] is what the emitters read.

mod reader;
mod resolve;
mod vocabulary;

pub(crate) use reader::{constraints, is_file};
pub use reader::{read, says_the_same, type_names};
pub use resolve::{METHODS, resolve};
pub(crate) use vocabulary::{
    ANY_TEXT, OPTIONAL, WEBHOOKS, always_there, field_name, kind, properties, reference, variants,
};
pub use vocabulary::{
    Auth, Body, BodyKind, Branch, Carrier, Constraints, Content, Conversion, Encoding, Envelope,
    Group, Hop, LeftOut, Model, Operation, OtherResponse, Output, Pages, Parameter, ParameterType,
    Place, Presence, Schema, Scheme, Security, Server, Servers, Style, Submission, Tag, TextFormat,
    Usage, Variable, Waits, Webhook, extensions,
};

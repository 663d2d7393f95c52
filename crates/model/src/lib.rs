//! What an OpenAPI 3.0 document says, as the generator needs it.
//! Works on JSON values with pointers; [`Model`] is what the emitters read.

pub mod names;
mod reader;
mod vocabulary;

pub use openapi_schemas::LeftOut;
pub use reader::{constraints, is_file};
pub use reader::{read, says_the_same, type_names};
pub use vocabulary::{
    ANY_TEXT, OPTIONAL, WEBHOOKS, always_there, field_name, kind, properties, reference, variants,
};
pub use vocabulary::{
    Auth, Body, BodyKind, Branch, Carrier, Constraints, Content, Conversion, Encoding, Envelope,
    Group, Hop, Model, Operation, OtherResponse, Output, Pages, Parameter, ParameterType, Place,
    Presence, Schema, Scheme, Security, Server, Servers, Style, Submission, Tag, TextFormat, Usage,
    Variable, Waits, Webhook, extensions,
};

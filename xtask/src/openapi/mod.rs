//! What an OpenAPI 3.0 document says, as the generator needs it.
//! Works on JSON values with pointers; [`Model`] is what the emitters read.

mod reader;
mod resolve;
mod vocabulary;

pub use reader::{read, says_the_same, type_names};
pub use resolve::{METHODS, resolve};
pub use vocabulary::{
    Aliases, Auth, Body, BodyKind, Branch, Carrier, Constraints, Content, Conversion, Encoding,
    Envelope, Group, Hop, LeftOut, Location, Model, Object, Operation, OtherResponse, Others,
    Output, Pages, Parameter, ParameterType, Place, Presence, Property, Scalar, Schema, Scheme,
    Security, Server, Servers, Shape, Style, Submission, Tag, TextFormat, Usage, Variable, Waits,
    Webhook, extensions,
};
pub(crate) use vocabulary::{WEBHOOKS, kind, variants};

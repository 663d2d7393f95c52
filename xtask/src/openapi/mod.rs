//! What an OpenAPI 3.0 document says, as the generator needs it.
//! Works on JSON values with pointers; [`Model`] is what the emitters read.

mod reader;
mod resolve;
mod vocabulary;

pub(crate) use reader::constraints;
pub use reader::read;
pub use resolve::{METHODS, resolve};
pub(crate) use vocabulary::{ANY_TEXT, field_name, properties, reference, variants};
pub use vocabulary::{
    Auth, Body, Branch, Carrier, Constraints, Conversion, Envelope, Hop, LeftOut, Model, Operation,
    Pages, Parameter, ParameterType, Place, Schema, Scheme, Security, Server, Servers, Submission,
    Tag, Usage, Variable, Waits, extensions,
};

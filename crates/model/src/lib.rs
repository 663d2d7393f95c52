//! The content of an OpenAPI 3.0 document, in the form that the generator needs. Reads JSON values with pointers; [`Model`] is the input of
//! the emitters.

pub mod names;
mod reader;
mod vocabulary;

pub use openapi_schemas::LeftOut;
pub use reader::{
    has_names_of_tags, operation_ids, read, says_the_same, tag_name, tag_of, type_names,
    with_any_webhook, without_tails,
};
pub use vocabulary::{
    Absent, Aliases, Auth, Body, BodyKind, Branch, Carrier, Constraints, Content, Conversion,
    Detection, Encoding, Envelope, EventForm, Form, Group, Handle, Hmac, Integer, Key, LOSSES,
    Label, Location, Loss, Model, Object, Operation, OtherResponse, Others, Output, PageSource,
    PageStyle, PageTarget, Pages, Parameter, ParameterType, PathMember, Place, Presence, Property,
    RUNTIME_TYPES, RuntimeType, Scalar, Schema, Scheme, Security, Server, Servers, Shape,
    Signature, Standard, States, StreamItems, Style, Submission, Subset, Tag, TextFormat, Usage,
    Variable, WEBHOOKS, Waits, Webhook, extensions, kind, runtime_type, sent_default, variants,
};

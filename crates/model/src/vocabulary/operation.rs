//! An operation and its parts, as the emitters read them.

use serde_json::Value;

use super::body::{Body, Content, OtherResponse, Output, Style};
use super::bounds::Constraints;
use super::extensions::{Idempotency, Pagination, Price, Waiter};
use super::integer::Integer;
use super::place::Place;
use super::runtime_types::RuntimeType;
use super::streams::StreamItems;
use crate::names;

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `operationId`, or its replacement.
    pub id: String,
    /// The id for callers, in settings, errors, traces and drift reports: that of an override, or the id.
    pub known_as: String,
    /// Its method, and its command.
    pub rust_name: String,
    /// The Rust type of its builder.
    pub type_name: String,
    /// The name of the handle with its method; `None` for a method of the client.
    pub handle: Option<String>,
    /// The first tag that Rust could have in a name.
    pub tag: Option<String>,
    /// The module of its builder: that of the tag; `None` for an operation without one.
    pub module: Option<String>,
    /// The name of its group; `None` when it is always there.
    pub group: Option<String>,
    /// Its location in the document.
    pub pointer: String,
    /// HTTP method, in its sent form.
    pub method: String,
    /// Path template.
    pub path: String,
    /// `summary` and `description`.
    pub text: Vec<String>,
    /// True if the provider deprecates it.
    pub is_deprecated: bool,
    /// Parameters in the order of the document.
    pub parameters: Vec<Parameter>,
    /// The bodies that the operation takes, one for each schema: the best to send first.
    pub bodies: Vec<Body>,
    /// The argument or setter of the body.
    pub body_name: String,
    /// The form of the success response.
    pub output: Output,
    /// The media types that the client requests, unless that is just `application/json`.
    pub accept: Option<String>,
    /// The media types of success responses that are not JSON, which a client requests to read a stream; `None` without any.
    pub streamed: Option<String>,
    /// The items of the stream, if the document describes them.
    pub stream_items: Option<StreamItems>,
    /// The location of the success response.
    pub success_pointer: String,
    /// Documented error responses.
    pub other_responses: Vec<OtherResponse>,
    /// `x-pagination`.
    pub pagination: Option<Pagination>,
    /// `x-waiter`.
    pub waiter: Option<Waiter>,
    /// `x-credits`; empty when no price is known.
    pub prices: Vec<Price>,
    /// `x-credits-by`: the query parameters that a price may depend on, instead of the default ones.
    pub credits_by: Option<Vec<String>>,
    /// `x-fresh-for`: for how many seconds a stored response may be used again; zero if none may.
    pub fresh_for: Option<u64>,
}

impl Operation {
    /// The call on a client, without arguments: `issues().list_issues` or `list_issues`.
    pub fn call(&self) -> String {
        match &self.handle {
            Some(handle) => format!("{handle}().{}", self.rust_name),
            None => self.rust_name.clone(),
        }
    }

    /// A parameter by its name on the wire.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters
            .iter()
            .find(|parameter| parameter.name == name)
    }

    /// The schemas that a caller sends: those of bodies, and of parameters that are no plain values.
    pub fn sent(&self) -> impl Iterator<Item = &Place> {
        let parameters = self.parameters.iter().map(|parameter| &parameter.schema);
        let bodies = self.bodies.iter();
        bodies.map(|body| &body.schema).chain(parameters)
    }

    /// The schemas that the service sends, those of error responses and of items of streams among them.
    pub fn received(&self) -> impl Iterator<Item = &Place> {
        let others = self.other_responses.iter();
        self.successes()
            .chain(others.filter_map(|other| other.schema.as_ref()))
            .chain(self.stream_items.iter().map(|items| &items.schema))
    }

    /// The schema of the success response. `None` when it is not JSON, or another one by status code.
    pub fn success(&self) -> Option<&Place> {
        match &self.output {
            Output::One(content) => content.schema(),
            Output::ByStatus(_) => None,
        }
    }

    /// The schemas of success responses.
    pub fn successes(&self) -> impl Iterator<Item = &Place> {
        self.contents().filter_map(Content::schema)
    }

    /// The bodies of success responses.
    pub fn contents(&self) -> impl Iterator<Item = &Content> {
        let (one, several) = match &self.output {
            Output::One(content) => (Some(content), &[][..]),
            Output::ByStatus(contents) => (None, contents.as_slice()),
        };
        let several = several.iter().map(|(_, content)| content);
        one.into_iter().chain(several)
    }
}

/// The location of a parameter in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
    /// In the `Cookie` header.
    Cookie,
}

impl Location {
    /// Its name in a document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

/// One parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Name on the wire.
    pub name: String,
    /// Name of the argument or setter.
    pub rust_name: String,
    /// Its location in a request.
    pub location: Location,
    /// True if a request without it is refused.
    pub required: bool,
    /// Its type.
    pub kind: ParameterType,
    /// Its schema.
    pub schema: Place,
    /// Its serialization style, unless it is a plain value by its name.
    pub style: Option<Style>,
    /// Bounds that are checked before anything is sent.
    pub constraints: Constraints,
    /// The value that the service uses when it is left out.
    pub default: Option<Value>,
    /// An example value, for documentation.
    pub example: Option<Value>,
    /// `description`.
    pub text: Vec<String>,
    /// True if the provider deprecates it.
    pub is_deprecated: bool,
    /// Its idempotency key, if it takes one: the client makes a key where the caller gives none.
    pub idempotency: Option<Idempotency>,
    /// `x-canonical: website`: spellings of one website are equal.
    pub is_website: bool,
    /// Its location in the document, references followed.
    pub pointer: String,
}

impl Parameter {
    /// Returns an optional parameter that takes any string. The document does not describe it; `pointer` is that of its operation.
    pub fn undocumented(name: &str, location: Location, pointer: &str) -> Self {
        Self {
            name: name.to_owned(),
            rust_name: names::snake(name),
            location,
            required: false,
            kind: ParameterType::Text,
            schema: Place::default(),
            style: None,
            constraints: Constraints::default(),
            default: None,
            example: None,
            text: Vec::new(),
            is_deprecated: false,
            idempotency: None,
            is_website: false,
            pointer: pointer.to_owned(),
        }
    }

    /// Returns whether a link means it: by its name, or by its location and name, such as `path.id`.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || format!("{}.{}", self.location.name(), self.name) == name
    }
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// Any string.
    Text,
    /// A string of a format that the runtime has a type for.
    Formatted(&'static RuntimeType),
    /// A whole number.
    Integer(Integer),
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A generated type.
    Named(String),
    /// A list.
    List {
        /// Type of an element.
        item: Box<ParameterType>,
        /// The separator of the elements in one parameter; `None` if the parameter repeats.
        separator: Option<char>,
    },
    /// Anything else, by its schema: an object, a union, a list of lists, any JSON.
    Typed(Box<Place>),
    /// A file of a multipart body.
    File,
}

//! An operation and its parts, as the emitters read them.

use serde_json::Value;

use super::extensions::{Pagination, Price, Waiter};

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// `operationId`, or what stands in for it.
    pub id: String,
    /// The Rust method, and the module of its builder.
    pub rust_name: String,
    /// The Rust type of its builder.
    pub type_name: String,
    /// Where it stands in the document.
    pub pointer: String,
    /// Upper-case HTTP method.
    pub method: String,
    /// Path template.
    pub path: String,
    /// `summary` and `description`.
    pub text: Vec<String>,
    /// Parameters in the order of the document.
    pub parameters: Vec<Parameter>,
    /// The JSON body.
    pub body: Option<Body>,
    /// The success response's schema: a reference or a plain type. `None` when it has no body.
    pub success: Option<Value>,
    /// Where the success response stands.
    pub success_pointer: String,
    /// Documented error responses: status, description, pointer.
    pub other_responses: Vec<(String, String, String)>,
    /// `x-pagination`.
    pub pagination: Option<Pagination>,
    /// `x-waiter`.
    pub waiter: Option<Waiter>,
    /// `x-credits`; empty when no price is known.
    pub prices: Vec<Price>,
    /// `x-credits-by`: the query parameters that a price may depend on, where the rule for them does not do.
    pub credits_by: Option<Vec<String>>,
}

impl Operation {
    /// A parameter by its name on the wire.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters
            .iter()
            .find(|parameter| parameter.name == name)
    }
}

/// Where a parameter travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// In a header.
    Header,
}

/// One parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Name on the wire.
    pub name: String,
    /// Name of the argument or setter.
    pub rust_name: String,
    /// Where it travels.
    pub place: Place,
    /// Whether a request without it is refused.
    pub required: bool,
    /// Its type.
    pub kind: ParameterType,
    /// Bounds that are checked before anything is sent.
    pub constraints: Constraints,
    /// What the service takes when it is left out.
    pub default: Option<Value>,
    /// An example value, for documentation.
    pub example: Option<Value>,
    /// `description`.
    pub text: Vec<String>,
    /// Where it stands in the document, references followed.
    pub pointer: String,
}

impl Parameter {
    /// Whether a link means it: by its name, or by `path.id` where it says how the parameter travels.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let place = match self.place {
            Place::Path => "path",
            Place::Query => "query",
            Place::Header => "header",
        };
        self.name == name || format!("{place}.{}", self.name) == name
    }
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// Any text.
    Text,
    /// A whole number; unsigned when the document's minimum is zero or more.
    Integer {
        /// Whether negative numbers are possible.
        signed: bool,
    },
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
        /// What stands between the elements in one parameter; `None` when the parameter repeats.
        separator: Option<char>,
    },
}

/// Bounds of a parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// Least value.
    pub minimum: Option<serde_json::Number>,
    /// Greatest value.
    pub maximum: Option<serde_json::Number>,
    /// Least number of characters.
    pub min_length: Option<u64>,
    /// Greatest number of characters.
    pub max_length: Option<u64>,
}

/// A JSON request body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its schema: a reference or a plain type.
    pub schema: Value,
    /// Whether the operation insists on it.
    pub required: bool,
    /// Where it stands.
    pub pointer: String,
}

//! An operation of the document, as the sandbox serves it.

use axum::http::Method;
use company_intel::Credits;
use serde_json::Value;

use crate::paging::Paging;

/// Member with the cost of a response.
pub(crate) const PRICE: &str = "credits_consumed";

pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) method: Method,
    /// Path as documented, with or without a slash at its end.
    pub(crate) path: String,
    pub(crate) parameters: Vec<Parameter>,
    /// Schema of the JSON body, if there is one.
    pub(crate) body: Option<Value>,
    /// Schema of the JSON response, if there is one.
    pub(crate) response: Option<Value>,
    pub(crate) prices: Vec<Price>,
    pub(crate) paging: Option<Paging>,
}

pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) required: bool,
    /// True if several values are joined by commas instead of repeated.
    pub(crate) joined: bool,
    pub(crate) schema: Value,
}

/// Place of a parameter in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Header,
}

/// One entry of `x-credits`.
pub(crate) struct Price {
    pub(crate) credits: Credits,
    /// Parameters, and whether they must be given for this price to apply.
    pub(crate) when: Vec<(String, bool)>,
}

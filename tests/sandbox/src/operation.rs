//! An operation of the document, as the sandbox serves it.

use axum::http::Method;
use company_intel::Credits;
use serde_json::Value;

pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) method: Method,
    /// Without a slash at its end.
    pub(crate) path: String,
    pub(crate) parameters: Vec<Parameter>,
    /// Schema of the JSON body, when there is one.
    pub(crate) body: Option<Value>,
    pub(crate) prices: Vec<Price>,
    pub(crate) paging: Option<Paging>,
}

pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) in_path: bool,
    pub(crate) required: bool,
    /// Several values come joined by commas, not repeated.
    pub(crate) joined: bool,
    pub(crate) schema: Value,
}

/// The names of the parameters that page; the response echoes both.
pub(crate) struct Paging {
    pub(crate) limit: String,
    pub(crate) offset: String,
}

/// One entry of `x-credits`.
pub(crate) struct Price {
    pub(crate) credits: Credits,
    /// Parameters, and whether they must be given for this price to hold.
    pub(crate) when: Vec<(String, bool)>,
}

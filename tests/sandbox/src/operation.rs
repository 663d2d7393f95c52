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
    /// Parameter objects, without references.
    pub(crate) parameters: Vec<Value>,
    /// Schema of the JSON body, if there is one.
    pub(crate) body: Option<Value>,
    /// Schema of the JSON response, if there is one.
    pub(crate) response: Option<Value>,
    pub(crate) prices: Vec<Price>,
    pub(crate) paging: Option<Paging>,
}

/// One entry of `x-credits`.
pub(crate) struct Price {
    pub(crate) credits: Credits,
    /// Parameters, and whether they must be given for this price to apply.
    pub(crate) when: Vec<(String, bool)>,
}

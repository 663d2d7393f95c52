//! The calls of a sandbox, for logs and for the page.

use std::collections::VecDeque;

use company_intel::Credits;
use serde_json::{Value, json};

/// Number of calls that are kept.
const LATEST: usize = 100;

/// A call with its response, for logging.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Call {
    /// Method, such as `GET`.
    pub method: String,
    /// Path, without the query.
    pub path: String,
    /// Status code of the response.
    pub status: u16,
    /// Billed credits.
    pub credits: Credits,
}

impl Call {
    /// Returns the call as a JSON object.
    pub fn to_json(&self) -> Value {
        let Self {
            method,
            path,
            status,
            credits,
        } = self;
        json!({ "method": method, "path": path, "status": status, "credits": credits })
    }
}

/// The latest calls, in order.
#[derive(Default)]
pub(crate) struct Latest(VecDeque<Call>);

impl Latest {
    pub(crate) fn add(&mut self, call: Call) {
        if self.0.len() == LATEST {
            self.0.pop_front();
        }
        self.0.push_back(call);
    }

    pub(crate) fn to_json(&self) -> Value {
        self.0.iter().map(Call::to_json).collect()
    }
}

//! The checked arguments of a call, with the document's defaults.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Bytes;
use axum::http::request::Parts;
use checked_tests::{read, typed, undeclared};
use serde_json::Value;

use crate::document::{Document, Found};
use crate::paging::Page;
use crate::refusal::Refusal;

/// The arguments of one call.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    values: BTreeMap<String, Value>,
    given: BTreeSet<String>,
    /// The limit and offset to apply, if the operation is paged.
    pub(crate) page: Option<Page>,
}

impl Arguments {
    /// Reads the arguments of a request. Stricter than the document in one point: a body has no undeclared member. Otherwise misspelt names would
    /// pass.
    pub(crate) async fn read(
        document: &Document,
        found: &Found<'_>,
        head: &Parts,
        body: Bytes,
    ) -> Result<Self, Refusal> {
        let served = &document.served;
        let received = read(served, &found.served, &found.captured, head, body).await;
        let received = received.map_err(Refusal::arguments)?;
        let mut arguments = Self::default();
        for parameter in &found.operation.parameters {
            let text = |key: &str| parameter.get(key).and_then(Value::as_str);
            let name = text("name").unwrap_or_default().to_owned();
            let place = text("in").unwrap_or_default().to_owned();
            let schema = parameter.get("schema").unwrap_or(&Value::Null);
            if let Some(given) = received.parameters.get(&(place, name.clone())) {
                let value = typed(served, schema, given);
                arguments.given.insert(name.clone());
                arguments.values.insert(name, value);
            } else if let Some(default) = served.flat(schema, 8).get("default") {
                arguments.values.insert(name, default.clone());
            }
        }
        if let (Some(schema), Value::Object(body)) = (&found.operation.body, &received.body) {
            let unknown = undeclared(served, schema, &received.body, "body");
            if !unknown.is_empty() {
                return Err(Refusal::arguments(unknown));
            }
            arguments.values.extend(body.clone());
        }
        let paging = found.operation.paging.as_ref();
        let number = |name: &str| arguments.values.get(name).and_then(Value::as_u64);
        arguments.page = paging.map(|paging| paging.page(number));
        Ok(arguments)
    }

    /// Returns arguments without a page, so that all records are returned.
    pub(crate) fn sample<const N: usize>(values: [(&str, Value); N]) -> Self {
        let values = values.map(|(name, value)| (name.to_owned(), value));
        Self {
            given: values.iter().map(|(name, _)| name.clone()).collect(),
            values: values.into(),
            page: None,
        }
    }

    /// Returns whether the caller gave the parameter; a default does not count.
    pub(crate) fn is_given(&self, name: &str) -> bool {
        self.given.contains(name)
    }

    /// Returns a string argument, or an empty string without one: required arguments have been checked.
    pub(crate) fn text(&self, name: &str) -> &str {
        let value = self.values.get(name);
        value.and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.values.get(name) == Some(&Value::Bool(true))
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<&str> {
        let texts = self.values.get(name).and_then(Value::as_array);
        let texts = texts.into_iter().flatten();
        texts.filter_map(Value::as_str).collect()
    }

    /// Returns the page of these records.
    pub(crate) fn slice(&self, records: Vec<Value>) -> Vec<Value> {
        match &self.page {
            Some(page) => page.of(records),
            None => records,
        }
    }
}

//! The document as the sandbox serves it: its operations with their prices and paging, and the header of the key.
//!
//! Unsupported parts of the document are an error at the start, not a route that behaves differently.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use axum::http::{HeaderName, Method};
use serde_json::Value;

use crate::operation::Operation;
use crate::paging::Paging;
use crate::prices::prices;
use crate::vocabulary;

/// The document that the provider publishes.
const PUBLISHED: &str = include_str!("../../../spec/openapi.yaml");

pub(crate) struct Document {
    /// The document, which reads and checks requests.
    pub(crate) served: checked_tests::Document,
    pub(crate) key_header: HeaderName,
    /// Prefix of the environment variables that the client reads.
    pub(crate) environment: String,
    pub(crate) operations: Vec<Arc<Operation>>,
}

/// The operation of a request.
pub(crate) struct Found<'d> {
    pub(crate) operation: &'d Operation,
    pub(crate) served: checked_tests::Operation<'d>,
    /// Parameters in the path, still encoded.
    pub(crate) captured: Vec<(String, String)>,
}

impl Document {
    pub(crate) fn parse(yaml: &str) -> Result<Self> {
        let root: Value = serde_yaml::from_str(yaml).context("reading the document as YAML")?;
        let served = checked_tests::Document(vocabulary::normal(root));
        check_references(&served, &served.0)?;
        let operations = served.operations().into_iter();
        let operations = operations.filter(|one| one.value.get("operationId").is_some());
        let operations = operations.map(|one| {
            let read = read_operation(&served, &one);
            read.with_context(|| format!("the operation of {}", one.path))
        });
        let operations = operations
            .map(|read| Ok(Arc::new(read?)))
            .collect::<Result<Vec<_>>>()?;
        ensure!(!operations.is_empty(), "the document has no operations");
        let environment = text(&served.0, "/info/x-rust-package/environment");
        Ok(Self {
            key_header: key_header(&served.0)?,
            environment: environment.unwrap_or("SANDBOX").to_owned(),
            operations,
            served,
        })
    }

    /// Reads the document that the provider publishes.
    pub(crate) fn published() -> Result<Self> {
        Self::parse(PUBLISHED).context("the published document")
    }

    /// Returns the schema of the response to an operation of another document.
    pub(crate) fn response_of(&self, operation: &Operation) -> Option<&Value> {
        let path = |operation: &Operation| operation.path.trim_end_matches('/').to_owned();
        let mut own = self.operations.iter();
        let own = own.find(|own| own.method == operation.method && path(own) == path(operation));
        own?.response.as_ref()
    }

    /// Resolves the `$ref` of a value, or returns the value itself.
    pub(crate) fn resolve<'a>(&'a self, value: &'a Value) -> &'a Value {
        self.served.meant(value)
    }

    /// Finds the operation of a method and a path, with or without a slash at the end.
    pub(crate) fn find(&self, method: &str, path: &str) -> Option<Found<'_>> {
        let path = path.trim_end_matches('/');
        let mut paths = [path.to_owned(), format!("{path}/")].into_iter();
        let found = paths.find_map(|path| self.served.operation(method, &path, &[]));
        let (served, captured) = found?;
        let is_it = |one: &&Arc<Operation>| {
            let method = one.method.as_str();
            method.eq_ignore_ascii_case(served.method) && one.path == served.path
        };
        Some(Found {
            operation: self.operations.iter().find(is_it)?,
            served,
            captured,
        })
    }

    /// Returns the methods that a path takes.
    pub(crate) fn methods(&self, path: &str) -> Vec<&str> {
        let methods = self.operations.iter().map(|one| one.method.as_str());
        let methods: BTreeSet<&str> = methods.collect();
        let is_taken = |method: &&str| self.find(method, path).is_some();
        methods.into_iter().filter(is_taken).collect()
    }
}

/// Returns the schema of the first JSON response with a success status.
fn response<'a>(document: &'a checked_tests::Document, operation: &'a Value) -> Option<&'a Value> {
    let responses = operation.get("responses")?.as_object()?;
    let mut successes = responses.iter().filter(|(code, _)| code.starts_with('2'));
    successes.find_map(|(_, response)| {
        let response = document.meant(response);
        response.pointer("/content/application~1json/schema")
    })
}

fn read_operation(
    document: &checked_tests::Document,
    operation: &checked_tests::Operation<'_>,
) -> Result<Operation> {
    let parameters: Vec<Value> = operation
        .parameters
        .iter()
        .map(|one| (*one).clone())
        .collect();
    let names = parameters
        .iter()
        .filter_map(|one| one.get("name")?.as_str());
    let names: Vec<&str> = names.collect();
    Ok(Operation {
        id: id(operation.value)?.to_owned(),
        method: Method::from_bytes(operation.method.to_ascii_uppercase().as_bytes())?,
        path: operation.path.to_owned(),
        response: response(document, operation.value).cloned(),
        prices: prices(operation.value, &names)?,
        paging: Paging::read(operation.value, |name| names.contains(&name))?,
        body: operation
            .value
            .pointer("/requestBody/content/application~1json/schema")
            .cloned(),
        parameters,
    })
}

/// Returns the name of an operation in the sample data: the original one, even if the document has renamed it.
fn id(operation: &Value) -> Result<&str> {
    vocabulary::method(operation).map_or_else(|| text(operation, "/operationId"), Ok)
}

/// Returns the header of the first security requirement, of the document or else of an operation.
fn key_header(root: &Value) -> Result<HeaderName> {
    let items = root.get("paths").and_then(Value::as_object);
    let items = items.into_iter().flat_map(|items| items.values());
    let operations = items
        .filter_map(Value::as_object)
        .flat_map(|item| item.values());
    let name = std::iter::once(root)
        .chain(operations)
        .filter_map(|holder| holder.pointer("/security/0")?.as_object()?.keys().next())
        .next()
        .context("the document requires no key")?;
    let scheme = root
        .pointer("/components/securitySchemes")
        .and_then(|schemes| schemes.get(name))
        .with_context(|| format!("there is no security scheme {name}"))?;
    ensure!(
        text(scheme, "/in")? == "header",
        "the key is not in a header"
    );
    let header = text(scheme, "/name")?;
    HeaderName::from_bytes(header.as_bytes()).with_context(|| format!("the header {header}"))
}

fn check_references(document: &checked_tests::Document, value: &Value) -> Result<()> {
    if let Some(reference) = document
        .meant(value)
        .get("$ref")
        .filter(|one| one.is_string())
    {
        bail!("{reference} leads nowhere");
    }
    match value {
        Value::Object(object) => object
            .values()
            .try_for_each(|value| check_references(document, value)),
        Value::Array(array) => array
            .iter()
            .try_for_each(|value| check_references(document, value)),
        _ => Ok(()),
    }
}

fn text<'a>(value: &'a Value, pointer: &str) -> Result<&'a str> {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .with_context(|| format!("there is no string at {pointer}"))
}

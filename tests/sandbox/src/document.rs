//! The document as the sandbox reads it: operations with their parameters, prices and paging, and the header of the key.
//!
//! Unsupported parts of the document are an error at the start, not a route that behaves differently.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use axum::http::{HeaderName, Method};
use serde_json::Value;

use crate::operation::{Operation, Parameter, Place};
use crate::paging::Paging;
use crate::prices::prices;
use crate::vocabulary::{self, target};

/// The document that the provider publishes.
const PUBLISHED: &str = include_str!("../../../spec/openapi.yaml");

pub(crate) struct Document {
    root: Value,
    pub(crate) key_header: HeaderName,
    /// Prefix of the environment variables that the client reads.
    pub(crate) environment: String,
    pub(crate) operations: Vec<Arc<Operation>>,
}

impl Document {
    pub(crate) fn parse(yaml: &str) -> Result<Self> {
        let root: Value = serde_yaml::from_str(yaml).context("reading the document as YAML")?;
        check_references(&root, &root)?;
        let root = vocabulary::normal(root);
        let environment = text(&root, "/info/x-rust-package/environment");
        let mut document = Self {
            key_header: key_header(&root)?,
            environment: environment.unwrap_or("SANDBOX").to_owned(),
            root,
            operations: Vec::new(),
        };
        document.operations = document.read_operations()?;
        Ok(document)
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
        target(&self.root, value).unwrap_or(value)
    }

    /// Resolves references and wrappers of one part, such as that of a nullable parameter.
    pub(crate) fn meant<'a>(&'a self, value: &'a Value) -> &'a Value {
        let mut meant = self.resolve(value);
        for _ in 0..32 {
            let parts = meant.get("allOf").and_then(Value::as_array);
            let Some([only]) = parts.map(Vec::as_slice) else {
                break;
            };
            if meant.get("type").is_some() {
                break;
            }
            meant = self.resolve(only);
        }
        meant
    }

    /// Returns the whole document, in the vocabulary of OpenAPI 3.0.
    pub(crate) fn root(&self) -> &Value {
        &self.root
    }

    #[cfg(test)]
    pub(crate) fn at(&self, pointer: &str) -> Option<&Value> {
        self.root.pointer(pointer)
    }

    fn read_operations(&self) -> Result<Vec<Arc<Operation>>> {
        let paths = self.root.get("paths").and_then(Value::as_object);
        let mut operations = Vec::new();
        let mut shapes = BTreeSet::new();
        for (path, item) in paths.context("the document has no paths")? {
            let shape = path_shape(path).with_context(|| format!("the path {path}"))?;
            ensure!(
                shapes.insert(shape),
                "another path has the same shape as {path}"
            );
            for (method, operation) in item.as_object().into_iter().flatten() {
                let Ok(method) = Method::from_bytes(method.to_ascii_uppercase().as_bytes()) else {
                    continue;
                };
                if operation.get("operationId").is_none() {
                    continue;
                }
                let read = self.read_operation(method, path, operation);
                let context = || format!("the operation of {path}");
                operations.push(Arc::new(read.with_context(context)?));
            }
        }
        Ok(operations)
    }

    /// Returns the schema of the first JSON response with a success status.
    fn response<'a>(&'a self, operation: &'a Value) -> Option<&'a Value> {
        let responses = operation.get("responses")?.as_object()?;
        let mut successes = responses.iter().filter(|(code, _)| code.starts_with('2'));
        successes.find_map(|(_, response)| {
            let response = self.resolve(response);
            response.pointer("/content/application~1json/schema")
        })
    }

    fn read_operation(&self, method: Method, path: &str, operation: &Value) -> Result<Operation> {
        let mut parameters = Vec::new();
        for parameter in operation
            .get("parameters")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            parameters.extend(read_parameter(self.resolve(parameter))?);
        }
        let is_parameter = |name: &str| parameters.iter().any(|one| one.name == name);
        let paging = Paging::read(operation, is_parameter)?;
        Ok(Operation {
            id: id(operation)?.to_owned(),
            method,
            path: path.to_owned(),
            response: self.response(operation).cloned(),
            prices: prices(operation, &parameters)?,
            paging,
            parameters,
            body: operation
                .pointer("/requestBody/content/application~1json/schema")
                .cloned(),
        })
    }
}

/// Returns the name of an operation in the sample data: the original one, even if the document has renamed it.
fn id(operation: &Value) -> Result<&str> {
    vocabulary::method(operation).map_or_else(|| text(operation, "/operationId"), Ok)
}

/// Reads a parameter; `None` for a cookie, which the sandbox ignores.
fn read_parameter(parameter: &Value) -> Result<Option<Parameter>> {
    let place = match text(parameter, "/in")? {
        "path" => Place::Path,
        "query" => Place::Query,
        "header" => Place::Header,
        _ => return Ok(None),
    };
    let flag = |name| parameter.get(name).and_then(Value::as_bool);
    Ok(Some(Parameter {
        name: text(parameter, "/name")?.to_owned(),
        place,
        required: flag("required").unwrap_or_default(),
        joined: flag("explode") == Some(false),
        schema: parameter.get("schema").cloned().unwrap_or_default(),
    }))
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

/// Returns the path with anonymous parameters. Refuses paths on which the router would panic.
fn path_shape(path: &str) -> Result<String> {
    let rest = path
        .strip_prefix('/')
        .context("it does not start with a slash")?;
    let mut shape = String::new();
    for segment in rest.trim_end_matches('/').split('/') {
        let is_place = segment.len() > 2 && segment.starts_with('{') && segment.ends_with('}');
        let name = segment.trim_start_matches('{').trim_end_matches('}');
        let is_plain = !name.is_empty() && !name.contains(['{', '}', '*', ':']);
        ensure!(is_plain, "`{segment}` cannot be routed");
        ensure!(is_place || name == segment, "`{segment}` cannot be routed");
        shape.push('/');
        shape.push_str(if is_place { "{}" } else { segment });
    }
    Ok(shape)
}

fn check_references(root: &Value, value: &Value) -> Result<()> {
    if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
        target(root, value).with_context(|| format!("{reference} leads nowhere"))?;
    }
    match value {
        Value::Object(object) => object.values().try_for_each(|v| check_references(root, v)),
        Value::Array(array) => array.iter().try_for_each(|v| check_references(root, v)),
        _ => Ok(()),
    }
}

fn text<'a>(value: &'a Value, pointer: &str) -> Result<&'a str> {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .with_context(|| format!("there is no string at {pointer}"))
}

//! The document as the emitters read it: named schemas, operations, authentication, package.

use std::collections::BTreeSet;

use serde_json::Value;

use super::extensions::{self, Package, Scale, Step};
use super::hoist::{Hoisted, Hoister};
use super::operations::{self, Operation, Parameter, ParameterType};
use crate::finding::{Finding, Stop};
use crate::names;
use crate::pointer;
use crate::source::Source;

/// How requests carry the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auth {
    /// In a header of this name.
    Header(String),
    /// As `Authorization: Bearer`.
    Bearer,
    /// The document asks for no key.
    None,
}

/// In which direction values of a schema travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// From the caller to the service.
    pub request: bool,
    /// From the service to the caller.
    pub response: bool,
}

/// A schema that becomes a Rust type.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The Rust type.
    pub name: String,
    /// Where it stands in the document.
    pub pointer: String,
    /// The schema; whatever else becomes a type is a reference in it.
    pub value: Value,
    /// Who sends it.
    pub usage: Usage,
}

impl Schema {
    /// The properties of an object schema, in the order of the document.
    pub fn properties(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.value
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
    }

    /// Whether this is an object of plain values, so that a body of it can be given value by value.
    pub fn is_flat(&self) -> bool {
        self.value.get("allOf").is_none()
            && self.properties().next().is_some()
            && self.properties().all(|(_, value)| {
                matches!(
                    value.get("type").and_then(Value::as_str),
                    Some("string" | "integer" | "number" | "boolean")
                ) && value.get("x-rust-type").is_none()
                    && value.get("nullable") != Some(&Value::Bool(true))
            })
    }
}

/// A response field that is the value of a parameter, from an OpenAPI Link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The object that holds the field.
    pub owner: String,
    /// The field, by its wire name.
    pub property: String,
    /// The generated type of the field, if it has one.
    pub value_type: Option<String>,
    /// The generated type of the parameter.
    pub parameter_type: String,
}

/// A property whose greatest value depends on a sibling, from `x-scale`.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaledProperty {
    /// The object that has both.
    pub owner: String,
    /// The property.
    pub property: String,
    /// Its scales.
    pub scale: Scale,
}

/// Everything that the emitters need.
#[derive(Clone, Debug)]
pub struct Model {
    /// What the crate is called.
    pub package: Package,
    /// `info.title`.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// `info.description`.
    pub description: String,
    /// What the document says of the address: the description of the server and of its variables.
    pub server: String,
    /// How requests carry the key.
    pub auth: Auth,
    /// The schemas that operations reach, in the order of the document.
    pub schemas: Vec<Schema>,
    /// The operations, in the order of the document.
    pub operations: Vec<Operation>,
    /// Conversions that links promise.
    pub conversions: Vec<Conversion>,
    /// Schema and property of every array that `x-pagination` names.
    pub records: Vec<(String, String)>,
    /// Properties with `x-scale`.
    pub scales: Vec<ScaledProperty>,
}

impl Model {
    /// Reads the model out of a linted document, or says what in it is not supported.
    pub fn build(source: &Source) -> Result<Self, Stop> {
        let mut findings = Vec::new();
        let info = source.value.get("info").cloned().unwrap_or_default();
        let text = |key: &str| {
            info.get(key)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .trim()
                .to_owned()
        };
        let title = text("title");
        let package = extensions::read(source, "/info", &info, "x-rust-package", &mut findings)
            .unwrap_or_else(|| package_from(&title));
        let auth = auth(source, &mut findings);
        let key_header = match &auth {
            Auth::Header(name) => Some(name.as_str()),
            Auth::Bearer => Some("authorization"),
            Auth::None => None,
        };
        let mut hoister = Hoister::new(source);
        let operations = operations::read(source, &mut hoister, key_header, &mut findings);
        findings.append(&mut hoister.findings);
        let mut model = Self {
            package,
            version: text("version"),
            description: text("description"),
            title,
            server: server(source),
            auth,
            schemas: reached(hoister.schemas, &operations),
            operations,
            conversions: Vec::new(),
            records: Vec::new(),
            scales: Vec::new(),
        };
        model.records = model.find_records(source, &mut findings);
        model.conversions = model.find_conversions(source, &mut findings);
        model.scales = model.find_scales(source, &mut findings);
        Stop::unless_empty(findings)?;
        Ok(model)
    }

    /// A schema by its Rust name.
    pub fn schema(&self, name: &str) -> Option<&Schema> {
        self.schemas.iter().find(|schema| schema.name == name)
    }

    /// The schema that a value refers to.
    pub fn referenced(&self, value: &Value) -> Option<&Schema> {
        self.schema(reference(value)?)
    }

    /// Walks from a response schema along `steps`; the last member is the result, as its owner and name.
    pub fn member(&self, from: &Value, steps: &[Step]) -> Option<(&Schema, String, Value)> {
        let mut at = from.clone();
        let mut found = None;
        for step in steps {
            let schema = self.referenced(&at);
            let value = schema.map_or(&at, |schema| &schema.value);
            match step {
                Step::Member(name) => {
                    let next = value.get("properties")?.get(name)?.clone();
                    found = Some((schema?, name.clone(), next.clone()));
                    at = next;
                }
                Step::Each => at = value.get("items")?.clone(),
            }
        }
        found
    }

    fn find_records(&self, source: &Source, findings: &mut Vec<Finding>) -> Vec<(String, String)> {
        let mut records = Vec::new();
        for operation in &self.operations {
            let (Some(pagination), Some(success)) = (&operation.pagination, &operation.success)
            else {
                continue;
            };
            let at = format!("{}/x-pagination", operation.pointer);
            let mut wrong = |key: &str, message: String| {
                findings.push(source.finding(
                    "pagination",
                    format!("{at}/{key}"),
                    message,
                    "correct the override that writes `x-pagination`",
                ));
            };
            for (key, parameter) in [
                ("limit", Some(&pagination.limit)),
                ("offset", Some(&pagination.offset)),
                ("requires", pagination.requires.as_ref()),
            ] {
                if let Some(parameter) = parameter
                    && !operation
                        .parameters
                        .iter()
                        .any(|one| one.name == *parameter)
                {
                    wrong(
                        key,
                        format!("`{parameter}` is no parameter of the operation"),
                    );
                }
            }
            let find =
                |path: &str| extensions::steps(path).and_then(|steps| self.member(success, &steps));
            if let Some(total) = &pagination.total
                && find(total).is_none()
            {
                wrong(
                    "total",
                    format!("`{total}` leads to nothing in the response"),
                );
            }
            match find(&pagination.items) {
                Some((owner, property, value))
                    if value.get("type").and_then(Value::as_str) == Some("array") =>
                {
                    records.push((owner.name.clone(), property));
                }
                _ => wrong(
                    "items",
                    format!("`{}` leads to no array in the response", pagination.items),
                ),
            }
        }
        records.sort();
        records.dedup();
        records
    }

    fn find_scales(&self, source: &Source, findings: &mut Vec<Finding>) -> Vec<ScaledProperty> {
        let mut scales = Vec::new();
        for schema in &self.schemas {
            for (property, value) in schema.properties() {
                let at = pointer::join(&format!("{}/properties", schema.pointer), property);
                let scale: Option<Scale> =
                    extensions::read(source, &at, value, "x-scale", findings);
                let Some(scale) = scale else {
                    continue;
                };
                let sibling = schema.properties().find(|(name, _)| **name == scale.by);
                let words = sibling
                    .and_then(|(_, value)| self.referenced(value)?.value.get("enum")?.as_array());
                let known: BTreeSet<&str> = words
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .collect();
                let given: BTreeSet<&str> = scale.words.keys().map(String::as_str).collect();
                let positive = scale
                    .words
                    .values()
                    .all(|most| most.as_f64().is_some_and(|most| most > 0.0));
                if known != given || !positive {
                    findings.push(source.finding(
                        "scale",
                        format!("{at}/x-scale"),
                        format!(
                            "`words` gives a positive number for each word of `{}`, and for no other",
                            scale.by
                        ),
                        "correct the override that writes `x-scale`",
                    ));
                } else if value.get("x-rust-type").and_then(Value::as_str) != Some("Scaled") {
                    findings.push(source.finding(
                        "scale",
                        format!("{at}/x-scale"),
                        format!("`{property}` has a scale and not the type that knows what to do with it"),
                        "write `x-rust-type: Scaled` beside `x-scale`",
                    ));
                } else {
                    scales.push(ScaledProperty {
                        owner: schema.name.clone(),
                        property: property.clone(),
                        scale,
                    });
                }
            }
        }
        scales
    }

    fn find_conversions(&self, source: &Source, findings: &mut Vec<Finding>) -> Vec<Conversion> {
        let mut conversions: Vec<Conversion> = Vec::new();
        for operation in &self.operations {
            let at = format!("{}/links", operation.success_pointer);
            let links = source.value.pointer(&at).and_then(Value::as_object);
            for (name, link) in links.into_iter().flatten() {
                let at = pointer::join(&at, name);
                match self.conversions_of(operation, link) {
                    Ok(found) => {
                        for one in found {
                            if !conversions.contains(&one) {
                                conversions.push(one);
                            }
                        }
                    }
                    Err(message) => findings.push(source.finding(
                        "link",
                        at,
                        message,
                        "a link names an `operationId` and gives its parameters as `$response.body#/…`",
                    )),
                }
            }
        }
        conversions
    }

    fn conversions_of(&self, from: &Operation, link: &Value) -> Result<Vec<Conversion>, String> {
        let target_id = link
            .get("operationId")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let target = self
            .operations
            .iter()
            .find(|operation| operation.id == target_id)
            .ok_or_else(|| format!("no operation has the id `{target_id}`"))?;
        let parameters = link.get("parameters").and_then(Value::as_object);
        let mut conversions = Vec::new();
        for (name, expression) in parameters.into_iter().flatten() {
            let parameter = target
                .parameters
                .iter()
                .find(|parameter: &&Parameter| parameter.name == *name)
                .ok_or_else(|| format!("`{target_id}` has no parameter `{name}`"))?;
            // Only body fields and parameters with a type of their own can be converted.
            let ParameterType::Named(parameter_type) = &parameter.kind else {
                continue;
            };
            let Some(place) = expression
                .as_str()
                .and_then(|text| text.strip_prefix("$response.body#"))
            else {
                continue;
            };
            let steps: Vec<Step> = pointer::tokens(place)
                .map(|token| {
                    if token.chars().all(|c| c.is_ascii_digit()) {
                        Step::Each
                    } else {
                        Step::Member(token)
                    }
                })
                .collect();
            let (owner, property, value) = from
                .success
                .as_ref()
                .and_then(|success| self.member(success, &steps))
                .ok_or_else(|| format!("`{place}` leads to nothing in the response"))?;
            conversions.push(Conversion {
                owner: owner.name.clone(),
                property,
                value_type: reference(&value).map(str::to_owned),
                parameter_type: parameter_type.clone(),
            });
        }
        Ok(conversions)
    }
}

/// The Rust name in a hoisted reference.
pub(crate) fn reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.rsplit('/').next()
}

/// Keeps what operations reach, with the direction in which it travels.
fn reached(hoisted: Vec<Hoisted>, operations: &[Operation]) -> Vec<Schema> {
    let mut requested = BTreeSet::new();
    let mut responded = BTreeSet::new();
    let find = |name: &str| hoisted.iter().find(|schema| schema.name == name);
    for operation in operations {
        for parameter in &operation.parameters {
            let kind = match &parameter.kind {
                ParameterType::List { item, .. } => item,
                kind => kind,
            };
            if let ParameterType::Named(name) = kind {
                requested.insert(name.clone());
                if let Some(schema) = find(name) {
                    collect(&schema.value, &find, &mut requested);
                }
            }
        }
        if let Some(body) = &operation.body {
            collect(&body.schema, &find, &mut requested);
        }
        if let Some(success) = &operation.success {
            collect(success, &find, &mut responded);
        }
    }
    let mut schemas: Vec<Schema> = hoisted
        .iter()
        .filter_map(|schema| {
            let usage = Usage {
                request: requested.contains(&schema.name),
                response: responded.contains(&schema.name),
            };
            (usage.request || usage.response).then(|| Schema {
                name: schema.name.clone(),
                pointer: schema.pointer.clone(),
                value: schema.value.clone(),
                usage,
            })
        })
        .collect();
    // Hoisted children were finished before their parents; documentation reads better by name.
    schemas.sort_by(|a, b| a.name.cmp(&b.name));
    schemas
}

fn collect<'h>(
    value: &Value,
    find: &impl Fn(&str) -> Option<&'h Hoisted>,
    into: &mut BTreeSet<String>,
) {
    pointer::walk(value, "", &mut |_, value| {
        if let Some(name) = reference(value)
            && !into.contains(name)
            && let Some(schema) = find(name)
        {
            into.insert(name.to_owned());
            collect(&schema.value, find, into);
        }
    });
}

fn auth(source: &Source, findings: &mut Vec<Finding>) -> Auth {
    let used: Vec<String> = source
        .value
        .get("security")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .chain(
            source
                .value
                .get("paths")
                .and_then(Value::as_object)
                .into_iter()
                .flatten()
                .flat_map(|(_, item)| item.as_object().into_iter().flatten())
                .filter_map(|(_, operation)| operation.get("security")?.as_array())
                .flatten(),
        )
        .filter_map(Value::as_object)
        .flat_map(|requirement| requirement.keys().cloned())
        .collect();
    let mut found: Vec<Auth> = Vec::new();
    for name in used {
        let at = pointer::join("/components/securitySchemes", &name);
        let scheme = source.value.pointer(&at).unwrap_or(&Value::Null);
        let field = |key: &str| scheme.get(key).and_then(Value::as_str).unwrap_or_default();
        let auth = match (field("type"), field("in"), field("scheme")) {
            ("apiKey", "header", _) => Auth::Header(field("name").to_lowercase()),
            ("http", _, "bearer") => Auth::Bearer,
            _ => {
                findings.push(source.finding(
                    "security-scheme",
                    at,
                    format!("the security scheme `{name}` is neither a key in a header nor a bearer token"),
                    "describe one of the two in an override under overrides/generator/",
                ));
                continue;
            }
        };
        if !found.contains(&auth) {
            found.push(auth);
        }
    }
    if found.len() > 1 {
        findings.push(source.finding(
            "security-scheme",
            "/security",
            "more than one way to send the key is in use; a client supports one",
            "choose one in an override under overrides/generator/",
        ));
    }
    found.pop().unwrap_or(Auth::None)
}

fn server(source: &Source) -> String {
    let server = source.value.pointer("/servers/0");
    let variables = server
        .and_then(|server| server.get("variables")?.as_object())
        .into_iter()
        .flatten()
        .map(|(_, variable)| variable);
    let texts: Vec<&str> = server
        .into_iter()
        .chain(variables)
        .filter_map(|value| value.get("description")?.as_str())
        .map(str::trim)
        .collect();
    texts.join(" ")
}

fn package_from(title: &str) -> Package {
    let snake = names::snake(title);
    Package {
        name: snake.replace('_', "-"),
        version: "0.1.0".to_owned(),
        environment: snake.to_uppercase(),
        description: format!("Typed client for {title}"),
    }
}

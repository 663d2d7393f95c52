//! The document as the emitters read it: named schemas, operations, authentication, package.

use serde_json::Value;

use super::auth::{self, Auth};
use super::envelope::{self, Envelope};
use super::extensions::{self, Package, Step};
use super::hoist::Hoister;
use super::operation::Operation;
use super::paging::{self, Pages};
use super::waiting::{self, Waits};
use super::{links, operations, prices, reach};
use crate::finding::Stop;
use crate::names;
use crate::source::Source;

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
    /// What it has to have, if it is the top level of a response.
    pub envelope: Option<Envelope>,
}

impl Schema {
    /// Whether a value of this type always has the property, and not null: the type insists where callers send it, and on the
    /// content of a response.
    pub fn insists_on(&self, property: &str) -> bool {
        let required = self.value.get("required").and_then(Value::as_array);
        let properties = self.value.get("properties");
        let nullable = properties.and_then(|all| all.get(property)?.get("nullable")?.as_bool());
        let is_sent = self.usage.request
            && nullable != Some(true)
            && required
                .into_iter()
                .flatten()
                .any(|name| name.as_str() == Some(property));
        is_sent || self.is_content(property)
    }

    /// Whether the property holds the content of a response, at its top level.
    pub fn is_content(&self, property: &str) -> bool {
        let content = self.envelope.iter().flat_map(|envelope| &envelope.content);
        content.into_iter().any(|name| name == property)
    }

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
        let listed = |name: &Value| {
            let name = name.as_str().unwrap_or_default();
            self.properties().any(|(property, _)| property == name)
        };
        let required = self.value.get("required").and_then(Value::as_array);
        // What has no setter could not be given.
        !matches!(self.value.get("additionalProperties"), Some(more) if more.is_object())
            && required.into_iter().flatten().all(listed)
            && self.value.get("allOf").is_none()
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
    /// Where the Link stands, or the first of several that say the same.
    pub pointer: String,
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
    /// Operations that answer in pages.
    pub pages: Vec<Pages>,
    /// Operations that tell how far something is.
    pub waits: Vec<Waits>,
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
        let auth = auth::read(source, &mut findings);
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
            schemas: reach::reached(hoister.schemas, &operations),
            operations,
            conversions: Vec::new(),
            pages: Vec::new(),
            waits: Vec::new(),
        };
        for (name, envelope) in envelope::envelopes(&model) {
            let mut schemas = model.schemas.iter_mut();
            if let Some(schema) = schemas.find(|schema| schema.name == name) {
                schema.envelope = Some(envelope);
            }
        }
        prices::check(&model, source, &mut findings);
        model.pages = paging::read(&model, source, &mut findings);
        model.waits = waiting::read(&model, source, &mut findings);
        model.conversions = links::conversions(&model, source, &mut findings);
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

    /// Whether a value is any text, by itself or by the name of its schema.
    pub(super) fn is_text(&self, value: &Value) -> bool {
        let named = self.referenced(value).map(|schema| &schema.value);
        let schema = named.unwrap_or(value);
        schema.get("type").and_then(Value::as_str) == Some("string")
            && schema.get("enum").is_none()
            && [value, schema]
                .iter()
                .all(|one| one.get("x-rust-type").is_none())
    }

    /// The field that a property becomes.
    pub fn field(&self, hop: &Hop) -> String {
        let property = self.schema(&hop.owner).and_then(|schema| {
            properties(self, schema)
                .into_iter()
                .find(|(_, name, _)| *name == hop.property)
        });
        match property {
            Some((_, name, value)) => field_name(&name, &value),
            None => names::snake(&hop.property),
        }
    }

    /// Whether the field that a property becomes is no option.
    pub fn insists_on(&self, hop: &Hop) -> bool {
        self.schema(&hop.owner)
            .is_some_and(|schema| schema.insists_on(&hop.property))
    }

    /// Whether a member that does not fit is set aside, so that it costs neither the content nor the records of a response.
    pub fn is_set_aside(&self, owner: &Schema, property: &str) -> bool {
        envelope::is_beside(self, owner, property)
    }

    /// Walks from a response schema along `steps`; the last member is the result, as its owner and name.
    pub fn member(&self, from: &Value, steps: &[Step]) -> Option<(&Schema, String, Value)> {
        let (mut hops, value) = self.way(from, steps)?;
        let last = hops.pop()?;
        Some((self.schema(&last.owner)?, last.property, value))
    }

    /// Walks from a response schema along `steps`: every member on the way, and the value at its end.
    pub fn way(&self, from: &Value, steps: &[Step]) -> Option<(Vec<Hop>, Value)> {
        let mut at = from.clone();
        let mut hops: Vec<Hop> = Vec::new();
        for step in steps {
            let schema = self.referenced(&at);
            let value = schema.map_or(&at, |schema| &schema.value);
            match step {
                Step::Member(name) => {
                    let next = value.get("properties")?.get(name)?.clone();
                    hops.push(Hop::to(&schema?.name, name));
                    at = next;
                }
                Step::Each => {
                    let next = value.get("items")?.clone();
                    hops.last_mut()?.is_list = true;
                    at = next;
                }
            }
        }
        Some((hops, at))
    }
}

/// A member on the way from a body to a value in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The object that has it.
    pub owner: String,
    /// Its name on the wire.
    pub property: String,
    /// Whether the way goes on in each element of it.
    pub is_list: bool,
}

impl Hop {
    /// A member that the way ends at, or goes through as an object.
    pub fn to(owner: &str, property: &str) -> Self {
        Self {
            owner: owner.to_owned(),
            property: property.to_owned(),
            is_list: false,
        }
    }
}

/// The name of the field that a property becomes.
pub(crate) fn field_name(property: &str, value: &Value) -> String {
    let name = value.get("x-rust-name").and_then(Value::as_str);
    names::snake(name.unwrap_or(property))
}

/// The properties of a schema and of what `allOf` brings into it, each with where it stands.
pub(crate) fn properties(model: &Model, schema: &Schema) -> Vec<(String, String, Value)> {
    let mut found = Vec::new();
    collect(model, &schema.value, &schema.pointer, &mut found);
    found
}

fn collect(model: &Model, value: &Value, at: &str, found: &mut Vec<(String, String, Value)>) {
    let parts = value.get("allOf").and_then(Value::as_array);
    for (index, part) in parts.into_iter().flatten().enumerate() {
        match model.referenced(part) {
            Some(schema) => collect(model, &schema.value, &schema.pointer, found),
            None => collect(model, part, &format!("{at}/allOf/{index}"), found),
        }
    }
    let properties = value.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        if !found.iter().any(|(_, earlier, _)| earlier == name) {
            let at = crate::pointer::join(&format!("{at}/properties"), name);
            found.push((at, name.clone(), property.clone()));
        }
    }
}

/// The Rust name in a hoisted reference.
pub(crate) fn reference(value: &Value) -> Option<&str> {
    value.get("$ref")?.as_str()?.rsplit('/').next()
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

//! Where in the document an item came from. The deepest place that explains it, and always one that exists.

use super::item::{Item, Kind};
use super::walk::CODE;
use crate::names;
use crate::openapi::{Model, Operation, Schema, properties};
use crate::pointer;
use crate::source::Source;

/// Extensions that give a builder what is called so.
const EXTENSIONS: [(&str, &str); 4] = [
    ("prices", "x-credits"),
    ("pages", "x-pagination"),
    ("items", "x-pagination"),
    ("wait", "x-waiter"),
];

pub(super) struct Places<'p> {
    document: &'p Source,
    model: &'p Model,
}

impl<'p> Places<'p> {
    pub(super) fn new(document: &'p Source, model: &'p Model) -> Self {
        Self { document, model }
    }

    /// Says of an item and its arguments where they came from.
    pub(super) fn attribute(&self, item: &mut Item) {
        item.pointer = self.existing(self.place(item));
        let operation = match item.owner.as_str() {
            "Client" => self.method(&item.name),
            owner => self.builder(owner),
        };
        for argument in &mut item.arguments {
            argument.pointer = operation
                .and_then(|operation| {
                    // Of a setter the argument is the thing that it sets.
                    self.argument(operation, &argument.name)
                        .or_else(|| self.argument(operation, &item.name))
                })
                .map_or_else(|| item.pointer.clone(), |place| self.existing(place));
        }
    }

    /// The nearest place that the document has.
    fn existing(&self, mut place: String) -> String {
        while self.document.value.pointer(&place).is_none() {
            place = pointer::split_last(&place).map_or_else(String::new, |(up, _)| up.to_owned());
        }
        place
    }

    fn place(&self, item: &Item) -> String {
        let schema = self.schema(item);
        match (item.kind, item.owner.as_str()) {
            (_, "types") => schema.map(|schema| schema.pointer.clone()),
            (_, "operations") => self
                .builder(&item.path)
                .map(|operation| operation.pointer.clone()),
            (Kind::Variant, _) => schema.map(|schema| word(schema, item)),
            (Kind::Field, _) => schema.map(|schema| {
                self.property(schema, |field| field == item.name)
                    // What has no name in the document.
                    .unwrap_or_else(|| format!("{}/additionalProperties", schema.pointer))
            }),
            (Kind::Function | Kind::Behaviour, "Client") => self.of_client(&item.name),
            (_, owner) => self
                .builder(owner)
                .map(|operation| self.of_builder(operation, &item.name))
                .or_else(|| schema.map(|schema| self.field(schema, &item.name))),
        }
        .unwrap_or_else(|| "/info".to_owned())
    }

    fn of_client(&self, name: &str) -> Option<String> {
        if let Some(operation) = self.method(name) {
            return Some(operation.pointer.clone());
        }
        match name {
            "builder" => Some("/servers".to_owned()),
            "auth" => Some("/components/securitySchemes".to_owned()),
            _ => None,
        }
    }

    /// The schema of an item's type. Of a type that the engine named, the one that its name begins with.
    fn schema(&self, item: &Item) -> Option<&'p Schema> {
        let mut mentioned = item.path.split("types::").skip(1).map(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            rest.split_at(end.unwrap_or(rest.len())).0
        });
        // Of `impl From<types::A> for types::B` it is the last.
        let name = match item.kind {
            Kind::Trait => mentioned.last(),
            _ => mentioned.next(),
        }?;
        let candidates = self.model.schemas.iter();
        candidates
            .filter(|schema| name.starts_with(&schema.name))
            .max_by_key(|schema| schema.name.len())
    }

    fn method(&self, name: &str) -> Option<&'p Operation> {
        let mut operations = self.model.operations.iter();
        operations.find(|operation| operation.rust_name == name)
    }

    fn builder(&self, path: &str) -> Option<&'p Operation> {
        let name = path.strip_prefix("operations::")?;
        let mut operations = self.model.operations.iter();
        operations.find(|operation| operation.type_name == name)
    }

    /// The parameter or the property of the body that an argument is.
    fn argument(&self, operation: &Operation, name: &str) -> Option<String> {
        if let Some(parameter) = operation
            .parameters
            .iter()
            .find(|one| one.rust_name == name)
        {
            return Some(parameter.pointer.clone());
        }
        let body = operation.body.as_ref()?;
        let schema = self.model.referenced(&body.schema);
        schema
            .and_then(|schema| self.property(schema, |field| field == name))
            .or_else(|| (name == "body").then(|| body.pointer.clone()))
    }

    fn of_builder(&self, operation: &Operation, name: &str) -> String {
        let extension = EXTENSIONS.iter().find(|(given, _)| *given == name);
        match (self.argument(operation, name), extension) {
            (Some(place), _) => place,
            (None, Some((_, extension))) => pointer::join(&operation.pointer, extension),
            (None, None) if name == "send" => operation.success_pointer.clone(),
            (None, None) => operation.pointer.clone(),
        }
    }

    /// The property that a field is, or that a method is called after; else the type.
    fn field(&self, schema: &Schema, name: &str) -> String {
        self.property(schema, |field| field == name)
            .or_else(|| {
                self.property(schema, |field| {
                    name.strip_prefix(field)
                        .is_some_and(|rest| rest.starts_with('_'))
                })
            })
            .unwrap_or_else(|| match name {
                "KNOWN" | CODE if schema.value.get("enum").is_some() => {
                    format!("{}/enum", schema.pointer)
                }
                _ => schema.pointer.clone(),
            })
    }

    /// The place of the property with the longest name that is the one.
    fn property(&self, schema: &Schema, is_it: impl Fn(&str) -> bool) -> Option<String> {
        properties(self.model, schema)
            .into_iter()
            .filter_map(|(place, property, value)| {
                let name = value.get("x-rust-name").and_then(|name| name.as_str());
                let field = names::snake(name.unwrap_or(&property));
                is_it(&field).then_some((field.len(), place))
            })
            .max()
            .map(|(_, place)| place)
    }
}

/// The word or the part of a composition that a variant is.
fn word(schema: &Schema, item: &Item) -> String {
    let words = schema.value.get("enum").and_then(|words| words.as_array());
    let index = words.into_iter().flatten().position(|word| {
        word.as_str()
            .is_some_and(|word| names::pascal(word) == item.name)
    });
    match index {
        Some(index) => format!("{}/enum/{index}", schema.pointer),
        None => schema.pointer.clone(),
    }
}

//! Where in the document an item came from: the deepest place that explains it, and always one that exists.

use std::collections::BTreeMap;

use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_model::{Model, Operation, Schema, Shape, names};

use super::item::{Item, Kind};
use super::walk::CODE;

/// Extensions that give a builder what is called so.
const EXTENSIONS: [(&str, &str); 5] = [
    ("extension", "x-credits"),
    ("Paged", "x-pagination"),
    ("pages", "x-pagination"),
    ("items", "x-pagination"),
    ("wait", "x-waiter"),
];

/// A model by the names that it has in Rust.
pub(super) struct Places<'p> {
    document: &'p Source,
    model: &'p Model,
    /// Types, each with the places of its fields.
    types: BTreeMap<&'p str, (&'p Schema, BTreeMap<String, String>)>,
    /// The positions of enum values by the variants that they become.
    variants: BTreeMap<&'p str, BTreeMap<String, usize>>,
    /// Operations by the path of the method of the client, or of a handle.
    methods: BTreeMap<String, &'p Operation>,
    /// Operations by the path of the builder.
    builders: BTreeMap<String, &'p Operation>,
}

/// The path of a member, also of what it does.
fn member(item: &Item) -> String {
    format!("{}::{}", item.owner, item.name)
}

/// The path of the method that makes the builder of an operation.
pub(super) fn method(model: &Model, operation: &Operation) -> String {
    let method = &operation.rust_name;
    match model.handle(operation) {
        Some(handle) => format!("handles::{}<'_>::{method}", handle.type_name),
        None => format!("Client::{method}"),
    }
}

impl<'p> Places<'p> {
    pub(super) fn new(document: &'p Source, model: &'p Model) -> Self {
        let mut places = Self {
            document,
            model,
            types: BTreeMap::new(),
            variants: BTreeMap::new(),
            methods: BTreeMap::new(),
            builders: BTreeMap::new(),
        };
        for schema in &model.schemas {
            let name = schema.name.as_str();
            places.types.insert(name, (schema, fields(schema)));
            places.variants.insert(name, positions(schema));
        }
        for operation in &model.operations {
            let builder = format!("operations::{}", operation.type_name);
            places.builders.insert(builder, operation);
            places.methods.insert(method(model, operation), operation);
        }
        places
    }

    /// Sets the location of an item and its arguments in the document.
    pub(super) fn attribute(&self, item: &mut Item) {
        item.pointer = self.existing(self.place(item));
        let operation = self.methods.get(&member(item));
        let operation = operation.or_else(|| self.builders.get(&item.owner));
        for argument in &mut item.arguments {
            argument.pointer = operation
                .and_then(|operation| {
                    // The argument of a setter is what it sets, whatever it is called.
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
        if item.kind == Kind::Feature {
            return self.of_feature(&item.name);
        }
        if let Some(operation) = self.builders.get(&item.owner) {
            // A trait has its name without the path.
            let name = item.name.rsplit("::").next().unwrap_or_default();
            return self.of_builder(operation, name);
        }
        if let Some(operation) = self.builders.get(&item.path) {
            return operation.pointer.clone();
        }
        match self.types.get(self.type_of(item).unwrap_or_default()) {
            Some((schema, fields)) => self.of_type(schema, fields, item),
            None if item.owner == "Client" || item.owner.starts_with("handles::") => {
                self.of_client(item)
            }
            None => "/info".to_owned(),
        }
    }

    /// The tags of the first operation that it has.
    fn of_feature(&self, name: &str) -> String {
        let mut groups = self.model.groups.iter();
        let mut operations = self.model.operations.iter();
        groups
            .find(|group| group.feature == name)
            .and_then(|group| operations.find(|one| one.group.as_ref() == Some(&group.name)))
            .map_or_else(
                || "/info".to_owned(),
                |operation| format!("{}/tags", operation.pointer),
            )
    }

    fn of_client(&self, item: &Item) -> String {
        match (self.methods.get(&member(item)), item.name.as_str()) {
            (Some(operation), _) => &operation.pointer,
            (None, "builder") => "/servers",
            (None, "auth") => "/components/securitySchemes",
            (None, _) => "/info",
        }
        .to_owned()
    }

    /// The type that an item is or belongs to. Of one without a schema, that whose name its own begins with.
    fn type_of<'i>(&self, item: &'i Item) -> Option<&'i str> {
        let mut mentioned = item.path.split("types::").skip(1).filter_map(|rest| {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            rest.get(..end.unwrap_or(rest.len()))
        });
        // Of `impl From<types::A> for types::B` it is the last.
        let name = match item.kind {
            Kind::Trait => mentioned.last(),
            _ => mentioned.next(),
        }?;
        (1..=name.len())
            .rev()
            .filter_map(|end| name.get(..end))
            .find(|start| self.types.contains_key(start))
    }

    /// The parameter or the body that an argument is.
    fn argument(&self, operation: &Operation, name: &str) -> Option<String> {
        let mut parameters = operation.parameters.iter();
        if let Some(parameter) = parameters.find(|parameter| parameter.rust_name == name) {
            return Some(parameter.pointer.clone());
        }
        let body = operation.bodies.first()?;
        (name == operation.body_name).then(|| body.pointer.clone())
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

    fn of_type(&self, schema: &Schema, fields: &BTreeMap<String, String>, item: &Item) -> String {
        let name = item.name.as_str();
        let place = match item.kind {
            Kind::Trait => self.link(item),
            Kind::Variant => {
                let variants = self.variants.get(schema.name.as_str());
                let index = variants.and_then(|variants| variants.get(name));
                index.map(|index| format!("{}/enum/{index}", schema.pointer))
            }
            // A field without a property takes what has no name in the document.
            Kind::Field => fields
                .get(name)
                .cloned()
                .or_else(|| Some(format!("{}/additionalProperties", schema.pointer))),
            Kind::Constant | Kind::Behaviour if ["KNOWN", CODE].contains(&name) => {
                is_enum(schema).then(|| format!("{}/enum", schema.pointer))
            }
            Kind::Function | Kind::Behaviour => {
                // A method may be called after the property that it is about.
                let name = name.strip_prefix("clear_").unwrap_or(name);
                let mut starts = (1..=name.len())
                    .rev()
                    .filter_map(|end| name.split_at_checked(end));
                starts.find_map(|(field, rest)| {
                    let place = fields.get(field)?;
                    (rest.is_empty() || rest.starts_with('_')).then(|| place.clone())
                })
            }
            _ => None,
        };
        place.unwrap_or_else(|| schema.pointer.clone())
    }

    /// The Link that a conversion comes from.
    fn link(&self, item: &Item) -> Option<String> {
        let from = item.name.strip_prefix("From<")?.strip_suffix('>')?;
        let from = from.trim_start_matches('&').strip_prefix("types::")?;
        let mut conversions = self.model.conversions.iter();
        conversions
            .find(|one| {
                item.owner == format!("types::{}", one.parameter_type)
                    && (one.owner == from || one.value_type.as_deref() == Some(from))
            })
            .map(|one| one.pointer.clone())
    }
}

/// The locations of properties by the fields that they become.
fn fields(schema: &Schema) -> BTreeMap<String, String> {
    let properties = schema.properties().iter();
    properties
        .map(|property| (property.field_name(), property.pointer.clone()))
        .collect()
}

/// The positions of enum values by the variants that they become; the first of several.
fn positions(schema: &Schema) -> BTreeMap<String, usize> {
    let texts = schema.texts().iter().enumerate().rev();
    texts
        .map(|(index, enum_value)| (names::pascal(enum_value), index))
        .collect()
}

fn is_enum(schema: &Schema) -> bool {
    match &schema.place.shape {
        Shape::Texts { .. } => true,
        Shape::Scalar { listed, .. } => !listed.is_empty(),
        _ => false,
    }
}

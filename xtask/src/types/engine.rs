//! The only place that knows typify, the type engine of progenitor.
//!
//! It gets a copy of the schemas that is easy for it: objects and names for scalars, lists and maps, under numbers instead of names.
//! Nothing that a document is called by can collide with what it makes up. It is asked once: for the types with a name that are not
//! objects, as code, and for the form of each field of an object, which it knows from the types that contain themselves.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use schemars::schema::{InstanceType, ObjectValidation, Schema as JsonSchema, SchemaObject};
use syn::visit_mut::VisitMut;
use typify_impl::{TypeDetails, TypeId, TypeSpace, TypeSpaceSettings};

use super::runtime::{Form, chosen, instead};
use crate::finding::Stop;
use crate::names;
use crate::openapi::{Model, Object, Others, Place, Scalar, Schema, Shape};
use crate::source::Source;

/// Prefix of the stand-in components that become runtime types.
const STAND_IN: &str = "RuntimeType";

/// What the engine made of the schemas of a model, by their positions there.
#[derive(Default)]
pub(super) struct Engine {
    /// The types of numbers, booleans, lists, maps and any JSON that have names, with their conversions.
    newtypes: BTreeMap<usize, Vec<syn::Item>>,
    /// The fields of objects, by the positions of their properties.
    fields: HashMap<(usize, usize), FieldForm>,
}

/// How the type of a field holds the values of its property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldForm {
    /// In an option.
    pub(super) is_option: bool,
    /// In a box, because the type would contain itself.
    pub(super) is_boxed: bool,
    /// Whether a struct without it has no default.
    pub(super) is_required: bool,
}

impl Engine {
    /// Asks the engine for the types of a model.
    pub(super) fn run(source: &Source, model: &Model) -> Result<Self, Stop> {
        let asked = Asked::of(model);
        asked.generate(None).map_err(|message| {
            let (at, message) = asked.blame().unwrap_or((String::new(), message));
            Stop::Findings(vec![source.finding(
                "engine",
                at,
                format!("the type engine cannot make types of this: {message}"),
                "simplify the schema in an override under overrides/generator/, keeping what travels on the wire",
            )])
        })
    }

    /// The items of a type with a name that has no properties.
    pub(super) fn newtype(&self, schema: usize) -> &[syn::Item] {
        self.newtypes.get(&schema).map_or(&[], Vec::as_slice)
    }

    /// How a field of a struct holds its values.
    pub(super) fn field(&self, schema: usize, property: usize) -> FieldForm {
        let form = self.fields.get(&(schema, property));
        form.copied().unwrap_or_default()
    }
}

/// What the engine is asked.
struct Asked<'m> {
    schemas: &'m [Schema],
    numbers: HashMap<&'m str, usize>,
}

/// What the engine calls a schema.
fn number_name(number: usize) -> String {
    format!("T{number:06}")
}

impl<'m> Asked<'m> {
    fn of(model: &'m Model) -> Self {
        let numbered = model.schemas.iter().enumerate();
        Self {
            schemas: &model.schemas,
            numbers: numbered
                .map(|(number, schema)| (schema.name.as_str(), number))
                .collect(),
        }
    }

    /// Where the first schema stands that the engine fails on, and why.
    fn blame(&self) -> Option<(String, String)> {
        self.schemas
            .iter()
            .enumerate()
            .find_map(|(number, schema)| {
                let failure = self.generate(Some(number)).err()?;
                Some((schema.pointer.clone(), failure))
            })
    }

    /// Runs the engine on all schemas, or on one of them and the names of the others.
    fn generate(&self, only: Option<usize>) -> Result<Engine, String> {
        let mut components = Vec::new();
        let mut settings = TypeSpaceSettings::default();
        settings
            .with_map_type("::std::collections::BTreeMap")
            .with_derive("PartialEq".to_owned());
        let mut copier = Copier {
            numbers: &self.numbers,
            stand_ins: BTreeMap::new(),
        };
        for (number, schema) in self.schemas.iter().enumerate() {
            let name = number_name(number);
            let is_left_out = only.is_some_and(|only| only != number);
            let copy = match self.replacement(schema, &name, is_left_out) {
                Some(path) => {
                    settings.with_replacement(&name, path, std::iter::empty());
                    text()
                }
                None => copier.schema(schema),
            };
            components.push((name, copy));
        }
        for (name, path) in copier.stand_ins {
            settings.with_replacement(&name, path, std::iter::empty());
            components.push((name, text()));
        }
        let made = quietly(|| {
            let mut types = TypeSpace::new(&settings);
            types.add_ref_types(components)?;
            Ok::<_, typify_impl::Error>((fields(&types), types.to_stream()))
        })?
        .map_err(|error| error.to_string())?;
        let (fields, tokens) = made;
        let made = syn::parse2(tokens).map_err(|error| error.to_string())?;
        Ok(Engine {
            newtypes: self.newtypes(made),
            fields,
        })
    }

    /// The type that takes the place of a schema: one of the runtime, or one that a pass emits.
    fn replacement(&self, schema: &Schema, name: &str, is_left_out: bool) -> Option<String> {
        let runtime = chosen(&schema.place).filter(|runtime| runtime.form != Form::Around);
        if let Some(runtime) = runtime {
            return Some(runtime.path.to_owned());
        }
        (is_left_out || is_ours(schema)).then(|| name.to_owned())
    }

    /// The items of the types that are no structs with fields of their own, under the names of the document.
    fn newtypes(&self, made: syn::File) -> BTreeMap<usize, Vec<syn::Item>> {
        let mut newtypes: BTreeMap<usize, Vec<syn::Item>> = BTreeMap::new();
        let mut current = None;
        for mut item in made.items {
            // What follows a type belongs to it.
            match &item {
                syn::Item::Struct(item) => {
                    current = number_of(&item.ident.to_string()).filter(|number| {
                        let schema = self.schemas.get(*number);
                        schema.is_some_and(|schema| schema.object().is_none())
                    });
                }
                syn::Item::Mod(_) => current = None,
                _ => {}
            }
            if let Some(number) = current {
                Rename(self.schemas).visit_item_mut(&mut item);
                newtypes.entry(number).or_default().push(item);
            }
        }
        newtypes
    }
}

/// What the engine says of the fields of its structs.
fn fields(types: &TypeSpace) -> HashMap<(usize, usize), FieldForm> {
    let mut forms = HashMap::new();
    for made in types.iter_types() {
        let (Some(schema), TypeDetails::Struct(object)) = (number_of(&made.name()), made.details())
        else {
            continue;
        };
        for field in object.properties_info() {
            let number = field
                .name
                .strip_prefix('f')
                .and_then(|name| name.parse().ok());
            if let Some(property) = number {
                let is_required = field.required;
                let held = form(types, field.type_id);
                forms.insert(
                    (schema, property),
                    FieldForm {
                        is_required,
                        ..held
                    },
                );
            }
        }
    }
    forms
}

fn form(types: &TypeSpace, mut id: TypeId) -> FieldForm {
    let mut form = FieldForm::default();
    while let Ok(held) = types.get_type(&id) {
        match held.details() {
            TypeDetails::Option(inner) => (form.is_option, id) = (true, inner),
            TypeDetails::Box(inner) => (form.is_boxed, id) = (true, inner),
            _ => break,
        }
    }
    form
}

/// Whether a type is of the generator's own making, and the engine gets only its name.
fn is_ours(schema: &Schema) -> bool {
    schema.alternatives().is_some() || schema.elements().is_some() || schema.place.is_string()
}

fn number_of(name: &str) -> Option<usize> {
    name.strip_prefix('T')?.parse().ok()
}

/// Puts the names of schemas in the place of their numbers.
struct Rename<'m>(&'m [Schema]);

impl VisitMut for Rename<'_> {
    fn visit_ident_mut(&mut self, ident: &mut syn::Ident) {
        let number = number_of(&ident.to_string());
        if let Some(schema) = number.and_then(|number| self.0.get(number)) {
            *ident = names::ident(&schema.name);
        }
    }
}

/// Makes the copies of schemas that the engine gets.
struct Copier<'m> {
    numbers: &'m HashMap<&'m str, usize>,
    /// The stand-ins that copies refer to, with the paths of the runtime types that they become.
    stand_ins: BTreeMap<String, &'static str>,
}

impl Copier<'_> {
    /// A schema as the engine gets it.
    fn schema(&mut self, schema: &Schema) -> JsonSchema {
        let is_sent = schema.usage.request;
        let Shape::Object(object) = &schema.place.shape else {
            return self.place(&schema.place, is_sent);
        };
        let mut copy = ObjectValidation::default();
        for (number, property) in object.properties.iter().enumerate() {
            let number = format!("f{number}");
            // The engine does not read what stands beside a reference.
            if is_sent && schema.requires(&property.name) && !property.place.nullable {
                copy.required.insert(number.clone());
            }
            let place = self.place(&property.place, is_sent);
            copy.properties.insert(number, place);
        }
        // Only members beside the properties have the type that the document gives them.
        if object.others != Others::Unmentioned {
            copy.additional_properties = Some(Box::new(self.others(&object.others, is_sent)));
        }
        object_of(copy, false)
    }

    fn place(&mut self, place: &Place, is_sent: bool) -> JsonSchema {
        if let Some(runtime) = instead(place) {
            let stand_in = format!("{STAND_IN}{}", runtime.name);
            let reference = reference_to(&stand_in);
            self.stand_ins.insert(stand_in, runtime.path);
            return reference;
        }
        let nullable = place.nullable && is_sent;
        let scalar = |kind| scalar(kind, nullable);
        match &place.shape {
            Shape::Reference(name) => match self.numbers.get(name.as_str()) {
                Some(number) => reference_to(&number_name(*number)),
                None => SchemaObject::default().into(),
            },
            Shape::Any | Shape::Union { .. } => SchemaObject::default().into(),
            Shape::Texts { .. } => scalar(InstanceType::String).into(),
            Shape::Scalar { kind, .. } => match kind {
                Scalar::Text => scalar(InstanceType::String).into(),
                Scalar::Number => scalar(InstanceType::Number).into(),
                Scalar::Boolean => scalar(InstanceType::Boolean).into(),
                Scalar::Integer => SchemaObject {
                    format: place.is_u64().then(|| "uint64".to_owned()),
                    ..scalar(InstanceType::Integer)
                }
                .into(),
            },
            Shape::List(items) => {
                let mut list = scalar(InstanceType::Array);
                list.array().items = Some(self.place(items, is_sent).into());
                list.into()
            }
            Shape::Tuple(_) => scalar(InstanceType::Array).into(),
            Shape::Map(others) | Shape::Object(Object { others, .. }) => {
                let map = ObjectValidation {
                    additional_properties: Some(Box::new(self.others(others, is_sent))),
                    ..ObjectValidation::default()
                };
                object_of(map, nullable)
            }
        }
    }

    fn others(&mut self, others: &Others, is_sent: bool) -> JsonSchema {
        match others {
            Others::Unmentioned | Others::Any => JsonSchema::Bool(true),
            Others::Of(place) => self.place(place, is_sent),
        }
    }
}

fn reference_to(name: &str) -> JsonSchema {
    SchemaObject::new_ref(format!("#/components/schemas/{name}")).into()
}

fn scalar(kind: InstanceType, nullable: bool) -> SchemaObject {
    let kind = match nullable {
        true => vec![kind, InstanceType::Null].into(),
        false => kind.into(),
    };
    SchemaObject {
        instance_type: Some(kind),
        ..SchemaObject::default()
    }
}

fn text() -> JsonSchema {
    scalar(InstanceType::String, false).into()
}

fn object_of(object: ObjectValidation, nullable: bool) -> JsonSchema {
    SchemaObject {
        object: Some(Box::new(object)),
        ..scalar(InstanceType::Object, nullable)
    }
    .into()
}

thread_local! {
    /// Whether a finding reports what panics on this thread.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs something that may panic, and returns what the panic said instead of printing it. Other threads print theirs.
fn quietly<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                hook(panic);
            }
        }));
    });
    QUIET.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(false);
    outcome.map_err(|payload| {
        payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("it panicked")
            .to_owned()
    })
}

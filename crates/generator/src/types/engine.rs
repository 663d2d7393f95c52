//! The only module that knows typify, the type engine of progenitor.
//!
//! It gets a simplified copy of the schemas, under numbers instead of names. Names of a document therefore never collide with names that the
//! engine makes up. It runs once. Its output is the form of each field of an object, which
//! it knows because it finds the types that contain themselves. Its code is not used.

use std::collections::HashMap;

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_model::{Model, Schema};
use typify_impl::{TypeDetails, TypeId, TypeSpace, TypeSpaceSettings};

use super::panics::catch_panic;
use super::runtime::is_of_runtime;
use super::simplified::{Numbers, number_name, text};

/// The types that the engine made of a model's schemas, by their positions there.
#[derive(Default)]
pub(super) struct Engine {
    /// The fields of objects, by the positions of their properties.
    fields: HashMap<(usize, usize), FieldForm>,
}

/// The form of a field's type: option, box and default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FieldForm {
    /// In an option.
    pub(super) is_option: bool,
    /// True if it is boxed, because the type would contain itself.
    pub(super) is_boxed: bool,
    /// True if a struct without it has no default.
    pub(super) is_required: bool,
}

impl Engine {
    /// Asks the engine for the types of a model.
    pub(super) fn run(source: &Source, model: &Model) -> Result<Self, DocumentError> {
        let asked = Asked::of(model);
        asked.generate(None).map_err(|message| {
            let (at, message) = asked.bisect().unwrap_or((String::new(), message));
            DocumentError::Findings(vec![source.finding(
                "engine",
                at,
                format!("the type engine cannot make types of this: {message}"),
                "simplify the schema in an override, keeping the wire format",
            )])
        })
    }

    /// Returns the form of a struct's field.
    pub(super) fn field(&self, schema: usize, property: usize) -> FieldForm {
        let form = self.fields.get(&(schema, property));
        form.copied().unwrap_or_default()
    }
}

/// The input of the engine.
struct Asked<'m> {
    schemas: &'m [Schema],
    numbers: Numbers<'m>,
}

impl<'m> Asked<'m> {
    fn of(model: &'m Model) -> Self {
        let names = model.schemas.iter().map(|schema| schema.name.as_str());
        Self {
            schemas: &model.schemas,
            numbers: Numbers(names.zip(0..).collect()),
        }
    }

    /// Returns the location of the first schema that the engine fails on, and the reason.
    fn bisect(&self) -> Option<(String, String)> {
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
        let schemas = self.schemas.iter().enumerate();
        let components = schemas.map(|(number, schema)| {
            let is_left_out = only.is_some_and(|only| only != number);
            let copy = if is_left_out || is_ours(schema) {
                text()
            } else {
                self.numbers.schema(schema)
            };
            (number_name(number), copy)
        });
        let made = catch_panic(|| {
            let mut types = TypeSpace::new(&TypeSpaceSettings::default());
            types.add_ref_types(components)?;
            Ok::<_, typify_impl::Error>(fields(&types))
        })?;
        let fields = made.map_err(|error| error.to_string())?;
        Ok(Engine { fields })
    }
}

/// Returns the forms of the fields of the engine's structs.
fn fields(types: &TypeSpace) -> HashMap<(usize, usize), FieldForm> {
    let mut forms = HashMap::new();
    for made in types.iter_types() {
        let (Some(schema), TypeDetails::Struct(object)) = (number_of(&made.name()), made.details())
        else {
            continue;
        };
        for field in object.properties_info() {
            let number = field.name.strip_prefix('f');
            if let Some(property) = number.and_then(|number| number.parse().ok()) {
                let form = form(types, field.type_id, field.required);
                forms.insert((schema, property), form);
            }
        }
    }
    forms
}

fn form(types: &TypeSpace, mut id: TypeId, is_required: bool) -> FieldForm {
    let mut form = FieldForm {
        is_required,
        ..FieldForm::default()
    };
    while let Ok(held) = types.get_type(&id) {
        match held.details() {
            TypeDetails::Option(inner) => (form.is_option, id) = (true, inner),
            TypeDetails::Box(inner) => (form.is_boxed, id) = (true, inner),
            _ => break,
        }
    }
    form
}

/// Returns whether the engine gets only the name of a type: one of the runtime, a union, a tuple or a string.
fn is_ours(schema: &Schema) -> bool {
    is_of_runtime(&schema.place)
        || schema.alternatives().is_some()
        || schema.elements().is_some()
        || schema.place.is_string()
}

fn number_of(name: &str) -> Option<usize> {
    name.strip_prefix('T')?.parse().ok()
}

//! The only module that knows typify, the type engine of progenitor.
//!
//! It gets a simplified copy of the schemas: objects and names for scalars, lists and maps, under numbers instead of names. Names of a
//! document therefore never collide with names that the engine makes up. It runs once. Its output is the code of named types that are not
//! objects, and the form of each field of an object. It knows the form because it finds the types that contain themselves.

use std::collections::{BTreeMap, HashMap};

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_model::{Form, Model, NATIVE_TYPES, RUNTIME_TYPES, Schema, names};
use syn::visit_mut::{self, VisitMut};
use typify_impl::{TypeDetails, TypeId, TypeSpace, TypeSpaceSettings};

use super::panics::catch_panic;
use super::runtime::chosen;
use super::simplified::{Numbers, number_name, stand_in, text};

/// The types that the engine made of a model's schemas, by their positions there.
#[derive(Default)]
pub(super) struct Engine {
    /// The types of numbers, booleans, lists, maps and any JSON that have names, with their conversions.
    newtypes: BTreeMap<usize, Vec<syn::Item>>,
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

    /// The items of a type with a name that has no properties.
    pub(super) fn newtype(&self, schema: usize) -> &[syn::Item] {
        self.newtypes.get(&schema).map_or(&[], Vec::as_slice)
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
        let mut components = Vec::new();
        let mut settings = TypeSpaceSettings::default();
        settings
            .with_map_type("::std::collections::BTreeMap")
            .with_derive("PartialEq".to_owned());
        for (number, schema) in self.schemas.iter().enumerate() {
            let name = number_name(number);
            let is_left_out = only.is_some_and(|only| only != number);
            let copy = match self.replacement(schema, &name, is_left_out) {
                Some(path) => {
                    settings.with_replacement(&name, path, std::iter::empty());
                    text()
                }
                None => self.numbers.schema(schema),
            };
            components.push((name, copy));
        }
        for runtime in RUNTIME_TYPES.iter().chain(&NATIVE_TYPES) {
            let name = stand_in(runtime);
            settings.with_replacement(&name, runtime.path, std::iter::empty());
            components.push((name, text()));
        }
        let made = catch_panic(|| {
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

    /// The type that takes the place of a schema: one of the runtime, or one of the generator's own making.
    fn replacement(&self, schema: &Schema, name: &str, is_left_out: bool) -> Option<String> {
        if let Some(runtime) = chosen(&schema.place).filter(|one| one.form != Form::Around) {
            return Some(runtime.path.to_owned());
        }
        (is_left_out || is_ours(schema)).then(|| name.to_owned())
    }

    /// Returns the items of the types that are not structs with fields, under the names of the document.
    fn newtypes(&self, made: syn::File) -> BTreeMap<usize, Vec<syn::Item>> {
        let mut newtypes: BTreeMap<usize, Vec<syn::Item>> = BTreeMap::new();
        let mut current = None;
        for mut item in made.items {
            // The items after a type belong to it.
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

/// Returns whether the generator emits a type itself, and the engine gets only its name.
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

    /// The engine writes this one name of the prelude without its path, and a schema may have the name.
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.is_ident("String") {
            *path = syn::parse_quote!(::std::string::String)
        } else {
            visit_mut::visit_path_mut(self, path)
        }
    }
}

//! The only place that knows progenitor and typify.
//!
//! They get a copy of the schemas that is easy for them: objects and names for scalars, lists and maps, under numbers instead of names.
//! Nothing that a document is called by can collide with what they make up. What the copy leaves out, the passes bring back.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use openapi_document::finding::Stop;
use openapi_document::source::Source;
use openapi_model::names;
use openapi_model::{Model, Schema, field_name, reference};
use progenitor::{GenerationSettings, Generator};
use serde_json::{Map, Value, json};
use syn::visit_mut::VisitMut;

use super::runtime::{Form, chosen, instead};

/// Prefix of the stand-in components that become runtime types.
const STAND_IN: &str = "RuntimeType";

/// What the engine is told of a value: anything else says nothing of its Rust type, or would become a check that fails a decode.
const KEPT: [&str; 5] = [
    "additionalProperties",
    "items",
    "nullable",
    "properties",
    "type",
];

pub(super) fn run(source: &Source, model: &Model) -> Result<syn::File, Stop> {
    let numbers: HashMap<&str, usize> = model
        .schemas
        .iter()
        .enumerate()
        .map(|(number, schema)| (schema.name.as_str(), number))
        .collect();
    let engine = Engine {
        schemas: &model.schemas,
        numbers,
    };
    let made = engine.generate(None).map_err(|message| {
        let (at, message) = engine.blame().unwrap_or((String::new(), message));
        Stop::Findings(vec![source.finding(
            "engine",
            at,
            format!("the type engine cannot make types of this: {message}"),
            "simplify the schema in an override under overrides/generator/, keeping what travels on the wire",
        )])
    })?;
    Ok(engine.finished(made))
}

struct Engine<'m> {
    schemas: &'m [Schema],
    numbers: HashMap<&'m str, usize>,
}

/// What the engine calls a schema.
fn number_name(number: usize) -> String {
    format!("T{number:06}")
}

impl Engine<'_> {
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
    fn generate(&self, only: Option<usize>) -> Result<syn::File, String> {
        let mut components = Map::new();
        let mut settings = GenerationSettings::new();
        settings
            .with_map_type("::std::collections::BTreeMap")
            .with_derive("PartialEq");
        for (number, schema) in self.schemas.iter().enumerate() {
            let name = number_name(number);
            let is_left_out = only.is_some_and(|only| only != number);
            let copy = match self.replacement(schema, &name, is_left_out) {
                Some(path) => {
                    settings.with_replacement(&name, path, std::iter::empty());
                    json!({"type": "string"})
                }
                None => self.easy(schema, &mut settings),
            };
            components.insert(name, copy);
        }
        for name in stand_ins(&components) {
            components.insert(name, json!({"type": "string"}));
        }
        let document: openapiv3::OpenAPI = serde_json::from_value(json!({
            "openapi": "3.0.3",
            "info": {"title": "schemas", "version": "1"},
            "paths": {},
            "components": {"schemas": components},
        }))
        .map_err(|error| error.to_string())?;
        let tokens = quietly(|| {
            let mut generator = Generator::new(&settings);
            generator.generate_tokens(&document)?;
            Ok::<_, progenitor::Error>(generator.get_type_space().to_stream())
        })?
        .map_err(|error| error.to_string())?;
        syn::parse2(tokens).map_err(|error| error.to_string())
    }

    /// The type that takes the place of a schema: one of the runtime, or one that a pass emits.
    fn replacement(&self, schema: &Schema, name: &str, is_left_out: bool) -> Option<String> {
        let runtime = chosen(&schema.value).filter(|runtime| runtime.form != Form::Around);
        if let Some(runtime) = runtime {
            return Some(runtime.path.to_owned());
        }
        (is_left_out || is_ours(schema)).then(|| name.to_owned())
    }

    /// A schema as the engine gets it.
    fn easy(&self, schema: &Schema, settings: &mut GenerationSettings) -> Value {
        let mut value = schema.value.clone();
        let properties = value
            .as_object_mut()
            .and_then(|map| map.shift_remove("properties"));
        self.simplify(&mut value, !schema.usage.request, settings);
        let Some(Value::Object(properties)) = properties else {
            return value;
        };
        let required: BTreeSet<&str> = match schema.usage.request {
            true => schema.required().collect(),
            false => BTreeSet::new(),
        };
        let mut copies = Map::new();
        let mut demanded = Vec::new();
        for (number, (name, mut property)) in properties.into_iter().enumerate() {
            let number = format!("f{number}");
            // The engine does not read what stands beside a reference.
            let may_be_null = property.get("nullable") == Some(&Value::Bool(true));
            if required.contains(name.as_str()) && !may_be_null {
                demanded.push(number.clone());
            }
            self.simplify(&mut property, !schema.usage.request, settings);
            copies.insert(number, property);
        }
        if let Some(map) = value.as_object_mut() {
            // Only members beside the properties have the type that the document gives them.
            if schema.value.get("additionalProperties").is_none() {
                map.shift_remove("additionalProperties");
            }
            map.insert("properties".to_owned(), Value::Object(copies));
            map.insert("required".to_owned(), demanded.into());
        }
        value
    }

    fn simplify(&self, schema: &mut Value, response_only: bool, settings: &mut GenerationSettings) {
        let runtime = instead(schema);
        let Some(map) = schema.as_object_mut() else {
            return;
        };
        if let Some(runtime) = runtime {
            let stand_in = format!("{STAND_IN}{}", runtime.name);
            settings.with_replacement(&stand_in, runtime.path, std::iter::empty());
            *schema = json!({"$ref": format!("#/components/schemas/{stand_in}")});
            return;
        }
        if map.contains_key("$ref") {
            let number = reference(schema).and_then(|name| self.numbers.get(name));
            *schema = match number {
                Some(number) => {
                    json!({"$ref": format!("#/components/schemas/{}", number_name(*number))})
                }
                None => json!({}),
            };
            return;
        }
        let is_u64 = map.get("type").and_then(Value::as_str) == Some("integer")
            && map.get("format").and_then(Value::as_str) == Some("uint64");
        map.retain(|key, _| KEPT.contains(&key.as_str()) && key != "properties");
        if is_u64 {
            map.insert("format".to_owned(), "uint64".into());
        }
        if response_only {
            map.shift_remove("nullable");
        }
        let is_object = map.get("type").and_then(Value::as_str) == Some("object");
        if is_object
            && !map
                .get("additionalProperties")
                .is_some_and(Value::is_object)
        {
            map.insert("additionalProperties".to_owned(), Value::Bool(true));
        }
        for key in ["items", "additionalProperties"] {
            if let Some(value) = map.get_mut(key) {
                self.simplify(value, response_only, settings);
            }
        }
    }

    /// What the engine made, under the names of the document, with an empty `enum` for each type that a pass emits.
    fn finished(&self, made: syn::File) -> syn::File {
        let mut ours = self
            .schemas
            .iter()
            .enumerate()
            .filter(|(_, schema)| is_ours(schema) && chosen(&schema.value).is_none())
            .map(|(number, _)| number)
            .peekable();
        let place_holder = |number| -> syn::Item {
            let name = names::ident(&number_name(number));
            syn::parse_quote!(pub enum #name {})
        };
        let mut items = Vec::with_capacity(made.items.len());
        let mut last = Vec::new();
        for mut item in made.items {
            let number = match &mut item {
                syn::Item::Struct(item) => {
                    let number = number_of(&item.ident);
                    if let Some(schema) = number.and_then(|number| self.schemas.get(number)) {
                        name_fields(item, schema);
                    }
                    number
                }
                syn::Item::Mod(module) if module.ident == "defaults" => {
                    last.push(item);
                    continue;
                }
                _ => None,
            };
            if let Some(number) = number {
                while let Some(earlier) = ours.next_if(|ours| *ours < number) {
                    items.push(place_holder(earlier));
                }
            }
            items.push(item);
        }
        items.extend(ours.map(place_holder));
        items.extend(last);
        let mut file = syn::File { items, ..made };
        Rename(self.schemas).visit_file_mut(&mut file);
        file
    }
}

/// Whether a pass emits the type, and not the engine.
fn is_ours(schema: &Schema) -> bool {
    schema.alternatives().is_some()
        || schema.elements().is_some()
        || schema.value.get("type").and_then(Value::as_str) == Some("string")
}

fn number_of(name: &syn::Ident) -> Option<usize> {
    name.to_string().strip_prefix('T')?.parse().ok()
}

/// Gives the fields of a struct their names, here and on the wire.
fn name_fields(item: &mut syn::ItemStruct, schema: &Schema) {
    let properties: Vec<_> = schema.properties().collect();
    for field in &mut item.fields {
        let number = field.ident.as_ref().and_then(|ident| {
            let ident = ident.to_string();
            ident.strip_prefix('f')?.parse::<usize>().ok()
        });
        let Some((name, value)) = number.and_then(|number| properties.get(number)) else {
            continue;
        };
        field.ident = Some(names::ident(&field_name(name, value)));
        field.attrs = vec![syn::parse_quote!(#[serde(rename = #name)])];
    }
}

/// Puts the names of schemas in the place of their numbers.
struct Rename<'m>(&'m [Schema]);

impl VisitMut for Rename<'_> {
    fn visit_ident_mut(&mut self, ident: &mut syn::Ident) {
        if let Some(schema) = number_of(ident).and_then(|number| self.0.get(number)) {
            *ident = names::ident(&schema.name);
        }
    }
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

/// The stand-ins that the copy refers to.
fn stand_ins(components: &Map<String, Value>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for schema in components.values() {
        openapi_document::pointer::walk(schema, "", &mut |_, value| {
            if let Some(name) = reference(value)
                && name.starts_with(STAND_IN)
            {
                names.insert(name.to_owned());
            }
        });
    }
    names
}

//! The only place that knows progenitor and typify.
//! They get a copy of the schemas that is easy for them; what the copy leaves out, the passes bring back.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use progenitor::{GenerationSettings, Generator};
use serde_json::{Map, Value, json};

use super::runtime::{Form, chosen};
use crate::finding::Stop;
use crate::openapi::{Model, Schema};
use crate::source::Source;

/// Prefix of the stand-in components that become runtime types.
const STAND_IN: &str = "RuntimeType";

/// Keywords that say nothing about the shape of a Rust type, or that the engine would turn into checks
/// which fail a decode.
const STRIPPED: [&str; 22] = [
    "default",
    "deprecated",
    "description",
    "discriminator",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "pattern",
    "title",
    "uniqueItems",
];

pub(super) fn run(source: &Source, model: &Model) -> Result<syn::File, Stop> {
    let all: Vec<&Schema> = model.schemas.iter().collect();
    generate(&all).map_err(|message| {
        let (schema, message) = blame(model).unwrap_or((None, message));
        let pointer = schema.map_or(String::new(), |schema| schema.pointer.clone());
        Stop::Findings(vec![source.finding(
            "engine",
            pointer,
            format!("the type engine cannot make types of this: {message}"),
            "simplify the schema in an override under overrides/generator/, keeping what travels on the wire",
        )])
    })
}

/// Runs the engine on each schema with what it refers to, and names the first that fails.
fn blame(model: &Model) -> Option<(Option<&Schema>, String)> {
    model.schemas.iter().find_map(|schema| {
        let names = closure(model, schema);
        let part: Vec<&Schema> = model
            .schemas
            .iter()
            .filter(|schema| names.contains(&schema.name))
            .collect();
        generate(&part).err().map(|message| (Some(schema), message))
    })
}

/// The names of a schema and of all that it leads to.
fn closure(model: &Model, schema: &Schema) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut waiting = vec![schema];
    while let Some(schema) = waiting.pop() {
        if names.insert(schema.name.clone()) {
            crate::pointer::walk(&schema.value, "", &mut |_, value| {
                waiting.extend(model.referenced(value));
            });
        }
    }
    names
}

fn generate(schemas: &[&Schema]) -> Result<syn::File, String> {
    let mut components = Map::new();
    let mut settings = GenerationSettings::new();
    settings
        .with_map_type("::std::collections::BTreeMap")
        .with_derive("PartialEq");
    for schema in schemas {
        components.insert(schema.name.clone(), easy(schema, &mut settings));
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

/// A schema as the engine gets it.
fn easy(schema: &Schema, settings: &mut GenerationSettings) -> Value {
    if let Some(runtime) = chosen(&schema.value).filter(|runtime| runtime.form != Form::Around) {
        settings.with_replacement(&schema.name, runtime.path, std::iter::empty());
        return json!({"type": "string"});
    }
    let mut value = schema.value.clone();
    simplify(&mut value, !schema.usage.request, settings);
    value
}

fn simplify(schema: &mut Value, response_only: bool, settings: &mut GenerationSettings) {
    let runtime = chosen(schema).filter(|runtime| runtime.form != Form::Around);
    let Some(map) = schema.as_object_mut() else {
        return;
    };
    if let Some(runtime) = runtime {
        let stand_in = format!("{STAND_IN}{}", runtime.name);
        settings.with_replacement(&stand_in, runtime.path, std::iter::empty());
        *schema = json!({"$ref": format!("#/components/schemas/{stand_in}")});
        return;
    }
    if let Some(reference) = map.get("$ref").cloned() {
        *schema = json!({"$ref": reference});
        return;
    }
    map.retain(|key, _| !key.starts_with("x-") && !STRIPPED.contains(&key.as_str()));
    if response_only {
        map.shift_remove("required");
        map.shift_remove("nullable");
    }
    if map.get("additionalProperties") == Some(&Value::Bool(false)) {
        map.shift_remove("additionalProperties");
    }
    // Only texts can be open enumerations; an unlisted number must not fail a decode.
    if map.get("type").and_then(Value::as_str) != Some("string") {
        map.shift_remove("enum");
    }
    // `null` among the enum values repeats `nullable`, and would make two types of one.
    if let Some(Value::Array(enum_values)) = map.get_mut("enum") {
        enum_values.retain(Value::is_string);
        if enum_values.is_empty() {
            map.shift_remove("enum");
        }
    }
    let is_object = map.get("type").and_then(Value::as_str) == Some("object");
    if is_object && !map.contains_key("properties") && !map.contains_key("additionalProperties") {
        map.insert("additionalProperties".to_owned(), Value::Bool(true));
    }
    for (key, value) in map {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                for (_, property) in properties {
                    simplify(property, response_only, settings);
                }
            }
            ("items" | "additionalProperties", value) => {
                simplify(value, response_only, settings);
            }
            ("allOf" | "oneOf" | "anyOf", Value::Array(parts)) => {
                for part in parts {
                    simplify(part, response_only, settings);
                }
            }
            _ => {}
        }
    }
}

/// The stand-ins that the copy refers to.
fn stand_ins(components: &Map<String, Value>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for schema in components.values() {
        crate::pointer::walk(schema, "", &mut |_, value| {
            if let Some(name) = crate::openapi::reference(value)
                && name.starts_with(STAND_IN)
            {
                names.insert(name.to_owned());
            }
        });
    }
    names
}

//! A schema, with everything below it.

use openapi_document::keywords::{Takes, keyword};
use openapi_document::pointer;
use serde_json::{Map, Value, json};

use super::walker::{Kind, Walker};
use super::{aliases, bounds, enums, keywords, shared_maps, types};

/// Maximum depth of a document. People write about 20 levels; a deeper document is circular or malicious.
const DEEPEST: usize = 60;

/// Rewrites a schema.
pub(super) fn schema(walker: &mut Walker<'_>, value: &mut Value, at: &str) {
    let map = match value {
        Value::Object(map) => map,
        Value::Bool(true) => {
            *value = json!({});
            return;
        }
        Value::Bool(false) => {
            *value = json!({"not": {}});
            return;
        }
        _ => {
            walker.warn(
                "schema-form",
                at,
                "this is not a schema, and any JSON is accepted",
                "write a schema here in an override",
            );
            *value = json!({});
            return;
        }
    };
    if at.matches('/').count() >= DEEPEST {
        walker.warn(
            "nesting",
            at,
            format!("this is nested {DEEPEST} levels deep, and any JSON is accepted"),
            "give an inner schema a name below /components/schemas in an override",
        );
        *value = json!({});
        return;
    }
    dynamic(walker, map, at);
    // typify has another extension of this name, whose value is an object.
    if map.get("x-rust-type").is_some_and(Value::is_object) {
        map.shift_remove("x-rust-type");
    }
    if map
        .get("$ref")
        .is_some_and(|reference| !reference.is_string())
    {
        dropped(walker, "$ref", at);
        map.shift_remove("$ref");
    }
    for problem in keywords::mend(map) {
        dropped(walker, problem, at);
    }
    aliases::fold(map, &walker.source.value);
    below(walker, map, at);
    for problem in bounds::plain(map)
        .into_iter()
        .chain(types::plain(map))
        .chain(enums::plain(map))
    {
        walker.warn(
            "schema-form",
            at,
            problem,
            "write the schema as OpenAPI defines it, in an override",
        );
    }
    discriminator(walker, map, at);
    walker.refer(value, at, Kind::Schema);
}

/// Rewrites the schemas inside of a schema.
fn below(walker: &mut Walker<'_>, map: &mut Map<String, Value>, at: &str) {
    for (key, value) in map.iter_mut() {
        let at = pointer::join(at, key);
        match keyword(key).map(|row| row.takes) {
            Some(Takes::SchemaOrBool) if *value == Value::Bool(false) => {}
            Some(Takes::Schema | Takes::SchemaOrBool) => schema(walker, value, &at),
            Some(Takes::NamedSchemas) => {
                if let Value::Object(named) = value {
                    shared_maps::members(walker, named, &at);
                }
                walker.each(Some(value), &at, schema);
            }
            Some(Takes::Schemas) => {
                let list = value.as_array_mut();
                for (index, part) in list.into_iter().flatten().enumerate() {
                    schema(walker, part, &format!("{at}/{index}"));
                }
            }
            _ => {}
        }
    }
}

/// Removes references with a dynamic target. One to a name that only one schema has becomes an ordinary reference.
fn dynamic(walker: &mut Walker<'_>, map: &mut Map<String, Value>, at: &str) {
    let written = map.get("$dynamicRef").and_then(Value::as_str);
    let own = written.filter(|text| text.starts_with('#') && !map.contains_key("$ref"));
    if let Some(target) = own.and_then(|text| walker.resolver.lasting(at, text)) {
        map.shift_remove("$dynamicRef");
        map.insert("$ref".to_owned(), format!("#{}", target.pointer).into());
    }
    for key in ["$dynamicRef", "$recursiveRef"] {
        if map.shift_remove(key).is_some() {
            walker.warn(
                "dynamic-reference",
                &format!("{at}/{key}"),
                format!("`{key}` has no fixed target, and any JSON is accepted"),
                "write a `$ref` to the schema that is meant, in an override",
            );
        }
    }
}

/// Rewrites the targets of a discriminator as plain pointers.
fn discriminator(walker: &mut Walker<'_>, map: &mut Map<String, Value>, at: &str) {
    let mapping = map
        .get_mut("discriminator")
        .and_then(|one| one.get_mut("mapping"))
        .and_then(Value::as_object_mut);
    let Some(mapping) = mapping else {
        return;
    };
    mapping.retain(|name, target| {
        let Some(written) = target.as_str().filter(|text| text.contains(['#', '/'])) else {
            // A bare name refers to a component.
            return target.is_string();
        };
        let at = pointer::join(&format!("{at}/discriminator/mapping"), name);
        let plain = walker.plain(written, &at);
        let is_known = plain.is_some();
        *target = plain.unwrap_or_default();
        is_known
    });
}

fn dropped(walker: &mut Walker<'_>, keyword: &str, at: &str) {
    walker.warn(
        "schema-form",
        &pointer::join(at, keyword),
        format!("`{keyword}` has no meaning in this form, and is not read"),
        "write it as OpenAPI defines it, in an override",
    );
}

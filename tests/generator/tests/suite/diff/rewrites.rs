//! Documents with the same meaning: nothing is reported for moved, wrapped, renamed or rewritten parts.

use std::collections::HashSet;
use std::ops::Range;

use openapi_document::pointer;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{compare, lines, shop};
use crate::support::{random, share};

/// Returns pointers of all schemas.
pub(super) fn schemas(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    pointer::walk(document, "", &mut |at, value| {
        let tokens: Vec<String> = pointer::tokens(at).collect();
        let is_schema = match tokens.as_slice() {
            [.., parent, last] => {
                last == "schema"
                    || ["schemas", "properties", "oneOf", "anyOf", "allOf"]
                        .contains(&parent.as_str())
                    || ["items", "additionalProperties", "not"].contains(&last.as_str())
            }
            _ => false,
        };
        let is_example = tokens
            .iter()
            .any(|token| token.starts_with("example") || token == "default");
        if is_schema && value.is_object() && !is_example {
            found.push(at.to_owned());
        }
    });
    found
}

/// Rewrites every object and every list, the innermost first.
pub(crate) fn everywhere(value: &mut Value, rewrite: &dyn Fn(&str, &mut Value), key: &str) {
    match value {
        Value::Object(map) => {
            for (key, child) in map.iter_mut() {
                everywhere(child, rewrite, key);
            }
        }
        Value::Array(items) => {
            for child in items {
                everywhere(child, rewrite, "");
            }
        }
        _ => {}
    }
    rewrite(key, value);
}

/// Returns whether a discriminator may select this schema by its name.
fn is_chosen_by_name(document: &Value, at: &str) -> bool {
    let Some((list, _)) = pointer::split_last(at) else {
        return false;
    };
    let Some((schema, _)) = pointer::split_last(list) else {
        return false;
    };
    document
        .pointer(schema)
        .is_some_and(|schema| schema.get("discriminator").is_some())
}

/// Rewrites a document as an equivalent one. `None` if the rewrite does not fit the location.
pub(crate) fn rewrite(document: &mut Value, kind: u8, number: usize) -> Option<()> {
    let all = schemas(document);
    let at = all.get(number % all.len())?.clone();
    let unused = format!("Rewritten{number}");
    match kind {
        // A reference is replaced by what it refers to.
        0 => {
            let reference = document.pointer(&at)?.get("$ref")?.as_str()?.to_owned();
            let has_more = document.pointer(&at)?.as_object()?.len() > 1;
            if has_more || is_chosen_by_name(document, &at) {
                return None;
            }
            let target = document
                .pointer(pointer::from_fragment(&reference)?)?
                .clone();
            *document.pointer_mut(&at)? = target;
            // Removing the last use of a component would be reported.
            let mut is_used = false;
            pointer::walk(document, "", &mut |_, value| {
                is_used |= value.as_str() == Some(&reference);
            });
            if !is_used {
                pointer::remove(document, pointer::from_fragment(&reference)?)?;
            }
        }
        // A schema moves to the components.
        1 => {
            if pointer::tokens(&at).count() == 3
                || document["components"]["schemas"].get(&unused).is_some()
                || is_chosen_by_name(document, &at)
            {
                return None;
            }
            let schema = document.pointer_mut(&at)?;
            let moved = std::mem::replace(
                schema,
                json!({"$ref": format!("#/components/schemas/{unused}")}),
            );
            document["components"]["schemas"][&unused] = moved;
        }
        // A component gets another name.
        2 => {
            let schemas = document["components"]["schemas"].as_object_mut()?;
            let name = schemas.keys().nth(number % schemas.len())?.clone();
            if schemas.contains_key(&unused) || name == "Cash" {
                return None;
            }
            let schema = schemas.remove(&name)?;
            schemas.insert(unused.clone(), schema);
            let (old, new) = (
                format!("#/components/schemas/{name}"),
                format!("#/components/schemas/{unused}"),
            );
            everywhere(
                document,
                &|_, value| {
                    if value.as_str() == Some(&old) {
                        *value = new.clone().into();
                    }
                },
                "",
            );
        }
        // A schema is wrapped.
        3 => {
            let keyword = ["allOf", "oneOf", "anyOf"][number % 3];
            if is_chosen_by_name(document, &at) {
                return None;
            }
            let schema = document.pointer_mut(&at)?;
            // An anchor would be that of the inner schema, which the discriminator does not select.
            let anchors = ["$anchor", "$dynamicAnchor"];
            if anchors.iter().any(|anchor| schema.get(anchor).is_some()) {
                return None;
            }
            *schema = json!({keyword: [schema.clone()]});
        }
        // Enum values become alternatives.
        4 => {
            let schema = document.pointer_mut(&at)?.as_object_mut()?;
            let Some(Value::Array(listed)) = schema.remove("enum") else {
                return None;
            };
            let one: Vec<Value> = listed
                .into_iter()
                .map(|enum_value| json!({"const": enum_value}))
                .collect();
            schema.insert("oneOf".to_owned(), one.into());
        }
        // The other notation of null.
        5 => {
            let schema = document.pointer_mut(&at)?.as_object_mut()?;
            if schema.remove("nullable").is_some() {
                let name = schema.get("type")?.clone();
                schema.insert("type".to_owned(), json!([name, "null"]));
            } else if let Some(Value::Array(names)) = schema.get("type").cloned() {
                let [name, null] = names.as_slice() else {
                    return None;
                };
                if null != "null" {
                    return None;
                }
                schema.insert("type".to_owned(), name.clone());
                if number.is_multiple_of(2) {
                    schema.insert("nullable".to_owned(), true.into());
                } else {
                    let nothing = match number % 3 {
                        0 => json!({"type": "null"}),
                        1 => json!({"const": null}),
                        _ => json!({"type": name, "nullable": true, "enum": [null]}),
                    };
                    let inner = Value::Object(std::mem::take(schema));
                    schema.insert("anyOf".to_owned(), json!([inner, nothing]));
                }
            } else {
                return None;
            }
        }
        // The other notation of an excluded bound, and of the only enum value.
        6 => everywhere(
            document,
            &|_, value| {
                let Value::Object(schema) = value else { return };
                if schema.get("exclusiveMinimum") == Some(&Value::Bool(true)) {
                    let bound = schema.remove("minimum").unwrap();
                    schema.insert("exclusiveMinimum".to_owned(), bound);
                } else if schema.get("exclusiveMinimum").is_some_and(Value::is_number) {
                    let bound = schema.remove("exclusiveMinimum").unwrap();
                    schema.insert("minimum".to_owned(), bound);
                    schema.insert("exclusiveMinimum".to_owned(), true.into());
                }
                if schema.get("const").is_some_and(Value::is_string) {
                    let enum_value = schema.remove("const").unwrap();
                    schema.insert("enum".to_owned(), json!([enum_value]));
                }
            },
            "",
        ),
        // Another order where order has no meaning.
        7 => everywhere(
            document,
            &|key, value| match value {
                Value::Object(map) => {
                    let entries: Vec<(String, Value)> =
                        std::mem::take(map).into_iter().rev().collect();
                    *map = entries.into_iter().collect();
                }
                Value::Array(items)
                    if [
                        "required",
                        "enum",
                        "parameters",
                        "oneOf",
                        "anyOf",
                        "allOf",
                        "type",
                        "security",
                    ]
                    .contains(&key) =>
                {
                    items.reverse();
                }
                _ => {}
            },
            "",
        ),
        // A path parameter gets another name.
        8 => {
            let Value::Object(paths) = document["paths"].take() else {
                return None;
            };
            let mut renamed = Map::new();
            for (path, item) in paths {
                renamed.insert(path.replace("{id}", "{number}"), item);
            }
            document["paths"] = renamed.into();
            everywhere(
                document,
                &|_, value| {
                    if value.get("in").is_some_and(|place| place == "path") && value["name"] == "id"
                    {
                        value["name"] = "number".into();
                    }
                },
                "",
            );
        }
        // A parameter, body or response moves to the components.
        9 => {
            let mut places = Vec::new();
            pointer::walk(&document["paths"], "/paths", &mut |at, value| {
                let tokens: Vec<String> = pointer::tokens(at).collect();
                let kind = match tokens.as_slice() {
                    [_, _, method, list, _] if method != "parameters" && list == "parameters" => {
                        "parameters"
                    }
                    [_, _, _, list, _] if list == "responses" => "responses",
                    [_, _, _, last] if last == "requestBody" => "requestBodies",
                    _ => return,
                };
                if value.is_object() && value.get("$ref").is_none() {
                    places.push((at.to_owned(), kind));
                }
            });
            let (at, kind) = places.get(number % places.len().max(1))?;
            if document["components"][kind].get(&unused).is_some() {
                return None;
            }
            let value = document.pointer_mut(at)?;
            let moved = std::mem::replace(
                value,
                json!({"$ref": format!("#/components/{kind}/{unused}")}),
            );
            document["components"][kind][&unused] = moved;
        }
        // Properties are spread over an `allOf`.
        10 => {
            let schema = document.pointer_mut(&at)?.as_object_mut()?;
            if schema.contains_key("allOf") || schema.contains_key("$ref") {
                return None;
            }
            let properties = schema.remove("properties")?;
            let mut parts = Vec::new();
            for (name, property) in properties.as_object()? {
                parts.push(json!({"properties": {name: property}}));
            }
            if let Some(required) = schema.remove("required") {
                parts.push(json!({"required": required}));
            }
            schema.insert("allOf".to_owned(), parts.into());
        }
        // A component is referred to by an anchor.
        11 => {
            let schemas = document["components"]["schemas"].as_object_mut()?;
            let name = schemas.keys().nth(number % schemas.len())?.clone();
            let schema = schemas[&name].as_object_mut()?;
            let is_dynamic = number.is_multiple_of(2);
            let [anchor, keyword] = if is_dynamic {
                ["$dynamicAnchor", "$dynamicRef"]
            } else {
                ["$anchor", "$ref"]
            };
            if schema.contains_key(anchor) || name == "Cash" {
                return None;
            }
            schema.insert(anchor.to_owned(), unused.as_str().into());
            let old = format!("#/components/schemas/{name}");
            everywhere(
                document,
                &|_, value| {
                    let Value::Object(holder) = value else { return };
                    if holder.get("$ref").is_some_and(|text| *text == old) {
                        holder.remove("$ref");
                        holder.insert(keyword.to_owned(), format!("#{unused}").into());
                    }
                },
                "",
            );
        }
        // The version of the document.
        _ => {
            document["openapi"] = if number.is_multiple_of(2) {
                "3.0.3"
            } else {
                "3.1.1"
            }
            .into()
        }
    }
    Some(())
}

fn text(value: &Value) -> String {
    serde_json::to_string(value).unwrap()
}

/// Kinds of [`rewrite`].
const KINDS: u8 = 13;

/// A rewrite of a document as an equivalent one, by its kind and a number; `None` if it does not fit.
pub(super) type Rewrite = fn(&mut Value, u8, usize) -> Option<()>;

/// Applies rewrites of these kinds, each at many locations, and checks that nothing is reported. Rewrites with an equal result are one case.
pub(super) fn each_fits_somewhere_and_reports_nothing(
    kinds: Range<u8>,
    rewrite: Rewrite,
    reported: fn(&Value, &Value) -> Vec<String>,
) {
    let shop = shop();
    let most = schemas(shop).len() / share();
    for kind in kinds {
        // Compared as strings: the order of keys is a rewrite too.
        let mut known = HashSet::from([text(shop)]);
        for number in 0..schemas(shop).len() {
            if known.len() > most {
                break;
            }
            let mut other = shop.clone();
            if rewrite(&mut other, kind, number).is_some() && known.insert(text(&other)) {
                for (old, new) in [(shop, &other), (&other, shop)] {
                    let reported = reported(old, new);
                    assert!(
                        reported.is_empty(),
                        "kind {kind}, number {number}: {reported:#?}"
                    );
                }
            }
        }
        assert!(known.len() > 1, "kind {kind} fits nowhere");
    }
}

/// Returns the shop after the rewrites that fit, one after the other.
pub(super) fn rewritten(steps: &[(u8, usize)], rewrite: Rewrite) -> Value {
    let mut document = shop().clone();
    for (kind, number) in steps {
        let before = document.clone();
        if rewrite(&mut document, *kind, *number).is_none() {
            document = before;
        }
    }
    document
}

fn all_changes(old: &Value, new: &Value) -> Vec<String> {
    lines(&compare(old, new).changes)
}

#[test]
fn every_rewrite_fits_somewhere_and_reports_nothing() {
    each_fits_somewhere_and_reports_nothing(0..4, rewrite, all_changes);
}

#[test]
fn every_further_rewrite_fits_somewhere_and_reports_nothing() {
    each_fits_somewhere_and_reports_nothing(4..KINDS, rewrite, all_changes);
}

proptest! {
    #![proptest_config(random(128))]

    #[test]
    fn rewrites_one_after_the_other_report_nothing(steps in prop::collection::vec((0..KINDS, 0usize..1000), 1..12)) {
        let other = rewritten(&steps, rewrite);
        let changes = all_changes(shop(), &other);
        prop_assert!(changes.is_empty(), "{changes:#?}\n{other:#}");
    }
}

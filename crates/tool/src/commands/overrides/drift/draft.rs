//! Drafts of an override for a line of drift, and of its evidence.

use openapi_document::pointer;
use serde_json::{Map, Value, json};

use super::lines::{Kind, Line};
use super::places::Found;
use crate::commands::overrides::text::{file, kebab, path};

/// An override that is not written yet.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) id: String,
    /// The place in the document that it was found at.
    pub(super) place: String,
    title: String,
    published: String,
    observed: String,
    retire_when: String,
    /// The actions without their guards.
    actions: Vec<Value>,
    schema: String,
    /// A payload of that schema as observed, and one as documented.
    payloads: (Value, Value),
    /// True if the update still needs a description.
    lacks_description: bool,
}

impl Draft {
    pub(super) fn new(found: Found, line: &Line, id: Option<&str>) -> Self {
        let (schema, steps) = found.component.clone().unwrap_or_default();
        let name = pointer::tokens(&line.pointer).last().unwrap_or_default();
        let owner = match schema.as_str() {
            "" => line.operation.clone().unwrap_or_default(),
            schema => schema.to_owned(),
        };
        let property = (steps.iter().rev()).find(|step| step.parse::<usize>().is_err());
        let (of, usual) = match property {
            // An enumeration may be a separate component.
            None if !schema.is_empty() => (format!("`{owner}`"), owner.clone()),
            property => {
                let property = property.unwrap_or(&name);
                (
                    format!("`{property}` of `{owner}`"),
                    format!("{owner} {property}"),
                )
            }
        };
        let usual = match &line.kind {
            Kind::EnumValue(value) => format!("{usual} {value}"),
            Kind::Type { .. } => format!("{usual} type"),
            _ => usual,
        };
        let property = property.cloned().unwrap_or(name);
        let id = id.map_or_else(|| kebab(&usual), str::to_owned);
        let within = |observed: Value, documented: Option<Value>| {
            let documented = documented.map_or_else(|| json!({}), |value| nested(&steps, value));
            (nested(&steps, observed), documented)
        };
        let new = Self {
            id,
            place: found.place.clone(),
            title: String::new(),
            published: String::new(),
            observed: String::new(),
            retire_when: String::new(),
            actions: Vec::new(),
            schema,
            payloads: (Value::Null, Value::Null),
            lacks_description: false,
        };
        match &line.kind {
            // The commands write no override for it.
            Kind::Missing | Kind::Null => new,
            Kind::Property(ty) => {
                let ty = ty.as_deref();
                let target = path(&found.place) + ".properties";
                let responses = ty.map_or_else(
                    || "have it.".to_owned(),
                    |ty| format!("have it, of type {ty}."),
                );
                Self {
                    title: format!("{of} exists"),
                    published: format!("`{owner}` has no property `{property}`."),
                    observed: format!("Responses {responses}"),
                    retire_when: format!("`{property}` is published."),
                    actions: vec![
                        json!({"target": target, "update": {property.clone(): of_type(ty)}}),
                    ],
                    payloads: within(sample(ty.unwrap_or("string")), None),
                    lacks_description: true,
                    ..new
                }
            }
            Kind::EnumValue(value) => Self {
                title: format!("{of} may be `{value}`"),
                published: format!("The enum values of {of} lack `{value}`."),
                observed: format!("Responses have `{value}`."),
                retire_when: format!("`{value}` is published."),
                actions: vec![json!({"target": path(&found.place), "update": {"enum": [value]}})],
                payloads: within(Value::from(value.as_str()), found.documented),
                ..new
            },
            Kind::Type { sent, documented } | Kind::Alias { sent, documented } => {
                let first = documented.split(" or ").next().unwrap_or_default();
                let actions = retyped(&found, sent);
                let documented_as = found.documented.unwrap_or_else(|| sample(first));
                Self {
                    title: format!("{of} is of type {sent}"),
                    published: format!("It is of type {documented}."),
                    observed: format!("Responses have values of type {sent}."),
                    retire_when: format!("The published type is {sent}."),
                    actions,
                    payloads: within(sample(sent), Some(documented_as)),
                    ..new
                }
            }
        }
    }

    /// The file, without guards.
    pub(super) fn text(&self) -> String {
        let head = json!({
            "overlay": "1.1.0",
            "info": {"title": self.title, "version": "1.0.0"},
            "x-override": {
                "published": self.published,
                "observed": self.observed,
                "reference": "",
                "retire-when": self.retire_when,
                "evidence": [format!("evidence/{}.json", self.id)],
            },
        });
        file(&head, &self.actions)
    }

    /// The evidence, whose note a person writes.
    pub(super) fn evidence(&self) -> serde_json::Result<String> {
        let (payload, published) = &self.payloads;
        let evidence = json!({
            "note": "",
            "schema": self.schema,
            "payload": payload,
            "published": published,
        });
        Ok(serde_json::to_string_pretty(&evidence)? + "\n")
    }

    /// Lists the parts that are left to write.
    pub(super) fn left(&self, folder: &str) -> Vec<String> {
        let id = &self.id;
        let description = match self.lacks_description {
            true => ", the `description` of the property",
            false => "",
        };
        let schema = match self.schema.as_str() {
            "" => ", `schema` (no component is around this place)",
            _ => "",
        };
        vec![
            format!(
                "write `reference`{description} into {folder}/upstream/{id}.yaml: the section of the reference that says otherwise"
            ),
            format!(
                "write `note`{schema} into {folder}/evidence/{id}.json: what its payload, whose values are made up, is built from"
            ),
        ]
    }
}

/// The actions that give a place another type.
fn retyped(found: &Found, sent: &str) -> Vec<Value> {
    let mut schema = of_type(Some(sent));
    // The annotations for readers stay true.
    for key in ["title", "description"] {
        if let (Some(text), Some(map)) = (found.schema.get(key), schema.as_object_mut()) {
            map.insert(key.to_owned(), text.clone());
        }
    }
    let (above, key) = pointer::split_last(&found.place).unwrap_or(("", String::new()));
    // A reference or a format cannot be merged away.
    vec![
        json!({"target": path(&found.place), "remove": true}),
        json!({"target": path(above), "update": {key: schema}}),
    ]
}

/// The schema of a JSON type.
fn of_type(ty: Option<&str>) -> Value {
    match ty {
        None => json!({}),
        Some("array") => json!({"type": "array", "items": {}}),
        Some(ty) => json!({"type": ty}),
    }
}

/// A made-up value of a JSON type.
fn sample(ty: &str) -> Value {
    match ty {
        "integer" => json!(1),
        "number" => json!(0.5),
        "boolean" => json!(true),
        "array" => json!([]),
        "object" => json!({}),
        _ => json!("text"),
    }
}

/// A value at the end of these steps.
fn nested(steps: &[String], value: Value) -> Value {
    steps.iter().rev().fold(value, |value, step| {
        if step.bytes().all(|byte| byte.is_ascii_digit()) {
            return Value::Array(vec![value]);
        }
        let mut map = Map::new();
        map.insert(step.clone(), value);
        Value::Object(map)
    })
}

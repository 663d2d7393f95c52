//! Bodies fitted to the document: fields without sample data are made up from the schemas, and undocumented fields are removed. If one field
//! was removed and one of the same kind is new, the new field gets the value of the old one.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::data::World;
use crate::document::Document;
use crate::made_up;
use crate::operation::PRICE;
use crate::paging::Paging;
use crate::vocabulary::{self, BLANK};

/// Properties that the sample data omit on purpose. Both are assumed in two places, and the responses have them in the other one.
const LEFT_OUT: [&str; 2] = ["NewsArticle.status", "NewsResponse.primary_tag"];

/// Properties that occur in the sample data, as `Schema.property`.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    properties: BTreeSet<String>,
}

impl Shown {
    /// Reads all sample data by the schemas of the operations.
    pub(crate) fn of(document: &Document, samples: &World) -> Self {
        let mut shown = Self::default();
        for operation in &document.operations {
            let Some(schema) = &operation.response else {
                continue;
            };
            for mut body in samples.samples(&operation.id) {
                // Members that every response gets later.
                if let Some(body) = body.as_object_mut() {
                    let paging = operation.paging.iter();
                    let echo = paging.flat_map(Paging::echoed);
                    let added = echo.map(String::as_str).chain([PRICE]);
                    body.extend(added.map(|name| (name.to_owned(), Value::Null)));
                }
                shown.visit(document, schema, &operation.id, &body);
            }
        }
        shown
    }

    fn visit(&mut self, document: &Document, schema: &Value, owner: &str, value: &Value) {
        let (schema, owner) = named(document, schema, owner);
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    let place = format!("{owner}.{name}");
                    let (property, _) = property(document, schema, name);
                    if let Some(property) = property {
                        self.visit(document, property, &place, value);
                    }
                    self.properties.insert(place);
                }
            }
            Value::Array(items) => {
                let schema = schema.get("items").unwrap_or(&Value::Null);
                for item in items {
                    self.visit(document, schema, &owner, item);
                }
            }
            _ => {}
        }
    }

    fn has(&self, place: &str) -> bool {
        self.properties.contains(place) || LEFT_OUT.contains(&place)
    }
}

/// A body, and the properties made up in it.
pub(crate) struct Fitted {
    pub(crate) body: Value,
    /// Names as `Schema.property`, sorted.
    pub(crate) made_up: BTreeSet<String>,
}

/// Fits a body to the schema of the response.
pub(crate) fn fit(
    document: &Document,
    shown: &Shown,
    schema: &Value,
    owner: &str,
    body: Value,
) -> Fitted {
    let mut fit = Fit {
        document,
        shown,
        made_up: BTreeSet::new(),
    };
    let body = fit.value(schema, owner, body, 0);
    Fitted {
        body,
        made_up: fit.made_up,
    }
}

struct Fit<'a> {
    document: &'a Document,
    shown: &'a Shown,
    made_up: BTreeSet<String>,
}

impl Fit<'_> {
    fn value(&mut self, schema: &Value, owner: &str, value: Value, number: usize) -> Value {
        let mut written = [schema, self.document.resolve(schema)].into_iter();
        let is_blank = value == "" && written.any(|one| one.get(BLANK).is_some());
        let (schema, owner) = named(self.document, schema, owner);
        if !is_blank && !fits(self.document, schema, &value) {
            let name = owner.rsplit('.').next().unwrap_or_default();
            let value = made_up::value(self.document, schema, name, number);
            self.made_up.insert(owner);
            return value;
        }
        match value {
            Value::Object(object) => self.object(schema, &owner, object, number),
            Value::Array(items) => {
                let schema = schema.get("items").unwrap_or(&Value::Null);
                let items = (0..).zip(items);
                items
                    .map(|(number, item)| self.value(schema, &owner, item, number))
                    .collect()
            }
            Value::String(text) if is_date(schema) => match text.split_once('T') {
                Some((day, _)) => day.into(),
                None => text.into(),
            },
            plain => plain,
        }
    }

    fn object(
        &mut self,
        schema: &Value,
        owner: &str,
        mut object: Map<String, Value>,
        number: usize,
    ) -> Value {
        let mut fitted = Map::new();
        if let Some((old, new)) = self.renamed(schema, owner, &object)
            && let Some(value) = object.remove(&old)
        {
            self.made_up.insert(format!("{owner}.{new}"));
            object.insert(new, value);
        }
        for name in declared(self.document, schema) {
            let place = format!("{owner}.{name}");
            let (Some(property), _) = property(self.document, schema, &name) else {
                continue;
            };
            if let Some(value) = object.remove(&name) {
                fitted.insert(name, self.value(property, &place, value, number));
            } else if !self.shown.has(&place) {
                let value = made_up::value(self.document, property, &name, number);
                self.made_up.insert(place);
                fitted.insert(name, value);
            }
        }
        for (name, value) in object {
            let place = format!("{owner}.{name}");
            match property(self.document, schema, &name) {
                (Some(other), _) => {
                    fitted.insert(name, self.value(other, &place, value, number));
                }
                (None, true) => {
                    fitted.insert(name, value);
                }
                (None, false) => {}
            }
        }
        fitted.into()
    }

    /// Returns a renamed property: the only undocumented one of a sample, and the only new one of its kind.
    fn renamed(
        &self,
        schema: &Value,
        owner: &str,
        object: &Map<String, Value>,
    ) -> Option<(String, String)> {
        let declared = declared(self.document, schema).into_iter();
        let is_new = |name: &String| {
            !object.contains_key(name) && !self.shown.has(&format!("{owner}.{name}"))
        };
        let mut new = declared.filter(is_new);
        let is_gone = |name: &&String| property(self.document, schema, name) == (None, false);
        let mut gone = object.keys().filter(is_gone);
        let (old, heir) = (gone.next()?, new.next()?);
        let (property, _) = property(self.document, schema, &heir);
        let (property, value) = (self.document.resolve(property?), object.get(old)?);
        let is_alone = gone.next().is_none() && new.next().is_none();
        // A sample string does not fit a property with a format.
        let is_formless = property.get("format").is_none() || !value.is_string();
        let is_heir = is_alone && is_formless && fits(self.document, property, value);
        is_heir.then(|| (old.clone(), heir))
    }
}

/// Returns the resolved schema, and its name.
fn named<'a>(document: &'a Document, schema: &'a Value, owner: &str) -> (&'a Value, String) {
    let resolved = document.resolve(schema);
    let parts = resolved.get("allOf").and_then(Value::as_array);
    let inner = match parts.map(Vec::as_slice) {
        // A nullable reference.
        Some([only]) => only,
        _ => schema,
    };
    let meant = document.resolve(inner);
    let reference = inner.get("$ref").and_then(Value::as_str);
    let component = reference.and_then(|reference| reference.rsplit('/').next());
    // An inline schema has the name of its field.
    let place = [schema, inner];
    let place = place
        .iter()
        .find_map(|one| one.get("x-rust-type-name")?.as_str());
    let name = place.or_else(|| component.map(|own| vocabulary::name(meant).unwrap_or(own)));
    (meant, name.unwrap_or(owner).to_owned())
}

/// Returns the names of the properties of a schema, including those of its `allOf`.
fn declared(document: &Document, schema: &Value) -> BTreeSet<String> {
    let own = schema.get("properties").and_then(Value::as_object);
    let own = own.into_iter().flat_map(|all| all.keys().cloned());
    let parts = schema.get("allOf").and_then(Value::as_array);
    let parts = parts.into_iter().flatten();
    own.chain(parts.flat_map(|part| declared(document, document.resolve(part))))
        .collect()
}

/// Returns the schema of a property, and whether a property without a schema is allowed.
fn property<'a>(
    document: &'a Document,
    schema: &'a Value,
    name: &str,
) -> (Option<&'a Value>, bool) {
    let own = schema.get("properties").and_then(|all| all.get(name));
    let parts = schema.get("allOf").and_then(Value::as_array);
    let mut parts = parts.into_iter().flatten();
    let own =
        own.or_else(|| parts.find_map(|part| property(document, document.resolve(part), name).0));
    match (own, schema.get("additionalProperties")) {
        (Some(own), _) => (Some(own), true),
        (None, Some(others @ Value::Object(_))) => (Some(others), true),
        (None, Some(Value::Bool(allowed))) => (None, *allowed),
        (None, _) => (None, declared(document, schema).is_empty()),
    }
}

fn is_date(schema: &Value) -> bool {
    schema.get("format").is_some_and(|format| format == "date")
}

/// Returns whether a value has the type of its schema. A sample may be null anywhere.
fn fits(document: &Document, schema: &Value, value: &Value) -> bool {
    let is_of_kind = match schema.get("type").and_then(Value::as_str) {
        _ if value.is_null() => true,
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => true,
    };
    let enum_values = document.resolve(schema).get("enum");
    let is_listed = enum_values
        .and_then(Value::as_array)
        .is_none_or(|all| all.contains(value) || value.is_null());
    is_of_kind && is_listed
}

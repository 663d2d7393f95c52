//! Validates JSON values by the document's schemas: broken rules and their location. Supports the part of OpenAPI 3.0 that the document uses.
//!
//! Stricter than the standard in one point: an undeclared property of a schema with properties is a violation, unless it has
//! `additionalProperties`. Otherwise misspelt names would pass.

use serde_json::Value;

use crate::document::Document;

/// A broken rule.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Violation {
    /// JSON Pointer to the value, below the start of the check.
    pub(crate) place: String,
    pub(crate) rule: String,
}

/// Returns every rule of `schema` that `value` breaks.
pub(crate) fn check(document: &Document, schema: &Value, value: &Value) -> Vec<Violation> {
    let mut check = Check {
        document,
        violations: Vec::new(),
    };
    check.value(schema, value, "");
    check.violations
}

struct Check<'a> {
    document: &'a Document,
    violations: Vec<Violation>,
}

impl Check<'_> {
    fn value(&mut self, schema: &Value, value: &Value, place: &str) {
        let schema = self.document.resolve(schema);
        let kind = schema.get("type").and_then(Value::as_str);
        let parts = schema.get("allOf").and_then(Value::as_array);
        if value.is_null() {
            let nullable = schema.get("nullable") == Some(&Value::Bool(true));
            if !nullable && (kind.is_some() || parts.is_some()) {
                self.report(place, "must not be null");
            }
            return;
        }
        for part in parts.into_iter().flatten() {
            self.value(part, value, place);
        }
        for key in ["oneOf", "anyOf"] {
            let choices = schema.get(key).and_then(Value::as_array);
            let mut choices = choices.into_iter().flatten();
            let fits = |one: &Value| check(self.document, one, value).is_empty();
            if choices.clone().next().is_some() && !choices.any(fits) {
                self.report(place, "must fit one of its alternatives");
            }
        }
        let fits = match kind {
            Some("string") => value.is_string(),
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            Some("array") => value.is_array(),
            Some("object") => value.is_object(),
            _ => true,
        };
        if !fits {
            return self.report(place, format!("must be of type {}", kind.unwrap_or("any")));
        }
        self.enum_values(schema, value, place);
        self.bounds(schema, value, place);
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            if let Some(schema) = schema.get("items") {
                self.value(schema, item, &format!("{place}/{index}"));
            }
        }
        self.properties(schema, value, place);
    }

    fn enum_values(&mut self, schema: &Value, value: &Value, place: &str) {
        let Some(listed) = schema.get("enum").and_then(Value::as_array) else {
            return;
        };
        if !listed.contains(value) {
            let texts: Vec<_> = listed.iter().filter_map(Value::as_str).collect();
            self.report(place, format!("must be one of {}", texts.join(", ")));
        }
    }

    fn bounds(&mut self, schema: &Value, value: &Value, place: &str) {
        let bound = |name| schema.get(name).filter(|bound| bound.is_number());
        let exceeds = |value: &Value, bound: &Value| value.as_f64() > bound.as_f64();
        if value.is_number() {
            if let Some(least) = bound("minimum").filter(|least| exceeds(least, value)) {
                self.report(place, format!("must be at least {least}"));
            }
            if let Some(most) = bound("maximum").filter(|most| exceeds(value, most)) {
                self.report(place, format!("must be at most {most}"));
            }
        }
        if let Some(text) = value.as_str() {
            let length = Value::from(text.chars().count());
            if let Some(least) = bound("minLength").filter(|least| exceeds(least, &length)) {
                self.report(place, format!("must have at least {least} characters"));
            }
            if let Some(most) = bound("maxLength").filter(|most| exceeds(&length, most)) {
                self.report(place, format!("must have at most {most} characters"));
            }
        }
    }

    fn properties(&mut self, schema: &Value, value: &Value, place: &str) {
        let Some(object) = value.as_object() else {
            return;
        };
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !object.contains_key(name) {
                self.report(&format!("{place}/{name}"), "is required");
            }
        }
        let declared = schema.get("properties").and_then(Value::as_object);
        let additional = schema.get("additionalProperties");
        for (name, value) in object {
            let place = format!("{place}/{name}");
            match (declared.and_then(|all| all.get(name)), additional) {
                (Some(schema), _) => self.value(schema, value, &place),
                (None, Some(schema @ Value::Object(_))) => self.value(schema, value, &place),
                (None, Some(Value::Bool(true))) => {}
                (None, None) if declared.is_none() => {}
                (None, _) => self.report(&place, "is not known"),
            }
        }
    }

    fn report(&mut self, place: &str, rule: impl Into<String>) {
        self.violations.push(Violation {
            place: place.to_owned(),
            rule: rule.into(),
        });
    }
}

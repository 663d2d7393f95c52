//! Validation of values by schemas.

use std::fmt;

use regex_lite::Regex;
use serde_json::{Number, Value, json};

use crate::{Document, wire};

/// A broken rule of the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Name of a parameter, or location in a body. Empty for the request as a whole.
    pub place: String,
    /// The rule, such as `must be at least 1`.
    pub rule: String,
}

impl Violation {
    /// Creates a violation.
    pub fn new(place: impl Into<String>, rule: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            rule: rule.into(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            return f.write_str(&self.rule);
        }
        write!(f, "`{}` {}", self.place, self.rule)
    }
}

/// Writes violations as one line.
pub(crate) fn sentence(violations: &[Violation]) -> String {
    let all: Vec<String> = violations.iter().map(Violation::to_string).collect();
    all.join("; ")
}

/// Returns every rule of a schema that a value breaks, with locations that begin with `at`. Several branches of `oneOf` may fit, because many
/// documents mean `anyOf`, and the value is compared with the caller's arguments anyway.
pub fn violations(document: &Document, schema: &Value, value: &Value, at: &str) -> Vec<Violation> {
    let mut check = Check {
        document,
        violations: Vec::new(),
    };
    check.value(schema, value, at);
    check.violations
}

/// Returns whether a schema allows a value.
pub(crate) fn allows(document: &Document, schema: &Value, value: &Value) -> bool {
    violations(document, schema, value, "").is_empty()
}

/// Returns the members of a value that its schema does not declare. A schema that names no members allows any.
pub fn undeclared(document: &Document, schema: &Value, value: &Value, at: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    let declared = wire::declared(document, schema, value, 12);
    missing_members(value, &declared, at, &mut violations);
    violations
}

fn missing_members(value: &Value, declared: &Value, at: &str, violations: &mut Vec<Violation>) {
    if let (Value::Array(all), Value::Array(declared)) = (value, declared) {
        for (index, (one, declared)) in all.iter().zip(declared).enumerate() {
            missing_members(one, declared, &format!("{at}/{index}"), violations);
        }
    }
    for (name, value) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        match declared.get(name) {
            Some(declared) => missing_members(value, declared, &at, violations),
            None => violations.push(Violation::new(at, "is not known")),
        }
    }
}

struct Check<'a> {
    document: &'a Document,
    violations: Vec<Violation>,
}

impl Check<'_> {
    fn value(&mut self, schema: &Value, value: &Value, place: &str) {
        let schema = self.document.meant(schema);
        if schema == &json!(false) {
            return self.report(place, "is not allowed");
        }
        if value.is_null() && schema.get("nullable") == Some(&json!(true)) {
            return;
        }
        if let Some(types) = schema.get("type").filter(|types| !has_type(value, types)) {
            let rule = if value.is_null() {
                "must not be null".to_owned()
            } else {
                format!("must be of type {}", listed(types))
            };
            return self.report(place, rule);
        }
        if schema.get("const").is_some_and(|only| !same(only, value)) {
            self.report(place, "must be the constant");
        }
        if let Some(values) = schema.get("enum")
            && !elements(schema, "enum").any(|one| same(one, value))
        {
            self.report(place, format!("must be one of {}", listed(values)));
        }
        if let Some(rule) = broken_bound(schema, value) {
            self.report(place, rule);
        }
        if let Some(text) = value.as_str() {
            let pattern = schema.get("pattern").and_then(Value::as_str);
            // A pattern that the regex crate cannot parse is not checked.
            let pattern = pattern.and_then(|pattern| Regex::new(pattern).ok());
            if pattern.is_some_and(|pattern| !pattern.is_match(text)) {
                self.report(place, "must match the pattern");
            }
        }
        self.parts(schema, value, place);
        self.elements(schema, value, place);
        self.members(schema, value, place);
    }

    fn parts(&mut self, schema: &Value, value: &Value, place: &str) {
        for part in elements(schema, "allOf") {
            self.value(part, value, place);
        }
        for key in ["oneOf", "anyOf"] {
            let mut broken = Vec::new();
            let mut alternatives = elements(schema, key);
            let is_allowed = alternatives.any(|one| {
                let violations = violations(self.document, one, value, place);
                let is_allowed = violations.is_empty();
                broken.push(sentence(&violations));
                is_allowed
            });
            if !is_allowed && !broken.is_empty() {
                let broken = broken.join("; or ");
                self.report(
                    place,
                    format!("must fit one of its alternatives ({broken})"),
                );
            }
        }
        if let Some(discriminator) = schema.get("discriminator")
            && let Some(name) = discriminator.get("propertyName").and_then(Value::as_str)
            && value.is_object()
            && value.get(name).is_none()
        {
            self.report(&format!("{place}/{name}"), "is required");
        }
    }

    fn elements(&mut self, schema: &Value, value: &Value, place: &str) {
        let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
        let is_twice =
            |(index, one): (usize, &Value)| all.iter().skip(index + 1).any(|other| other == one);
        if schema.get("uniqueItems") == Some(&json!(true)) && all.iter().enumerate().any(is_twice) {
            self.report(place, "must not have an element twice");
        }
        let mut by_position = elements(schema, "prefixItems");
        for (index, item) in all.iter().enumerate() {
            if let Some(items) = by_position.next().or_else(|| schema.get("items")) {
                self.value(items, item, &format!("{place}/{index}"));
            }
        }
    }

    fn members(&mut self, schema: &Value, value: &Value, place: &str) {
        let Some(object) = value.as_object() else {
            return;
        };
        for name in elements(schema, "required").filter_map(Value::as_str) {
            if !object.contains_key(name) {
                self.report(&format!("{place}/{name}"), "is required");
            }
        }
        for (name, value) in object {
            let place = format!("{place}/{name}");
            let property = schema.get("properties").and_then(|all| all.get(name));
            let patterns = schema.get("patternProperties").and_then(Value::as_object);
            let mut by_pattern = patterns.into_iter().flatten();
            let by_pattern = by_pattern.find(|(pattern, _)| {
                Regex::new(pattern).is_ok_and(|pattern| pattern.is_match(name))
            });
            let by_pattern = by_pattern.map(|(_, schema)| schema);
            let additional = || schema.get("additionalProperties");
            match property.or(by_pattern).or_else(additional) {
                Some(Value::Bool(false)) => self.report(&place, "is not known"),
                Some(schema) => self.value(schema, value, &place),
                None => {}
            }
        }
    }

    fn report(&mut self, place: &str, rule: impl Into<String>) {
        self.violations.push(Violation::new(place, rule));
    }
}

/// Returns the elements of a keyword that is a list.
fn elements<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s Value> {
    let all = schema.get(keyword).and_then(Value::as_array);
    all.into_iter().flatten()
}

/// Writes the elements of a list, or the only one.
fn listed(values: &Value) -> String {
    match values {
        Value::Array(all) => all.iter().map(listed).collect::<Vec<_>>().join(", "),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Returns the rule of the bound that a value violates.
fn broken_bound(schema: &Value, value: &Value) -> Option<String> {
    let (size, unit, [least, most]) = match value {
        Value::Number(number) => return broken_range(schema, number.as_f64()?),
        Value::String(text) => (
            text.chars().count(),
            "characters",
            ["minLength", "maxLength"],
        ),
        Value::Array(all) => (all.len(), "elements", ["minItems", "maxItems"]),
        Value::Object(all) => (all.len(), "properties", ["minProperties", "maxProperties"]),
        _ => return None,
    };
    let limit = |key: &str| schema.get(key).and_then(Value::as_u64);
    let size = size as u64;
    if let Some(least) = limit(least).filter(|least| size < *least) {
        return Some(format!("must have at least {least} {unit}"));
    }
    let most = limit(most).filter(|most| size > *most)?;
    Some(format!("must have at most {most} {unit}"))
}

/// Returns the rule of the range that a number violates.
fn broken_range(schema: &Value, number: f64) -> Option<String> {
    let is_exclusive = |key: &str| schema.get(key) == Some(&json!(true));
    let breaks = |key: &str, bound: f64| match key {
        "minimum" => number < bound || number == bound && is_exclusive("exclusiveMinimum"),
        "maximum" => number > bound || number == bound && is_exclusive("exclusiveMaximum"),
        "exclusiveMinimum" => number <= bound,
        "exclusiveMaximum" => number >= bound,
        _ => (number / bound - (number / bound).round()).abs() > 1e-9,
    };
    [
        ("minimum", "at least"),
        ("maximum", "at most"),
        ("exclusiveMinimum", "more than"),
        ("exclusiveMaximum", "less than"),
        ("multipleOf", "a multiple of"),
    ]
    .into_iter()
    .find_map(|(key, words)| {
        let bound = schema.get(key)?;
        let is_broken = breaks(key, bound.as_f64()?);
        is_broken.then(|| format!("must be {words} {bound}"))
    })
}

/// Returns whether two values are the same JSON: `4` equals `4.0`.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || one.is_f64() != other.is_f64() && whole(one) == whole(other)
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_same = |(name, value)| other.get(name).is_some_and(|other| same(value, other));
            one.len() == other.len() && one.iter().all(is_same)
        }
        _ => one == other,
    }
}

/// Returns a number as an integer; `None` if it has a fraction.
fn whole(number: &Number) -> Option<i128> {
    let integer = number.as_i64().map(i128::from);
    let float = number.as_f64().filter(|float| float.fract() == 0.0);
    integer
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(|| float.map(|float| float as i128))
}

/// Returns whether a value has a type, or one of several.
pub(crate) fn has_type(value: &Value, types: &Value) -> bool {
    if let Value::Array(all) = types {
        return all.iter().any(|one| has_type(value, one));
    }
    match types.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64()
                || value.is_u64()
                || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        _ => false,
    }
}

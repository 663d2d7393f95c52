//! Draws values of the schemas of the document, with nulls, other names, unknown enum values and members.

use fastrand::Rng;
use serde_json::{Map, Number, Value, json};

use super::document::{DOCUMENT, schema_of};
use super::types::CLOSED;

const DEEPEST: usize = 8;

/// Returns whether an enumeration is closed.
pub(crate) fn is_closed(name: &str) -> bool {
    CLOSED.contains(&name)
}

/// Draws values of the schemas of the document.
pub(crate) struct Draw {
    rng: Rng,
}

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::with_seed(seed),
        }
    }

    pub(crate) fn of(&mut self, kind: &str) -> Value {
        let schema = schema_of(kind);
        if is_closed(kind) {
            self.rng
                .choice(schema["enum"].as_array().unwrap())
                .unwrap()
                .clone()
        } else {
            self.value(schema, 0)
        }
    }

    pub(crate) fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(kind) = schema["x-rust-type"].as_str() {
            let usual = schema.as_object().map(|schema| {
                let mut schema = schema.clone();
                schema.remove("x-rust-type");
                Value::Object(schema)
            });
            return match (kind, self.rng.u8(0..4)) {
                ("Credits", _) => self.credits(),
                (_, 0) => self.anything(depth),
                ("Loose", 1) => self.value(&json!({"type": "array", "items": usual}), depth + 1),
                _ => self.value(&usual.unwrap(), depth),
            };
        }
        if let Some(target) = schema["$ref"].as_str() {
            let target = DOCUMENT.pointer(target.trim_start_matches('#'));
            return self.value(target.unwrap(), depth + 1);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            assert_eq!(parts.len(), 1, "draws no compositions: {schema}");
            return self.value(&parts[0], depth);
        }
        let enum_values = schema["enum"].as_array();
        if let (Some(enum_values), true) = (enum_values, self.rng.u8(0..5) > 0) {
            let enum_value = self.rng.choice(enum_values).unwrap();
            let aliases = schema["x-aliases"][enum_value.as_str().unwrap()].as_array();
            let alias = aliases.and_then(|aliases| self.rng.choice(aliases));
            return alias
                .filter(|_| self.rng.bool())
                .unwrap_or(enum_value)
                .clone();
        }
        match schema["type"].as_str() {
            Some("string") => self.text().into(),
            Some("integer") => self.integer().into(),
            Some("number") => self.number(),
            Some("boolean") => self.rng.bool().into(),
            Some("array") => {
                let count = if depth > DEEPEST {
                    0
                } else {
                    self.rng.usize(0..4)
                };
                let mut items = |_| self.value(&schema["items"], depth + 1);
                (0..count).map(&mut items).collect()
            }
            Some("object") => self.object(schema, depth),
            None => self.anything(depth),
            other => panic!("draws no {other:?}"),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut drawn = Map::new();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        let properties = schema["properties"]
            .as_object()
            .cloned()
            .unwrap_or_default();
        for (name, property) in properties {
            let is_needed = required.contains(&json!(name));
            let mut names = vec![name];
            let aliases = property["x-aliases"].as_array().into_iter().flatten();
            names.extend(aliases.map(|alias| alias.as_str().unwrap().to_owned()));
            for name in names {
                let value = match self.rng.u8(0..10) {
                    0 | 1 if !is_needed => continue,
                    2 if !is_needed => Value::Null,
                    _ => self.value(&property, depth + 1),
                };
                drawn.insert(name, value);
            }
        }
        let others = &schema["additionalProperties"];
        for _ in 0..self.rng.u8(0..3) {
            let value = match others {
                Value::Object(_) => self.value(others, depth + 1),
                _ => self.anything(depth),
            };
            drawn.insert(self.text(), value);
        }
        Value::Object(drawn)
    }

    /// Draws an object with all of its documented properties, none of them null.
    pub(crate) fn whole(&mut self, schema: &Value) -> Map<String, Value> {
        let properties = schema["properties"].as_object().into_iter().flatten();
        properties
            .map(|(name, property)| (name.clone(), self.value(property, 1)))
            .collect()
    }

    /// Draws any JSON value but null.
    fn anything(&mut self, depth: usize) -> Value {
        match self.rng.u8(0..if depth > DEEPEST { 4 } else { 6 }) {
            0 => self.rng.bool().into(),
            1 => self.integer().into(),
            2 => self.number(),
            3 => self.text().into(),
            4 => (0..self.rng.u8(0..3))
                .map(|_| self.anything(depth + 1))
                .collect(),
            _ => {
                let members = 0..self.rng.u8(0..3);
                members
                    .map(|_| (self.text(), self.anything(depth + 1)))
                    .collect()
            }
        }
    }

    fn text(&mut self) -> String {
        let length = self.rng.usize(0..6);
        match self.rng.u8(0..4) {
            0 => (0..length).map(|_| self.rng.char(..)).collect(),
            1 => (0..length).map(|_| self.rng.char('\0'..' ')).collect(),
            2 => format!(
                "20{:02}-1{}-0{}",
                self.rng.u8(0..99),
                self.rng.u8(0..3),
                self.rng.u8(1..9)
            ),
            _ => (0..length).map(|_| self.rng.alphanumeric()).collect(),
        }
    }

    fn integer(&mut self) -> i64 {
        match self.rng.u8(0..3) {
            0 => self.rng.i64(..),
            1 => self.rng.i64(-1..2),
            _ => self.rng.i64(0..100_000),
        }
    }

    fn number(&mut self) -> Value {
        match self.rng.u8(0..4) {
            0 => self.integer().into(),
            1 => Number::from_f64(self.rng.f64()).unwrap().into(),
            _ => self.float().into(),
        }
    }

    /// Draws any double that JSON can write.
    pub(crate) fn float(&mut self) -> f64 {
        loop {
            let float = f64::from_bits(self.rng.u64(..));
            if float.is_finite() {
                return float;
            }
        }
    }

    fn credits(&mut self) -> Value {
        let micros = self.rng.u32(..);
        Value::Number(
            format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
                .parse()
                .unwrap(),
        )
    }
}

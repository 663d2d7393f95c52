//! Every emitted type is written as what reads back as the same value. Values are drawn at random from the document's own schemas, with
//! nulls, other names, unknown enum values and members, and whatever a field of an assumed form may hold.
//!
//! `ROUND_TRIPS` says how many values are drawn of each type.

use std::collections::BTreeSet;
use std::fmt::Debug;

use company_intel::types;
use fastrand::Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value, json};

use crate::support::document::{DOCUMENT, meant, schema_of, type_of};
use crate::support::types::{CLOSED, every_type};

const DEEPEST: usize = 8;

struct Kind {
    name: &'static str,
    round_trip: fn(&str),
    is_read: fn(&str) -> bool,
    written: fn(&str) -> Value,
    shown: fn(&str) -> String,
}

fn round_trip<T: DeserializeOwned + Serialize + PartialEq + Debug>(text: &str) {
    let value: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let written = serde_json::to_string(&value).unwrap();
    let again: T =
        serde_json::from_str(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
    assert_eq!(again, value, "{text} became {written}");
    // By way of a tree, as callers do who look into it.
    let tree = serde_json::to_value(&value).unwrap();
    assert_eq!(serde_json::from_value::<T>(tree).unwrap(), value, "{text}");
}

macro_rules! kinds {
    ($($name:ident)*) => {
        [$(Kind {
            name: stringify!($name),
            round_trip: round_trip::<types::$name>,
            is_read: |text| serde_json::from_str::<types::$name>(text).is_ok(),
            written: |text| {
                let read: types::$name = serde_json::from_str(text).unwrap();
                serde_json::to_value(read).unwrap()
            },
            shown: |text| format!("{:?}", serde_json::from_str::<types::$name>(text).unwrap()),
        }),*]
    };
}

fn kinds() -> Vec<Kind> {
    every_type!(kinds).into()
}

#[test]
fn every_schema_of_the_document_with_a_type_of_its_own_is_tested() {
    let tested: BTreeSet<&str> = kinds().iter().map(|kind| kind.name).collect();
    assert!(tested.len() > 60, "{tested:?}");
    let mut components = 0;
    for (name, schema) in DOCUMENT["components"]["schemas"].as_object().unwrap() {
        if schema["properties"].is_object() || schema["enum"].is_array() {
            components += 1;
            assert!(tested.contains(type_of(name).as_str()), "{name}");
        }
    }
    assert!(components > 20, "{components}");
}

/// Whether an enumeration is closed.
fn is_closed(name: &str) -> bool {
    CLOSED.contains(&name)
}

/// Draws values of the schemas of the document.
struct Draw {
    rng: Rng,
}

impl Draw {
    fn new(seed: u64) -> Self {
        Self {
            rng: Rng::with_seed(seed),
        }
    }

    fn of(&mut self, kind: &Kind) -> Value {
        let schema = schema_of(kind.name);
        match is_closed(kind.name) {
            true => self
                .rng
                .choice(schema["enum"].as_array().unwrap())
                .unwrap()
                .clone(),
            false => self.value(schema, 0),
        }
    }

    fn value(&mut self, schema: &Value, depth: usize) -> Value {
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

    /// Any JSON but null, which is nothing.
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

    /// Any double that JSON can write.
    fn float(&mut self) -> f64 {
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

fn rounds() -> u64 {
    std::env::var("ROUND_TRIPS").map_or(60, |rounds| rounds.parse().unwrap())
}

#[test]
fn every_type_is_written_as_what_reads_back_as_the_same() {
    for kind in kinds() {
        for seed in 0..rounds() {
            let drawn = Draw::new(seed).of(&kind);
            (kind.round_trip)(&drawn.to_string());
        }
    }
}

#[test]
fn no_type_is_read_from_a_value_of_another_kind() {
    let mut objects = 0;
    for kind in kinds() {
        let schema = schema_of(kind.name);
        let is_open = schema.get("x-rust-type").is_some() || schema.get("type").is_none();
        let is_object = schema["type"] == "object";
        objects += usize::from(is_object);
        for text in ["[]", "[{}]", r#"["a", "b"]"#, "[[]]", "7", "true"] {
            assert_eq!((kind.is_read)(text), is_open, "{} of {text}", kind.name);
        }
        assert!(!is_object || !(kind.is_read)(r#""a""#), "{}", kind.name);
    }
    assert!(objects > 55, "{objects}");
}

#[test]
fn numbers_are_read_exactly() {
    // Any field that is a number and nothing else.
    let is_plain = |property: &'static Value| {
        let schema = meant(property);
        let is_chosen = [property, schema].map(|one| one.get("x-rust-type").is_some());
        schema["type"] == "number" && is_chosen == [false, false]
    };
    let (kind, field) = kinds()
        .into_iter()
        .find_map(|kind| {
            let properties = schema_of(kind.name)["properties"].as_object()?;
            let mut properties = properties.iter();
            let found = properties.find(|(_, property)| is_plain(property))?;
            Some((kind, found.0))
        })
        .unwrap();
    let mut draw = Draw::new(7);
    for _ in 0..20_000 {
        let float = draw.float();
        for text in [format!("{float:e}"), format!("{float:.16e}")] {
            let read = (kind.written)(&format!(r#"{{"{field}": {text}}}"#));
            let read = read[field].as_f64().map(f64::to_bits);
            assert_eq!(read, Some(float.to_bits()), "{text}");
        }
    }
}

#[test]
fn an_open_enum_keeps_every_text_and_knows_its_own() {
    let unheard_of = [
        "in_liquidation",
        "",
        "Ünbekannt",
        "a \"quoted\" text",
        "Unrecognized",
    ];
    let mut enums = 0;
    for kind in kinds() {
        let Some(listed) = schema_of(kind.name)["enum"].as_array() else {
            continue;
        };
        for value in listed {
            let shown = (kind.shown)(&value.to_string());
            assert!(!shown.starts_with("Unrecognized"), "{}: {value}", kind.name);
            assert_eq!((kind.written)(&value.to_string()), *value);
        }
        if is_closed(kind.name) {
            continue;
        }
        enums += 1;
        for text in unheard_of {
            assert_eq!(
                (kind.written)(&json!(text).to_string()),
                text,
                "{}",
                kind.name
            );
            let shown = (kind.shown)(&json!(text).to_string());
            assert!(shown.starts_with("Unrecognized"), "{}: {text}", kind.name);
        }
    }
    assert!(enums > 2, "{enums}");
}

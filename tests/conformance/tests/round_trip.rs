//! Every emitted type reads back what it writes. Values are drawn at random from the document's schemas, with nulls, other names, unknown
//! enum values and members, and any form that a field of an assumed form may have.
//!
//! `ROUND_TRIPS` is the number of values drawn of each type.

use std::collections::BTreeSet;
use std::fmt::Debug;

use company_intel::types;
use company_intel_sandbox::vocabulary;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::support::document::{DOCUMENT, meant, schema_of};
use crate::support::draw::{Draw, is_closed};
use crate::support::types::every_type;

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
    // Through `Value`, as callers do that inspect it.
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
            // A schema without references has no type; the type that a wrapper names is tested through the wrapper.
            let Some(of) = vocabulary::type_of(&DOCUMENT, name) else {
                continue;
            };
            components += 1;
            assert!(tested.contains(of.as_str()), "{name}");
        }
    }
    assert!(components > 20, "{components}");
}

fn rounds() -> u64 {
    std::env::var("ROUND_TRIPS").map_or(60, |rounds| rounds.parse().unwrap())
}

#[test]
fn every_type_is_written_as_what_reads_back_as_the_same() {
    for kind in kinds() {
        for seed in 0..rounds() {
            let drawn = Draw::new(seed).of(kind.name);
            (kind.round_trip)(&drawn.to_string());
        }
    }
}

#[test]
fn no_type_is_read_from_a_value_of_another_kind() {
    let mut objects = 0;
    for kind in kinds() {
        let schema = schema_of(kind.name);
        let is_any = schema.get("type").is_none() && schema.get("enum").is_none();
        let is_open = schema.get("x-rust-type").is_some() || is_any;
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
    // Any field that is only a number.
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
            // A document may list the empty string beside the enumeration.
            let is_listed = text.is_empty() && shown == "Empty";
            let is_kept = shown.starts_with("Unrecognized") || is_listed;
            assert!(is_kept, "{}: {text}", kind.name);
        }
    }
    assert!(enums > 2, "{enums}");
}

/// Guards against a type that ignores its input, which would pass all of the tests above.
#[test]
fn every_property_is_written_back_whether_it_is_sent_null_or_left_out() {
    let (mut properties, mut plain, mut required, mut optional) = (0, 0, 0, 0);
    for kind in kinds() {
        let schema = schema_of(kind.name);
        let Some(listed) = schema["properties"].as_object() else {
            continue;
        };
        let needed = schema["required"].as_array();
        for (name, property) in listed {
            let place = format!("{}/{name}", kind.name);
            properties += 1;
            for seed in 0..8 {
                let mut draw = Draw::new(seed);
                let mut whole = draw.whole(schema);
                let text = Value::Object(whole.clone()).to_string();
                (kind.round_trip)(&text);
                let written = (kind.written)(&text);
                let (was, is) = (&whole[name], &written[name]);
                // An empty list or map equals a missing one.
                assert!(
                    !is.is_null() || *was == json!([]) || *was == json!({}),
                    "{place}: {text} became {written}"
                );
                let is_scalar = matches!(
                    meant(property)["type"].as_str(),
                    Some("string" | "integer" | "boolean")
                );
                let says = |key: &str| {
                    [property, meant(property)]
                        .iter()
                        .any(|one| !one[key].is_null())
                };
                let is_plain = is_scalar && !says("enum") && !says("x-rust-type");
                assert!(!is_plain || was == is, "{place}: {was} became {is}");
                plain += usize::from(is_plain);
                if meant(property)["enum"].is_array() && !is_closed(kind.name) {
                    whole.insert(name.clone(), "unheard of".into());
                    let written = (kind.written)(&Value::Object(whole.clone()).to_string());
                    assert_eq!(written[name], "unheard of", "{place}");
                }
                let is_needed = needed.is_some_and(|needed| needed.contains(&json!(name)));
                whole.insert(name.clone(), Value::Null);
                let null = Value::Object(whole.clone()).to_string();
                whole.remove(name);
                let absent = Value::Object(whole).to_string();
                for text in [null, absent] {
                    // The content of a response and the required members of a request must not be missing.
                    match (is_needed, (kind.is_read)(&text)) {
                        (false, false) => panic!("{place} is optional: {text}"),
                        (true, false) => continue,
                        (true, true) => required += 1,
                        (false, true) => optional += 1,
                    }
                    (kind.round_trip)(&text);
                }
            }
        }
    }
    assert!(properties > 250 && plain > 500, "{properties} {plain}");
    assert!(required > 1000 && optional > 1000, "{required} {optional}");
}

/// Members of an object whose names are data are kept; a documented object may drop unknown ones.
#[test]
fn members_that_are_not_documented_are_kept_where_the_document_allows_any() {
    let mut kept = 0;
    for kind in kinds() {
        let schema = schema_of(kind.name);
        if schema["additionalProperties"].is_null() || schema["additionalProperties"] == false {
            continue;
        }
        let mut sent = Draw::new(1).whole(schema);
        let value = match &schema["additionalProperties"] {
            Value::Object(_) => Draw::new(2).value(&schema["additionalProperties"], 0),
            _ => json!([1, "two", null]),
        };
        sent.insert("not documented".to_owned(), value.clone());
        let written = (kind.written)(&Value::Object(sent).to_string());
        assert_eq!(written["not documented"], value, "{}", kind.name);
        kept += 1;
    }
    assert!(kept > 0);
}

//! The members that most documents have.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// An object of values that most documents have. Their readers are compiled with this crate, and generated crates share those that are
/// never inlined: their own builds are shorter.
#[derive(Debug)]
pub struct Common {
    text: String,
    text_or_empty: String,
    optional_text: Option<String>,
    whole: i64,
    optional_whole: Option<i64>,
    number: f64,
    optional_number: Option<f64>,
    flag: bool,
    optional_flag: Option<bool>,
    value: Value,
    optional_value: Option<Value>,
    texts: Vec<String>,
    optional_texts: Option<Vec<String>>,
    map_of_texts: BTreeMap<String, String>,
    map_of_whole: BTreeMap<String, i64>,
    map_of_numbers: BTreeMap<String, f64>,
    object: Map<String, Value>,
}
crate::wire::object!(Common {
    text: required "text",
    text_or_empty: null_as_default "text_or_empty",
    optional_text: optional "optional_text" or omitted,
    whole: required "whole",
    optional_whole: optional "optional_whole" or omitted,
    number: required "number",
    optional_number: optional "optional_number" or omitted,
    flag: required "flag",
    optional_flag: optional "optional_flag" or omitted,
    value: defaulted "value",
    optional_value: optional "optional_value" or omitted,
    texts: entries "texts" or omitted,
    optional_texts: some_entries "optional_texts" or omitted,
    map_of_texts: entries "map_of_texts" or omitted,
    map_of_whole: entries "map_of_whole" or omitted,
    map_of_numbers: entries "map_of_numbers" or omitted,
    object: fitting "object" or omitted,
});

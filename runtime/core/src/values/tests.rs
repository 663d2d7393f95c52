//! Tests of all types at once: any JSON value is read, kept and written again, wherever serde meets it.

use std::fmt::Display;

use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json};

use super::{Base64, SecretText, TextDate, TextDecimal, TextRange, TextUuid};

/// A field as in generated code.
#[derive(Deserialize, Serialize)]
struct Owner<T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<T>,
}

/// Serde buffers the fields.
#[derive(Deserialize)]
struct Flat<T> {
    #[serde(flatten)]
    owner: Owner<T>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Untagged<T> {
    Owner(Owner<T>),
}

fn is_shown<T: DeserializeOwned + Display>(value: &Value) {
    let read: T = serde_json::from_value(value.clone()).unwrap();
    let shown = match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    assert_eq!(read.to_string(), shown);
}

fn is_kept<T: DeserializeOwned + Serialize>(value: &Value) {
    let read: T = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(&serde_json::to_value(&read).unwrap(), value);

    let text = json!({ "field": value }).to_string();
    let expected = match value {
        Value::Null => json!({}),
        value => json!({ "field": value }),
    };
    let owner: Owner<T> = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_value(owner).unwrap(), expected);
    let Flat::<T> { owner } = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_value(owner).unwrap(), expected);
    let Untagged::<T>::Owner(owner) = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_value(owner).unwrap(), expected);
}

fn is_kept_by_all(value: &Value) {
    is_kept::<Base64>(value);
    is_kept::<TextDate>(value);
    is_kept::<TextDecimal>(value);
    is_kept::<TextRange>(value);
    is_kept::<TextUuid>(value);
    is_shown::<Base64>(value);
    is_shown::<TextDate>(value);
    is_shown::<TextDecimal>(value);
    is_shown::<TextRange>(value);
    is_shown::<TextUuid>(value);
}

/// Tries all accessors of a value; none may panic.
fn is_read_without_a_panic(value: &Value) {
    let json = value.to_string();
    let range: TextRange = serde_json::from_str(&json).unwrap();
    assert!(value.is_string() || range.bounds().is_none());
    if let Some((least, greatest)) = range.bounds() {
        assert!(range.contains(least) && range.contains(greatest.unwrap_or(u64::MAX)));
    }

    let date: TextDate = serde_json::from_str(&json).unwrap();
    assert!(value.is_string() || date.date().is_none());
    assert!(date.date().is_some() || !date.is_date_only());
    assert!(date.offset_minutes().is_none() || date.date().is_some() && !date.is_date_only());

    let uuid: TextUuid = serde_json::from_str(&json).unwrap();
    assert!(value.is_string() || uuid.to_u128().is_none());
    let base64: Base64 = serde_json::from_str(&json).unwrap();
    assert!(value.is_string() || base64.bytes().is_none());
    let secret: SecretText = serde_json::from_str(&json).unwrap();
    assert_eq!(format!("{secret:?}"), "SecretText([REDACTED])");
}

/// JSON that a [`Value`] cannot represent, unchanged.
#[test]
fn json_of_any_kind_is_written_unchanged() {
    for json in [
        "1E+400",
        "0.30000000000000000000000001",
        "-0",
        "123456789012345678901234567890",
        "{\"a\": 1, \"a\": [2.0, 1e999]}",
        "\"\\ud800\"",
        "null",
        "true",
    ] {
        let decimal: TextDecimal = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&decimal).unwrap(), json);
        assert!(!decimal.is_text());
        let owner: Owner<TextUuid> =
            serde_json::from_str(&format!(r#"{{"field": [{json}]}}"#)).unwrap();
        assert_eq!(
            serde_json::to_string(&owner).unwrap(),
            format!(r#"{{"field":[{json}]}}"#)
        );
    }
}

#[test]
fn a_value_of_any_kind_is_kept() {
    for value in [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1.5),
        json!(1e308),
        json!(""),
        json!("2-5"),
        json!("\u{0}\u{1F600}"),
        json!([]),
        json!([1, [null], {}]),
        json!({}),
        json!({"5": 3, "4": null, "": {"a": []}}),
    ] {
        is_kept_by_all(&value);
        is_read_without_a_panic(&value);
    }
}

#[test]
fn a_missing_field_is_none() {
    let owner: Owner<TextRange> = serde_json::from_str("{}").unwrap();
    assert_eq!(owner.field, None);
}

#[test]
fn display_pads_like_a_string() {
    assert_eq!(format!("{:>5}|", TextRange::from("2-5")), "  2-5|");
    let number: TextRange = serde_json::from_str("4").unwrap();
    assert_eq!(format!("{number:<5}|"), "4    |");
}

/// Any string, and strings that almost match a format.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[0-9]{1,4}",
        "[0-9,.+ –-]{0,12}",
        "[0-9]{4}-[01][0-9]-[0-3][0-9]([T ][0-2][0-9]:[0-5][0-9](:[0-6][0-9])?(Z|[+-][0-9]{2}:?[0-9]{2})?)?",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|float| Number::from_f64(float).map_or(Value::Null, Value::Number)),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(text(), inner, 0..4)
                .prop_map(|entries| entries.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_sent_value_is_kept(value in value()) {
        is_kept_by_all(&value);
        is_read_without_a_panic(&value);
    }
}

#[cfg(all(feature = "chrono", feature = "jiff"))]
proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn both_crates_accept_the_same_days(year in 0..=9999_i32, month in 0..=13_u32, day in 0..=32_u32) {
        let text = TextDate::from(format!("{year:04}-{month:02}-{day:02}"));
        prop_assert_eq!(text.date().is_some(), chrono::NaiveDate::from_ymd_opt(year, month, day).is_some());
        prop_assert_eq!(text.date().is_some(), text.to_chrono_date().is_some());
        prop_assert_eq!(text.date().is_some(), text.to_jiff_date().is_some());
    }

    #[test]
    fn both_crates_read_the_same_instant(text in text()) {
        let text = TextDate::from(text);
        let instants = text.to_chrono_zoned().zip(text.to_jiff_timestamp());
        if let Some((chrono, jiff)) = instants {
            // Only chrono represents leap seconds.
            let is_leap = chrono.timestamp_subsec_nanos() >= 1_000_000_000;
            prop_assert!(is_leap || chrono.timestamp() == jiff.as_second());
        }
        prop_assert_eq!(text.to_chrono_datetime().is_some(), text.to_jiff_datetime().is_some());
    }
}

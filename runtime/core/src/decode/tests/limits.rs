//! How deep and how large a body may be.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::set_aside::{Page, page};
use super::{body, read_in};
use crate::decode::allowance::Allowance;
use crate::decode::failure::Failure;
use crate::decode::read::Read;
use crate::decode::reader::{Mode, Reader, State};
use crate::wire::{newtype, object};

#[test]
fn a_deep_body_is_read_to_a_limit() {
    let depth = 10_000;
    let text = format!(
        r#"{{"offset": "a", "next": {}1{}"#,
        r#"{"next":"#.repeat(depth),
        "}".repeat(depth + 1)
    );
    let (read, found) = page(&text);
    assert!(read.is_some());
    assert_eq!((found.len(), &*found[1].1), (2, "nested too deeply"));
    assert!(read_in::<IgnoredAny>(Mode::Strict, &text).is_ok());
    assert!(read_in::<Value>(Mode::Strict, &text).is_err());
}

/// Reads a value whose lists and maps may take so many bytes.
fn within<T: Read>(bytes: usize, text: &str) -> Result<T, Failure> {
    T::read(&mut Reader::new(
        text,
        State::new(Mode::Open, Allowance(Some(bytes))),
    ))
}

#[test]
fn lists_and_maps_draw_on_the_allowance_also_while_they_grow() {
    let numbers = |count: usize| format!("[{}]", vec!["1"; count].join(","));
    for (bytes, elements) in [(32, 4), (96, 8), (192, 16), (384, 32)] {
        assert!(within::<Vec<u64>>(bytes, &numbers(elements)).is_ok());
        assert!(within::<Vec<u64>>(bytes, &numbers(elements + 1)).is_err());
        assert!(within::<Vec<u64>>(bytes - 1, &numbers(elements)).is_err());
    }
    let node = 11 * size_of::<(String, u8)>() + 112;
    let text = r#"{"ratings": [1, 2, 3], "totals": {"a": 1, "b": 2}}"#;
    // What exceeds it is not set aside, and fails the body.
    assert!(within::<Page>(8 + node, text).is_ok());
    assert!(within::<Page>(7 + node, text).is_err());
}

#[derive(Debug, serde::Serialize)]
struct Lists(Vec<u8>);
newtype!(Lists, collection);

#[derive(Debug)]
struct ByName {
    map: BTreeMap<String, Lists>,
}
object!(ByName {
    map: entries "map",
});

#[test]
fn places_with_a_long_name_are_no_longer_than_they_are_shown() {
    let name = "n".repeat(100_000);
    let text = format!(r#"{{"map": {{"{name}": [{}]}}}}"#, ["{}"; 500].join(","));
    let (read, asides) = body::<ByName>(&text);
    assert_eq!((read.unwrap().map[&name].0.len(), asides.len()), (0, 500));
    for (index, one) in asides.iter().enumerate() {
        assert!(
            one.pointer.starts_with("/map/nnn") && one.pointer.ends_with(&format!("n/{index}"))
        );
        assert!(one.pointer.chars().count() <= 201 && one.pointer.capacity() < 1_000);
    }
}

#[test]
fn a_member_that_occurs_many_times_is_counted_once_and_its_places_each() {
    #[derive(Debug)]
    struct Both {
        value: Option<u8>,
    }
    object!(Both {
        value: optional "a" | "b",
    });
    let repeated = |count: usize| format!("{{{}}}", vec![r#""b":1"#; count].join(","));
    let node = 11 * size_of::<(String, u64)>() + 112;
    assert!(within::<BTreeMap<String, u64>>(node, &repeated(1_000)).is_ok());
    let both = within::<Both>(1 << 20, &repeated(1_000)).unwrap();
    assert_eq!(both.value, Some(1));
    assert!(within::<Both>(1 << 10, &repeated(1_000)).is_err());
}

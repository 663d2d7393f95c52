//! Optional values of a response: one that does not decode is set aside, and nothing else is lost.
//!
//! The first decode is strict. If it fails, these values are read one by one. [`Response::set_aside`](crate::Response::set_aside) lists
//! those that were left out.

use serde::Deserializer;
use serde::de::{DeserializeOwned, Error};
use serde_json::value::RawValue;

use super::raw::raw;
use crate::decode::allowance::{holding, is_exhausted};
use crate::decode::lenient::is_setting_aside;
use crate::decode::located::decode_located;
use crate::decode::nullable::Nullable;
use crate::decode::pointer::Located;
use crate::decode::set_aside::set_aside;

/// Reads an optional value; `null` is `None`, and in a lenient decode so is a value that does not decode.
///
/// # Errors
///
/// Those of `T`, in a strict decode.
pub fn optional<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    or_default(deserializer)
}

/// Reads a value that may be absent or `null`; in a lenient decode, a value that does not decode is absent.
///
/// # Errors
///
/// Those of [`optional`].
pub fn nullable<'de, D, T>(deserializer: D) -> Result<Nullable<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    or_default(deserializer)
}

/// Reads a value as [`optional`] does, with the type's default for an absent one.
///
/// # Errors
///
/// Those of [`optional`].
pub fn fitting<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + DeserializeOwned,
{
    optional(deserializer).map(Option::unwrap_or_default)
}

/// Returns the default for a value that does not decode, and sets that value aside, in a lenient decode.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + DeserializeOwned,
{
    if is_setting_aside() {
        set_apart(deserializer)
    } else {
        T::deserialize(deserializer)
    }
}

#[cold]
fn set_apart<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + DeserializeOwned,
{
    let raw = raw(deserializer)?;
    let read = holding(raw.get().len(), || Ok(decode_located(raw.get())))?;
    match read {
        Ok(value) => Ok(value),
        Err(located) => match unread(raw, &located) {
            Ok(()) => Ok(T::default()),
            Err(error) => Err(error),
        },
    }
}

/// Sets a value aside, unless it fails because it takes too much memory.
fn unread<E: Error>(raw: Box<RawValue>, located: &Located) -> Result<(), E> {
    if is_exhausted() {
        Err(E::custom(&located.message))
    } else {
        set_aside(raw, located)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::super::{list, map, nullable_list};
    use super::*;
    use crate::decode::allowance::within;
    use crate::decode::lenient::leniently;
    use crate::decode::set_aside::collecting;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        #[serde(default, deserialize_with = "optional")]
        offset: Option<i64>,
        #[serde(default, deserialize_with = "list")]
        ratings: Vec<u8>,
        #[serde(default, deserialize_with = "map")]
        totals: BTreeMap<String, u8>,
        #[serde(default, deserialize_with = "optional")]
        next: Option<Box<Page>>,
    }

    fn read(text: &str) -> serde_json::Result<Page> {
        serde_json::from_str(text)
    }

    /// Decodes like the second decode of a client. Also returns pointer, reason and value of everything set aside.
    fn lenient(text: &str) -> (Option<Page>, Vec<(String, String, String)>) {
        let (page, left_out) = collecting(|| leniently(|| decode_located(text).ok()));
        let left_out = left_out.into_iter().map(|one| {
            let (why, _) = one
                .message
                .split_once(" at line")
                .unwrap_or((&one.message, ""));
            (one.pointer, why.to_owned(), one.raw.get().to_owned())
        });
        (page, left_out.collect())
    }

    fn left_out(pointer: &str, why: &str, raw: &str) -> (String, String, String) {
        (pointer.to_owned(), why.to_owned(), raw.to_owned())
    }

    #[test]
    fn only_the_second_decode_sets_bad_values_aside() {
        for text in [
            r#"{"offset": "a", "ratings": [1], "totals": {"a": 1}}"#,
            r#"{"offset": 1e999, "ratings": [1], "totals": {"a": 1}}"#,
            r#"{"offset": null, "ratings": [1, null], "totals": {"a": 1}}"#,
        ] {
            let (page, left_out) = lenient(text);
            let page = page.unwrap();
            assert_eq!(
                (page.offset, &*page.ratings, page.totals.len()),
                (None, &[1][..], 1)
            );
            let is_null = text.contains("\"offset\": null");
            assert_eq!(
                (read(text).is_ok(), left_out.is_empty()),
                (is_null, is_null)
            );
        }
        let (page, found) = lenient(r#"{"offset": 1.0, "ratings": {}, "totals": [1]}"#);
        let page = page.unwrap();
        assert_eq!(
            (page.offset, page.ratings.len(), page.totals.len()),
            (Some(1), 0, 0)
        );
        assert_eq!(
            found,
            [
                left_out("/ratings", "invalid type: object, expected an array", "{}"),
                left_out("/totals", "invalid type: array, expected an object", "[1]"),
            ]
        );
        assert_eq!(lenient(r#"{"offset": 1"#).0, None);
    }

    #[test]
    fn null_is_distinguished_from_absent_and_set_aside_values() {
        #[derive(Debug, Deserialize)]
        struct About {
            #[serde(default, deserialize_with = "nullable")]
            level: Nullable<u8>,
            #[serde(default, deserialize_with = "nullable_list")]
            labels: Nullable<Vec<u8>>,
        }
        let both = |text: &str| {
            let (about, left_out) = collecting(|| leniently(|| decode_located::<About>(text)));
            let about = about.unwrap();
            if let Ok(strict) = serde_json::from_str::<About>(text) {
                assert_eq!((strict.level, &strict.labels), (about.level, &about.labels));
                assert!(left_out.is_empty(), "{text}");
            }
            (about.level, about.labels, left_out.len())
        };
        let (absent, null) = (Nullable::Absent, Nullable::Null);
        for (text, expected) in [
            ("{}", (absent, Nullable::Absent, 0)),
            (
                r#"{"level": null, "labels": null}"#,
                (null, Nullable::Null, 0),
            ),
            (
                r#"{"level": 1, "labels": []}"#,
                (1.into(), vec![].into(), 0),
            ),
            (
                r#"{"level": "x", "labels": {}}"#,
                (absent, Nullable::Absent, 2),
            ),
            (r#"{"labels": [1, "x", null]}"#, (absent, vec![1].into(), 1)),
        ] {
            assert_eq!(both(text), expected, "{text}");
        }
    }

    #[test]
    fn a_bad_element_or_member_loses_no_other() {
        let text = r#"{"ratings": [1, "x", null, 300, 2.0, "3"], "totals": {"a": 1, "b/c": "many", "c": null, "d": 2.0}}"#;
        let (page, found) = lenient(text);
        let page = page.unwrap();
        assert_eq!(page.ratings, [1, 2, 3]);
        let totals = [("a".to_owned(), 1), ("d".to_owned(), 2)];
        assert_eq!(page.totals, BTreeMap::from(totals));
        let places: Vec<_> = found.iter().map(|one| (&*one.0, &*one.2)).collect();
        assert_eq!(
            places,
            [
                ("/ratings/1", "\"x\""),
                ("/ratings/3", "300"),
                ("/totals/b~1c", "\"many\"")
            ]
        );
        assert!(read(text).is_err());
    }

    #[test]
    fn values_inside_a_set_aside_value_are_not_set_aside_too() {
        let text = r#"{"offset": 1, "next": {"ratings": ["x"], "next": {"totals": {"a": "b"}, "offset": 2}}}"#;
        let (page, found) = lenient(text);
        let places: Vec<_> = found.iter().map(|one| one.0.as_str()).collect();
        assert_eq!(places, ["/next/ratings/0", "/next/next/totals/a"]);
        assert_eq!(page.unwrap().next.unwrap().next.unwrap().offset, Some(2));

        #[derive(Debug, Deserialize)]
        struct Strict {
            #[serde(deserialize_with = "list")]
            list: Vec<u8>,
            count: u8,
        }
        #[derive(Debug, Deserialize)]
        struct Owner {
            #[serde(default, deserialize_with = "optional")]
            strict: Option<Strict>,
        }
        let text = r#"{"strict": {"list": ["x"], "count": "many"}}"#;
        let (owner, found) = collecting(|| leniently(|| decode_located::<Owner>(text)));
        assert!(owner.unwrap().strict.is_none());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].pointer, "/strict");
        assert!(
            found[0].message.starts_with("at `/count`: invalid type"),
            "{:?}",
            found[0]
        );
        let text = r#"{"strict": {"list": [1, "x"], "count": "7"}}"#;
        let (owner, found) = collecting(|| leniently(|| decode_located::<Owner>(text)));
        let strict = owner.unwrap().strict.unwrap();
        assert_eq!((strict.list, strict.count, found.len()), (vec![1], 7, 1));
    }

    #[test]
    fn a_deep_body_is_read_to_the_depth_that_the_stack_allows() {
        let depth = 10_000;
        let text = format!(
            r#"{{"offset": "a", "next": {}1{}"#,
            r#"{"next":"#.repeat(depth),
            "}".repeat(depth + 1)
        );
        let (page, found) = lenient(&text);
        assert!(page.is_some());
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].1, "nested too deeply");
    }

    #[test]
    fn a_value_that_exceeds_the_allowance_is_not_set_aside() {
        // The list or map, and the copies of the JSON from which it and its elements are read.
        for (value, decoded) in [
            (r#"{"ratings": [1, 2, 3]}"#, 8),
            (
                r#"{"totals": {"a": 1, "b": 2}}"#,
                11 * size_of::<(String, u8)>() + 112,
            ),
        ] {
            let copy = value.len() - value.find(": ").unwrap() - 3;
            let fits = |bytes| within(bytes, || leniently(|| read(value))).is_ok();
            assert!(fits(decoded + copy + 1), "{value}");
            assert!(!fits(decoded + copy), "{value}");
        }
    }

    #[test]
    fn an_element_that_exceeds_the_allowance_is_not_left_out() {
        #[derive(Debug, Deserialize)]
        struct Lists {
            #[serde(default, deserialize_with = "list")]
            lists: Vec<Inner>,
        }
        #[derive(Debug, Deserialize)]
        struct Inner {
            #[serde(deserialize_with = "list")]
            bytes: Vec<u8>,
            count: u8,
        }
        let read = |bytes| {
            let text = r#"{"lists": [{"bytes": [1, 2, 3], "count": 1}, {"bytes": []}]}"#;
            within(bytes, || leniently(|| serde_json::from_str::<Lists>(text)))
        };
        assert!(read(4 * size_of::<Inner>()).is_err() && read(300).is_ok());
        for lists in (0..=300).filter_map(|bytes| read(bytes).ok()) {
            let lists = lists.lists;
            assert_eq!(
                (lists.len(), lists[0].bytes.len(), lists[0].count),
                (1, 3, 1)
            );
        }
    }
}

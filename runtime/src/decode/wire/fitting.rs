//! Members that a response is worth having without: one that does not fit is set aside, and costs nothing else.
//!
//! They are read strictly first, as all is. Only when something in the body did not fit are they read one by one, and lists and maps
//! element by element.
//! [`Response::drift`](crate::Response::drift) shows what was set aside.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::collections::{list, map};
use crate::decode::allowance::is_exhausted;
use crate::decode::lenient::is_lenient;
use crate::decode::pointer::decode_located;

/// Reads a value; `null`, and in a lenient decode what does not fit, as the type's default value.
///
/// # Errors
///
/// Those of `T`, in a strict decode.
pub fn fitting<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + DeserializeOwned,
{
    read(deserializer).map(Option::unwrap_or_default)
}

/// Reads a list as [`list`](super::list) does; in a lenient decode it leaves out each element that does not fit.
///
/// What is no list is the empty list in a lenient decode.
///
/// # Errors
///
/// Those of [`list`](super::list), in a strict decode.
pub fn fitting_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    struct List<T>(Vec<T>);

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            list(deserializer).map(Self)
        }
    }

    if !is_lenient() {
        return list(deserializer);
    }
    let elements: Option<List<Fitting<T>>> = read(deserializer)?;
    let elements = elements.into_iter().flat_map(|list| list.0);
    Ok(elements.filter_map(|element| element.0).collect())
}

/// Reads a map as [`map`](super::map) does; in a lenient decode it leaves out each member that does not fit.
///
/// What is no map is the empty map in a lenient decode.
///
/// # Errors
///
/// Those of [`map`](super::map), in a strict decode.
pub fn fitting_map<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    struct Map<T>(BTreeMap<String, T>);

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Map<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            map(deserializer).map(Self)
        }
    }

    if !is_lenient() {
        return map(deserializer);
    }
    let members: Option<Map<Fitting<T>>> = read(deserializer)?;
    let members = members.into_iter().flat_map(|map| map.0);
    Ok(members
        .filter_map(|(key, member)| Some((key, member.0?)))
        .collect())
}

/// A value inside of a list or a map; `None` when it does not fit.
struct Fitting<T>(Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Fitting<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read(deserializer).map(Self)
    }
}

fn read<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    if !is_lenient() {
        return Option::deserialize(deserializer);
    }
    let raw: Box<RawValue> = Deserialize::deserialize(deserializer)?;
    match decode_located(raw.get()) {
        Ok(value) => Ok(value),
        Err(located) if is_exhausted() => Err(D::Error::custom(located.message)),
        Err(_) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::allowance::within;
    use crate::decode::lenient::leniently;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        #[serde(default, deserialize_with = "fitting")]
        offset: Option<i64>,
        #[serde(default, deserialize_with = "fitting_list")]
        ratings: Vec<u8>,
        #[serde(default, deserialize_with = "fitting_map")]
        totals: BTreeMap<String, u8>,
    }

    fn read(text: &str) -> serde_json::Result<Page> {
        serde_json::from_str(text)
    }

    #[test]
    fn what_does_not_fit_is_set_aside_by_the_second_decode_alone() {
        for text in [
            r#"{"offset": "0", "ratings": [1], "totals": {"a": 1}}"#,
            r#"{"offset": 1e999, "ratings": [1], "totals": {"a": 1}}"#,
            r#"{"offset": null, "ratings": [1, null], "totals": {"a": 1}}"#,
        ] {
            let page = leniently(|| read(text)).unwrap();
            assert_eq!(
                (page.offset, &*page.ratings, page.totals.len()),
                (None, &[1][..], 1)
            );
            assert_eq!(
                read(text).is_ok(),
                text.contains("\"offset\": null"),
                "{text}"
            );
        }
        let page = r#"{"offset": 1.0, "ratings": {}, "totals": [1]}"#;
        let page = leniently(|| read(page)).unwrap();
        assert_eq!(
            (page.offset, page.ratings.len(), page.totals.len()),
            (Some(1), 0, 0)
        );
        assert!(leniently(|| read(r#"{"offset": 1"#)).is_err());
    }

    #[test]
    fn an_element_or_member_that_does_not_fit_costs_no_other() {
        let text = r#"{"ratings": [1, "2", null, 300, 2.0], "totals": {"a": 1, "b": "many", "c": null, "d": 2.0}}"#;
        let page = leniently(|| read(text)).unwrap();
        assert_eq!(page.ratings, [1, 2]);
        let totals = [("a".to_owned(), 1), ("d".to_owned(), 2)];
        assert_eq!(page.totals, BTreeMap::from(totals));
        assert!(read(text).is_err());
    }

    #[test]
    fn what_takes_too_much_memory_is_not_set_aside() {
        let element = size_of::<Option<u8>>();
        let text = r#"{"ratings": [1, 2, 3]}"#;
        assert!(within(3 * element - 1, || leniently(|| read(text))).is_err());
        assert!(within(3 * element, || leniently(|| read(text))).is_ok());
        let text = r#"{"totals": {"a": 1, "b": 2}}"#;
        let member = size_of::<(String, Option<u8>)>();
        assert!(within(2 * member - 1, || leniently(|| read(text))).is_err());
        assert!(within(2 * member, || leniently(|| read(text))).is_ok());
    }

    #[test]
    fn what_takes_too_much_memory_is_not_left_out_of_a_list() {
        #[derive(Debug, Deserialize)]
        struct Lists {
            #[serde(default, deserialize_with = "fitting_list")]
            lists: Vec<Inner>,
        }
        #[derive(Debug, Deserialize)]
        struct Inner {
            #[serde(deserialize_with = "list")]
            bytes: Vec<u8>,
        }
        let read = |bytes| {
            let text = r#"{"lists": [{"bytes": [1, 2, 3]}, {"bytes": 1}]}"#;
            within(bytes, || leniently(|| serde_json::from_str::<Lists>(text)))
        };
        let outer = 2 * size_of::<Option<Inner>>();
        assert!(read(outer + 2).is_err());
        let lists = read(outer + 3).unwrap().lists;
        assert_eq!((lists.len(), lists[0].bytes.len()), (1, 3));
    }
}

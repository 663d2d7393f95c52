//! Members that a response is worth having without: one that does not fit is set aside, and costs nothing else.
//!
//! They are read strictly first, as all is. Only when something in the body did not fit are they read one by one.
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

/// Reads a list as [`list`](super::list) does; in a lenient decode what does not fit is the empty list.
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

    let read: Option<List<T>> = read(deserializer)?;
    Ok(read.map_or_else(Vec::new, |list| list.0))
}

/// Reads a map as [`map`](super::map) does; in a lenient decode what does not fit is the empty map.
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

    let read: Option<Map<T>> = read(deserializer)?;
    Ok(read.map_or_else(BTreeMap::new, |map| map.0))
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
        let page = r#"{"offset": 1.0, "ratings": [1, "2"], "totals": {"a": {}}}"#;
        let page = leniently(|| read(page)).unwrap();
        assert_eq!(
            (page.offset, page.ratings.len(), page.totals.len()),
            (Some(1), 0, 0)
        );
        assert!(leniently(|| read(r#"{"offset": 1"#)).is_err());
    }

    #[test]
    fn what_takes_too_much_memory_is_not_set_aside() {
        let text = r#"{"ratings": [1, 2, 3]}"#;
        assert!(within(2, || leniently(|| read(text))).is_err());
        assert!(within(3, || leniently(|| read(text))).is_ok());
    }
}

//! Lists and maps whose elements may be null, including those that callers send. They are read like [`collections`](super::collections),
//! but keep null elements.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use super::collections::{read_elements, read_members};
use super::fitting::{fitting, nullable, optional};
use super::one_of::alternative;
use crate::decode::nullable::Nullable;

/// A list or a map whose elements may be null, for generated code.
pub trait Nulls: Sized {
    /// Reads the list or map.
    ///
    /// # Errors
    ///
    /// Those of an element, in a strict decode.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

impl<T: DeserializeOwned> Nulls for Vec<Option<T>> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_elements::<D, Option<T>, Element<T>>(deserializer)
    }
}

impl<T: DeserializeOwned> Nulls for BTreeMap<String, Option<T>> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_members::<D, Option<T>, Element<T>>(deserializer)
    }
}

/// An element that may be null; absent if it is set aside.
struct Element<T>(Nullable<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Element<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        nullable(deserializer).map(Self)
    }
}

impl<T> From<Element<T>> for Option<Option<T>> {
    fn from(element: Element<T>) -> Self {
        match element.0 {
            Nullable::Absent => None,
            Nullable::Null => Some(None),
            Nullable::Value(value) => Some(Some(value)),
        }
    }
}

#[derive(Default)]
struct Kept<C>(C);

impl<'de, C: Nulls> Deserialize<'de> for Kept<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        C::read(deserializer).map(Self)
    }
}

/// Reads a list or a map with its null elements; `null` itself is empty.
///
/// # Errors
///
/// Those of an element, in a strict decode.
pub fn with_nulls<'de, D, C>(deserializer: D) -> Result<C, D::Error>
where
    D: Deserializer<'de>,
    C: Nulls + Default,
{
    fitting(deserializer).map(|Kept(read)| read)
}

/// Reads a list or a map as [`with_nulls`] does; `null` is `None`.
///
/// # Errors
///
/// Those of [`with_nulls`].
pub fn some_with_nulls<'de, D, C>(deserializer: D) -> Result<Option<C>, D::Error>
where
    D: Deserializer<'de>,
    C: Nulls,
{
    Ok(optional(deserializer)?.map(|Kept(read)| read))
}

/// Reads a list or a map as [`with_nulls`] does; `null` is distinguished from absent.
///
/// # Errors
///
/// Those of [`with_nulls`].
pub fn nullable_with_nulls<'de, D, C>(deserializer: D) -> Result<Nullable<C>, D::Error>
where
    D: Deserializer<'de>,
    C: Nulls,
{
    Ok(nullable(deserializer)?.map(|Kept(read)| read))
}

/// Reads a list or a map as [`with_nulls`] does, and refuses `null`: it is the content of a response.
///
/// # Errors
///
/// Those of [`with_nulls`], and for `null`.
pub fn content_with_nulls<'de, D, C>(deserializer: D) -> Result<C, D::Error>
where
    D: Deserializer<'de>,
    C: Nulls,
{
    C::read(deserializer)
}

/// Reads a list or a map as an alternative of a union, as [`with_nulls`] does.
pub fn alternative_with_nulls<C: Nulls>(text: &str) -> Option<C> {
    alternative(text).map(|Kept(read)| read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::allowance::within;
    use crate::decode::lenient::leniently;
    use crate::decode::set_aside::collecting;

    #[derive(Debug, Deserialize)]
    struct About {
        #[serde(default, deserialize_with = "some_with_nulls")]
        list: Option<Vec<Option<u64>>>,
        #[serde(default, deserialize_with = "with_nulls")]
        map: BTreeMap<String, Option<u64>>,
    }

    #[test]
    fn null_elements_are_kept_and_bad_elements_are_set_aside() {
        let text = r#"{"list": [1, null, "x", 2], "map": {"a": null, "b": 1, "c": {}}}"#;
        assert!(serde_json::from_str::<About>(text).is_err());
        let (about, left_out) = collecting(|| leniently(|| serde_json::from_str::<About>(text)));
        let about = about.unwrap();
        assert_eq!(about.list.unwrap(), [Some(1), None, Some(2)]);
        let map = [("a".to_owned(), None), ("b".to_owned(), Some(1))];
        assert_eq!(about.map, BTreeMap::from(map));
        assert_eq!(left_out.len(), 2);

        let about: About = serde_json::from_str(r#"{"list": null, "map": null}"#).unwrap();
        assert!(about.list.is_none() && about.map.is_empty());
        type List = Vec<Option<u64>>;
        assert_eq!(alternative_with_nulls::<List>("[null]"), Some(vec![None]));
        assert_eq!(alternative_with_nulls::<List>("{}"), None);
    }

    #[test]
    fn null_elements_draw_on_the_allowance() {
        let element = size_of::<Option<u64>>();
        let read = |bytes| {
            within(bytes, || {
                serde_json::from_str::<About>(r#"{"list": [null, null]}"#)
            })
        };
        assert!(read(4 * element).is_ok());
        assert!(read(4 * element - 1).is_err());
    }
}

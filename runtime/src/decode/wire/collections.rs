//! Lists and maps. Each element draws on what a body may take in memory.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::mem::size_of;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::decode::allowance::draw;

/// Reads a list without its `null` elements; `null` itself is the empty list.
///
/// # Errors
///
/// Those of `T`, for an element that is neither.
pub fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    some_list(deserializer).map(Option::unwrap_or_default)
}

/// Reads a map without the members that are `null`; `null` itself is the empty map.
///
/// # Errors
///
/// Those of `T`, for a member that is neither.
pub fn map<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    some_map(deserializer).map(Option::unwrap_or_default)
}

/// Reads a list as [`list`] does; `null` is `None`.
///
/// # Errors
///
/// Those of [`list`].
pub fn some_list<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_option(OrNull(List(PhantomData)))
}

/// Reads a map as [`map`] does; `null` is `None`.
///
/// # Errors
///
/// Those of [`map`].
pub fn some_map<'de, D, T>(deserializer: D) -> Result<Option<BTreeMap<String, T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    deserializer.deserialize_option(OrNull(Map(PhantomData)))
}

/// Reads a list as [`list`] does, and refuses `null`: it is the content of a response.
///
/// # Errors
///
/// Those of [`list`], and for `null`.
pub fn content_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    List(PhantomData).read(deserializer)
}

/// Reads a map as [`map`] does, and refuses `null`: it is the content of a response.
///
/// # Errors
///
/// Those of [`map`], and for `null`.
pub fn content_map<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    Map(PhantomData).read(deserializer)
}

/// Reads a value that may be `null` elsewhere, and not where it is the content of a response.
///
/// # Errors
///
/// Those of `T`, and for `null`.
pub fn content<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + Deserialize<'de>,
{
    T::deserialize(super::object::NotNull(deserializer))
}

/// A visitor that knows what to ask a deserializer for.
trait Read<'de>: Visitor<'de> {
    fn read<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error>;
}

struct OrNull<V>(V);

impl<'de, V: Read<'de>> Visitor<'de> for OrNull<V> {
    type Value = Option<V::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        self.0.read(deserializer).map(Some)
    }
}

struct List<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Read<'de> for List<T> {
    fn read<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element::<Option<T>>()? {
            if let Some(element) = element {
                draw(size_of::<T>())?;
                list.push(element);
            }
        }
        Ok(list)
    }
}

struct Map<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Read<'de> for Map<T> {
    fn read<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Map<T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some((key, member)) = members.next_entry::<String, Option<T>>()? {
            if let Some(member) = member {
                draw(size_of::<(String, T)>())?;
                map.insert(key, member);
            }
        }
        Ok(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::allowance::within;
    use crate::decode::records::Records;

    #[test]
    fn nulls_inside_of_lists_and_maps_are_left_out() {
        let read = |json| list::<_, u8>(&mut serde_json::Deserializer::from_str(json));
        for (json, expected) in [("[1,null,2]", vec![1, 2]), ("null", vec![]), ("[]", vec![])] {
            assert_eq!(read(json).unwrap(), expected, "{json}");
        }
        assert!(read(r#"["a"]"#).is_err());
        let read = |json| map::<_, u8>(&mut serde_json::Deserializer::from_str(json));
        for (json, expected) in [
            (r#"{"a":1,"b":null}"#, vec![("a".to_owned(), 1)]),
            ("null", vec![]),
        ] {
            assert!(read(json).unwrap().into_iter().eq(expected), "{json}");
        }
        assert!(read(r#"{"a":"b"}"#).is_err());
    }

    #[test]
    fn content_is_never_null() {
        fn de(json: &str) -> serde_json::Deserializer<serde_json::de::StrRead<'_>> {
            serde_json::Deserializer::from_str(json)
        }
        assert_eq!(content_list::<_, u8>(&mut de("[1,null]")).unwrap(), [1]);
        assert!(content_list::<_, u8>(&mut de("null")).is_err());
        assert_eq!(content_map::<_, u8>(&mut de("{}")).unwrap().len(), 0);
        assert!(content_map::<_, u8>(&mut de("null")).is_err());
        let records: Records<u8> = content(&mut de("[1]")).unwrap();
        assert_eq!(*records, [1]);
        assert!(content::<_, Records<u8>>(&mut de("null")).is_err());
    }

    #[test]
    fn elements_draw_on_the_allowance() {
        let read = |json| list::<_, u64>(&mut serde_json::Deserializer::from_str(json));
        assert!(within(16, || read("[1,2]")).is_ok());
        assert!(within(16, || read("[1,2,3]")).is_err());
        let read = |json| map::<_, u64>(&mut serde_json::Deserializer::from_str(json));
        assert!(within(32, || read(r#"{"a":1}"#)).is_ok());
        assert!(within(32, || read(r#"{"a":1,"b":2}"#)).is_err());
    }
}

//! Lists and maps. Each element draws on the allowance of the body. A lenient decode sets bad elements aside, and also values that are not
//! a list or map, unless they are the content of a response.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::mem::size_of;

use serde::de::{DeserializeOwned, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use super::fitting::{nullable, optional};
use crate::decode::allowance::{draw_element, draw_member};
use crate::decode::decoder::SELF_COUNTED;
use crate::decode::nullable::Nullable;

/// Reads a list without its `null` elements; `null` itself is the empty list.
///
/// # Errors
///
/// Those of `T`, for an element other than `null`, in a strict decode.
pub fn list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    some_list(deserializer).map(Option::unwrap_or_default)
}

/// Reads a map without the members that are `null`; `null` itself is the empty map.
///
/// # Errors
///
/// Those of `T`, for a member other than `null`, in a strict decode.
pub fn map<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
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
    T: DeserializeOwned,
{
    let read = optional(deserializer)?;
    Ok(read.map(|List(list)| list))
}

/// Reads a map as [`map`] does; `null` is `None`.
///
/// # Errors
///
/// Those of [`map`].
pub fn some_map<'de, D, T>(deserializer: D) -> Result<Option<BTreeMap<String, T>>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let read = optional(deserializer)?;
    Ok(read.map(|Members(members)| members))
}

/// Reads a list as [`list`] does; `null` is distinguished from absent.
///
/// # Errors
///
/// Those of [`list`].
pub fn nullable_list<'de, D, T>(deserializer: D) -> Result<Nullable<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let read = nullable(deserializer)?;
    Ok(read.map(|List(list)| list))
}

/// Reads a map as [`map`] does; `null` is distinguished from absent.
///
/// # Errors
///
/// Those of [`map`].
pub fn nullable_map<'de, D, T>(deserializer: D) -> Result<Nullable<BTreeMap<String, T>>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let read = nullable(deserializer)?;
    Ok(read.map(|Members(members)| members))
}

/// Reads a list as [`list`] does, and refuses `null`: it is the content of a response.
///
/// # Errors
///
/// Those of [`list`], and for `null`.
pub fn content_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    read_elements::<D, T, Element<T>>(deserializer)
}

/// Reads a map as [`map`] does, and refuses `null`: it is the content of a response.
///
/// # Errors
///
/// Those of [`map`], and for `null`.
pub fn content_map<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    read_members::<D, T, Element<T>>(deserializer)
}

/// Reads a list as [`list`] does, but sets nothing aside, because it leads to the records of a page.
///
/// # Errors
///
/// Those of `T`, for an element other than `null`.
pub fn needed_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let read = Option::deserialize(deserializer)?;
    Ok(read.map_or_else(Vec::new, |Needed(list)| list))
}

/// Reads a value whose type accepts `null`, but refuses it, because the document requires a value.
///
/// # Errors
///
/// Those of `T`, and for `null`.
pub fn content<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let read = Option::deserialize(deserializer)?;
    read.ok_or_else(|| D::Error::invalid_type(Unexpected::Unit, &"a value"))
}

/// A list, read by [`content_list`].
pub(super) struct List<T>(pub(super) Vec<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        content_list(deserializer).map(Self)
    }
}

/// A list whose elements are never set aside.
struct Needed<T>(Vec<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Needed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        read_elements::<D, T, Option<T>>(deserializer).map(Self)
    }
}

/// A map, read by [`content_map`].
pub(super) struct Members<T>(pub(super) BTreeMap<String, T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Members<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        content_map(deserializer).map(Self)
    }
}

/// An element of a list or a member of a map; `None` if it is null or set aside.
struct Element<T>(Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Element<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        optional(deserializer).map(Self)
    }
}

impl<T> From<Element<T>> for Option<T> {
    fn from(element: Element<T>) -> Self {
        element.0
    }
}

/// Reads each element of a list as an `E`; leaves out elements without a `T`.
pub(super) fn read_elements<'de, D, T, E>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    E: DeserializeOwned + Into<Option<T>>,
{
    self_counted_list(deserializer, ListVisitor::<T, E>(PhantomData))
}

/// Reads each member of a map as an `E`; leaves out members without a `T`.
pub(super) fn read_members<'de, D, T, E>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    E: DeserializeOwned + Into<Option<T>>,
{
    let visitor = MapVisitor::<T, E>(PhantomData);
    if deserializer.is_human_readable() {
        deserializer.deserialize_struct(SELF_COUNTED, &[], visitor)
    } else {
        deserializer.deserialize_map(visitor)
    }
}

/// Requests a list under a name that tells the decoder of a client not to count it. In a binary format, the kind of request decides.
pub(crate) fn self_counted_list<'de, D, V>(
    deserializer: D,
    visitor: V,
) -> Result<V::Value, D::Error>
where
    D: Deserializer<'de>,
    V: Visitor<'de>,
{
    if deserializer.is_human_readable() {
        deserializer.deserialize_tuple_struct(SELF_COUNTED, 0, visitor)
    } else {
        deserializer.deserialize_seq(visitor)
    }
}

struct ListVisitor<T, E>(PhantomData<(T, E)>);

impl<'de, T, E: DeserializeOwned + Into<Option<T>>> Visitor<'de> for ListVisitor<T, E> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = elements.next_element::<E>()? {
            if let Some(element) = element.into() {
                draw_element(size_of::<T>(), list.len())?;
                list.push(element);
            }
        }
        Ok(list)
    }
}

struct MapVisitor<T, E>(PhantomData<(T, E)>);

impl<'de, T, E: DeserializeOwned + Into<Option<T>>> Visitor<'de> for MapVisitor<T, E> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut map = BTreeMap::new();
        while let Some((key, member)) = members.next_entry::<String, E>()? {
            if let Some(member) = member.into() {
                draw_member(size_of::<(String, T)>(), map.len())?;
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
        assert!(within(32, || read("[1,2,3,4]")).is_ok());
        assert!(within(95, || read("[1,2,3,4,5]")).is_err());
        let read = |json| map::<_, u64>(&mut serde_json::Deserializer::from_str(json));
        assert!(within(464, || read(r#"{"a":1,"b":2}"#)).is_ok());
        assert!(within(463, || read(r#"{"a":1}"#)).is_err());
    }
}

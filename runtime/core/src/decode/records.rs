//! The arrays of paged lists, decoded so that one bad record never loses the others.

use std::fmt;
use std::marker::PhantomData;
use std::mem::size_of;
use std::ops::Deref;

use serde::de::{DeserializeOwned, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::decode::allowance::{draw, draw_element, holding, is_bounded, undone_on_failure};
use crate::decode::decoder::read_strictly;
use crate::decode::lenient::{
    assuming, is_lenient, is_strict, is_unread, leniently, without_lenience,
};
use crate::decode::located::decode_located;
use crate::decode::pointer::Step;
use crate::decode::set_aside::at;
use crate::decode::wire::collections::self_counted_list;
use crate::decode::wire::raw::raw;
use crate::secret::quotation::{MESSAGE, POINTER, escaped};

/// The records of one page: a slice of the decoded ones, and the rejects.
///
/// A client decodes a body strictly first, so an ordinary page has no rejects and takes as long as a `Vec`. If that fails, it decodes the
/// body again and sets aside each bad element. Outside of a client, as in `serde_json::from_str`, bad elements are set aside immediately.
///
/// JSON `null` is an empty array. Rejects are not serialized: [`rejects`](Self::rejects) and the body of the response have them.
///
/// ```
/// use generated_client::Records;
///
/// let names: Records<String> = serde_json::from_str(r#"["a", [], "c"]"#)?;
/// assert_eq!(names[..], ["a", "c"]);
/// assert_eq!(names.rejects()[0].raw.get(), "[]");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Records<T> {
    records: Vec<T>,
    rejects: Vec<RejectedRecord>,
}

/// An element of an array that did not decode.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct RejectedRecord {
    /// Its index in the array that the service sent, decoded records included.
    pub index: usize,
    /// JSON Pointer, inside the element, to the value that does not decode; empty for the complete element. If it is longer than 200
    /// characters, its middle is cut.
    pub path: String,
    /// The mismatch, in one line of at most about 400 characters.
    pub message: String,
    /// The element as the service sent it.
    pub raw: Box<RawValue>,
}

impl<T> Records<T> {
    /// Returns whether there is no record; rejects do not count.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Returns the elements that did not decode, in the order of the response.
    pub fn rejects(&self) -> &[RejectedRecord] {
        &self.rejects
    }
}

impl<T> Records<T> {
    /// Returns the number of elements that the service sent.
    pub(crate) fn received(&self) -> u64 {
        let received = self.records.len().saturating_add(self.rejects.len());
        u64::try_from(received).unwrap_or(u64::MAX)
    }

    /// Returns all elements in the order of the response.
    pub(crate) fn into_results(self) -> impl Iterator<Item = Result<T, RejectedRecord>> {
        let mut records = self.records.into_iter();
        let mut rejects = self.rejects.into_iter().peekable();
        (0..).map_while(
            move |index| match rejects.next_if(|reject| reject.index == index) {
                Some(reject) => Some(Err(reject)),
                None => records.next().map(Ok),
            },
        )
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Records<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let is_text = deserializer.is_human_readable();
        let of = PhantomData;
        deserializer.deserialize_option(Elements { is_text, of })
    }
}

/// One element as raw JSON.
struct Text(Box<RawValue>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        raw(deserializer).map(Self)
    }
}

/// Reads the elements one by one: none is stored twice, and each draws on the allowance of the body.
struct Elements<T> {
    /// True if elements can be read as raw JSON.
    is_text: bool,
    of: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> Visitor<'de> for Elements<T> {
    type Value = Records<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_none<E: Error>(self) -> Result<Records<T>, E> {
        Ok(Records::default())
    }

    fn visit_unit<E: Error>(self) -> Result<Records<T>, E> {
        Ok(Records::default())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Records<T>, D::Error> {
        self_counted_list(deserializer, self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Records<T>, A::Error> {
        let mut read = Records::default();
        if is_unread() {
            while let Some(Text(raw)) = elements.next_element()? {
                draw_element(size_of::<RejectedRecord>(), read.rejects.len())?;
                draw(raw.get().len())?;
                read.rejects.push(RejectedRecord {
                    index: read.rejects.len(),
                    path: String::new(),
                    message: String::new(),
                    raw,
                });
            }
            return Ok(read);
        }
        let is_first_pass = is_bounded() || is_strict() || !self.is_text;
        if is_first_pass && !is_lenient() {
            while let Some(record) = elements.next_element()? {
                draw_element(size_of::<T>(), read.records.len())?;
                read.records.push(record);
            }
            return Ok(read);
        }
        for index in 0.. {
            let Some(Text(raw)) = elements.next_element()? else {
                break;
            };
            holding(raw.get().len(), || read.add(index, raw))?;
        }
        Ok(read)
    }
}

impl<T: DeserializeOwned> Records<T> {
    /// Reads one element leniently, and sets it aside if that fails.
    fn add<E: Error>(&mut self, index: usize, raw: Box<RawValue>) -> Result<(), E> {
        // As in the first pass over a body, values of assumed form are read without looking at the JSON first.
        let mut has_other_form = false;
        let assumed = undone_on_failure(|| {
            let (read, other_form) = assuming(|| without_lenience(|| read_strictly(raw.get())));
            has_other_form = other_form;
            read.ok()
        });
        let strict = match assumed {
            None if has_other_form => without_lenience(|| read_strictly(raw.get())).ok(),
            assumed => assumed,
        };
        let leniently = || leniently(|| at(Step::Element(index), || decode_located(raw.get())));
        match strict.map_or_else(leniently, Ok) {
            Ok(record) => {
                draw_element(size_of::<T>(), self.records.len())?;
                self.records.push(record);
            }
            Err(located) => {
                let reject = RejectedRecord {
                    index,
                    path: escaped(&located.pointer, POINTER),
                    message: escaped(&located.message, MESSAGE),
                    raw,
                };
                let texts = reject.path.len() + reject.message.len() + reject.raw.get().len();
                // It also fails if the element itself exceeds the allowance.
                draw_element(size_of::<RejectedRecord>(), self.rejects.len())?;
                draw(texts)?;
                self.rejects.push(reject);
            }
        }
        Ok(())
    }
}

impl<T> Records<T> {
    /// Decodes the elements that an unread decode has set aside as another type.
    pub(crate) fn read_as<U: DeserializeOwned, E: Error>(self) -> Result<Records<U>, E> {
        let mut read = Records::default();
        for RejectedRecord { index, raw, .. } in self.rejects {
            read.add(index, raw)?;
        }
        Ok(read)
    }
}

impl<T: Serialize> Serialize for Records<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.records.serialize(serializer)
    }
}

impl PartialEq for RejectedRecord {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
            && self.path == other.path
            && self.message == other.message
            && self.raw.get() == other.raw.get()
    }
}

impl<T> Default for Records<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T> From<Vec<T>> for Records<T> {
    fn from(records: Vec<T>) -> Self {
        Self {
            records,
            rejects: Vec::new(),
        }
    }
}

impl<T> Deref for Records<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.records
    }
}

impl<T> IntoIterator for Records<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.records.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Records<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.records.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::lenient::{leniently, strictly};

    fn lenient(text: &str) -> serde_json::Result<Records<u8>> {
        leniently(|| serde_json::from_str(text))
    }

    #[test]
    fn bad_elements_are_set_aside_outside_of_a_client_too() {
        let good: Records<u8> = serde_json::from_str("[1, 2]").unwrap();
        assert_eq!(*good, [1, 2]);
        let mixed: Records<u8> = serde_json::from_str("[1, 300]").unwrap();
        assert_eq!((&*mixed, mixed.rejects().len()), (&[1][..], 1));
        let strict = strictly(|| serde_json::from_str::<Records<u8>>("[1, 300]"));
        assert!(strict.is_err());
    }

    #[test]
    fn only_records_are_written() {
        let records = lenient(r#"[300,1,{"a": 1e999},2,"x"]"#).unwrap();
        assert_eq!(serde_json::to_string(&records).unwrap(), "[1,2]");
    }

    #[test]
    fn null_is_an_empty_array_either_way() {
        let strict: Records<u8> = serde_json::from_str("null").unwrap();
        assert_eq!(strict, Records::default());
        assert_eq!(lenient("null").unwrap(), Records::default());
    }

    #[test]
    fn rejects_keep_their_place_and_their_bytes() {
        let records = lenient(r#"[300, 1, {"a": 1e999}, 2, null]"#).unwrap();
        assert_eq!(*records, [1, 2]);
        let places: Vec<_> = records
            .rejects()
            .iter()
            .map(|r| (r.index, r.raw.get()))
            .collect();
        assert_eq!(places, [(0, "300"), (2, r#"{"a": 1e999}"#), (4, "null")]);
        assert!(records.rejects()[0].message.contains("300"));
    }

    #[test]
    fn another_type_than_an_array_is_an_error_in_lenient_mode_too() {
        for text in ["{}", "7", "[1", "[1,]", "[1 2]", r#"["x]"#] {
            assert!(lenient(text).is_err(), "{text}");
        }
    }

    #[test]
    fn records_are_compared_with_their_rejects() {
        let records = lenient("[1, null, 2]").unwrap();
        assert_ne!(records, Records::from(vec![1, 2]));
        assert_eq!(records, records.clone());
        // The same message from different bytes.
        assert_ne!(lenient("[{}]").unwrap(), lenient("[{ }]").unwrap());
        assert_eq!((&records).into_iter().sum::<u8>(), 3);
        assert_eq!(Vec::from_iter(records), [1, 2]);
    }
}

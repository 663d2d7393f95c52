//! The arrays of paged lists, decoded so that one bad record never loses the others.

use std::ops::Deref;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::allowance::{draw, draw_element};
use super::bridge::{deserialize, read_serde};
use super::failure::Failure;
use super::read::{Read, add};
use super::reader::{Mark, Mode, Reader, State};
use crate::document::shape::{Shape, Shaped};
use crate::secret::conceal::message;
use crate::secret::quotation::{MESSAGE, POINTER, escaped};

/// The records of one page: a slice of the decoded ones, and the rejects.
///
/// An ordinary page has no rejects and takes as long as a `Vec`. Each bad element is set aside, also outside of a client, as in
/// `serde_json::from_str`.
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

impl<T: Shaped> Shaped for Records<T> {
    const SHAPE: &'static Shape = &Shape::List(Shape::of_element::<T>);
}

impl<T: Read> Read for Records<T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
        Self::read_by(reader, T::read)
    }
}

impl<'de, T: Read> Deserialize<'de> for Records<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize(deserializer)
    }
}

impl<T> Records<T> {
    #[inline(never)]
    fn read_by(
        reader: &mut Reader<'_>,
        read: fn(&mut Reader<'_>) -> Result<T, Failure>,
    ) -> Result<Self, Failure> {
        let mut records = Vec::new();
        let each = &mut |reader: &mut Reader<'_>| match read(reader) {
            Ok(record) => add(&mut records, record, reader),
            Err(failure) => Err(failure),
        };
        match read_records(reader, each) {
            Ok(rejects) => Ok(Self { records, rejects }),
            Err(failure) => Err(failure),
        }
    }
}

impl<T> Records<T> {
    /// Decodes the elements that an unread decode has kept as another type. What is set aside inside of them is only in their bytes.
    pub(crate) fn decoded<U: DeserializeOwned>(
        self,
        reader: &mut Reader<'_>,
    ) -> Result<Records<U>, Failure> {
        let texts: Vec<&str> = self.rejects.iter().map(|one| one.raw.get()).collect();
        let text = format!("[{}]", texts.join(","));
        draw(reader, text.len())?;
        let state = State::new(reader.state.mode, reader.state.allowance);
        let mut inner = Reader::new(&text, state);
        let records = Records::read_by(&mut inner, read_serde);
        reader.state.allowance = inner.state.allowance;
        records
    }
}

/// Reads records by a function for each, and returns those that it does not read.
fn read_records(
    reader: &mut Reader<'_>,
    each: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), Failure>,
) -> Result<Vec<RejectedRecord>, Failure> {
    let mut rejects = Vec::new();
    if reader.null()? {
        return Ok(rejects);
    }
    let mut index = 0;
    reader.list(&mut |reader| {
        if reader.state.is_unread {
            return keep_unread(reader, &mut rejects);
        }
        let mark = reader.mark_value();
        let read = read_tolerantly(reader, mark, each);
        let kept = read.or_else(|failure| reject(reader, mark, failure, index, &mut rejects));
        index += 1;
        kept
    })?;
    Ok(rejects)
}

/// Reads a record. Outside of a client, one that is not as documented is read again, as a client reads it.
fn read_tolerantly(
    reader: &mut Reader<'_>,
    mark: Mark,
    read: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let record = read(reader);
    if record.is_ok() || reader.state.mode != Mode::Outside {
        return record;
    }
    reader.return_to(mark);
    reader.state.mode = Mode::Open;
    let record = read(reader);
    reader.state.mode = Mode::Outside;
    record
}

/// Keeps a record as raw JSON.
fn keep_unread(reader: &mut Reader<'_>, kept: &mut Vec<RejectedRecord>) -> Result<(), Failure> {
    let index = kept.len();
    let raw = reader.kept()?;
    draw_element(reader, size_of::<RejectedRecord>(), index)?;
    kept.push(RejectedRecord {
        index,
        path: String::new(),
        message: String::new(),
        raw,
    });
    Ok(())
}

/// Skips the record at a mark, which does not match, and adds it to the rejects. In a strict attempt, it is a failure.
#[cold]
fn reject(
    reader: &mut Reader<'_>,
    mark: Mark,
    failure: Failure,
    index: usize,
    rejects: &mut Vec<RejectedRecord>,
) -> Result<(), Failure> {
    if reader.state.mode == Mode::Strict || failure.is_final() {
        return Err(failure);
    }
    reader.return_to(mark);
    let at = reader.at;
    let raw = reader.kept()?;
    let why = failure.within(raw.get(), at);
    let reject = RejectedRecord {
        index,
        path: escaped(&why.pointer, POINTER),
        message: escaped(&message(&why.message), MESSAGE),
        raw,
    };
    draw(reader, reject.path.len() + reject.message.len())?;
    draw_element(reader, size_of::<RejectedRecord>(), rejects.len())?;
    rejects.push(reject);
    Ok(())
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
    use crate::decode::allowance::Allowance;
    use crate::decode::decode::decode;
    use crate::decode::pointer::Located;

    fn lenient(text: &str) -> Result<Records<u8>, Located> {
        decode(text.as_bytes())
    }

    #[test]
    fn bad_elements_are_set_aside_outside_of_a_client_too() {
        let good: Records<u8> = serde_json::from_str("[1, 2]").unwrap();
        assert_eq!(*good, [1, 2]);
        let mixed: Records<u8> = serde_json::from_str("[1, 300]").unwrap();
        assert_eq!((&*mixed, mixed.rejects().len()), (&[1][..], 1));
        let state = State::new(Mode::Strict, Allowance::UNBOUNDED);
        assert!(Records::<u8>::read(&mut Reader::new("[1, 300]", state)).is_err());
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
        for text in ["{}", "7", "[1", "[1,]", "[1 2]", r#"["x""#] {
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

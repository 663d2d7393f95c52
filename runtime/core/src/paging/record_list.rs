//! The array of the records in the bytes of a page. Input: a decoded body, and the pointers to the array. Output: its elements, or what is
//! there instead.
//!
//! A type cannot tell: where a document does not require the array, a page without it decodes to no records.

use super::identity::identity;
use crate::decode::explain::{LACKS, of_the_whole};
use crate::decode::member::raw_member;
use crate::decode::pointer::Located;

/// The array of the records, or what a page has in place of it.
pub(super) enum RecordList {
    /// The hash of each element.
    Listed(Vec<u64>),
    /// Null, there or in place of an object that contains it.
    Null(Located),
    Absent(Located),
}

impl RecordList {
    /// `pointers`: the array by each of its names.
    pub(super) fn read(body: &[u8], pointers: &[&str]) -> Self {
        let mut instead = Self::Listed(Vec::new());
        for pointer in pointers {
            match Self::read_one(body, pointer) {
                Self::Listed(elements) => return Self::Listed(elements),
                Self::Null(located) => instead = Self::Null(located),
                Self::Absent(_) if matches!(instead, Self::Null(_)) => {}
                Self::Absent(located) => instead = Self::Absent(located),
            }
        }
        instead
    }

    fn read_one(body: &[u8], pointer: &str) -> Self {
        let json = raw_member(body, pointer).map(|raw| raw.get());
        match json.map(str::as_bytes) {
            Some(array @ [b'[', ..]) => Self::Listed(identity(array).elements),
            Some(b"null") => Self::Null(located(pointer, "invalid type: null, expected an array")),
            Some(_) => Self::Absent(located(pointer, "invalid type, expected an array")),
            None => without(body, pointer),
        }
    }
}

/// Names the object that lacks the first missing member of a path.
fn without(body: &[u8], pointer: &str) -> RecordList {
    let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
    match raw_member(body, parent).map(|raw| raw.get()) {
        Some("null") => RecordList::Null(located(parent, "invalid type: null, expected an object")),
        Some(object) => {
            let message = of_the_whole(format!("{LACKS}`{name}`"), object);
            RecordList::Absent(located(parent, &message))
        }
        None if parent.is_empty() => RecordList::Absent(located(parent, "expected an object")),
        None => without(body, parent),
    }
}

fn located(pointer: &str, message: &str) -> Located {
    Located {
        pointer: pointer.to_owned(),
        message: message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Describes the list at `/data/rows`, or at `/results`.
    fn describe(body: &str) -> String {
        match RecordList::read(body.as_bytes(), &["/data/rows", "/results"]) {
            RecordList::Listed(elements) => format!("{} elements", elements.len()),
            RecordList::Null(Located { pointer, message }) => format!("null {pointer}: {message}"),
            RecordList::Absent(Located { pointer, message }) => format!("{pointer}: {message}"),
        }
    }

    #[test]
    fn a_list_is_found_by_any_name_and_otherwise_the_error_has_its_place() {
        for (body, expected) in [
            (r#"{"data": {"rows": [{"a": [1, 2]}, 3]}}"#, "2 elements"),
            (r#"{"data": {"rows": null}, "results": []}"#, "0 elements"),
            (
                r#"{"data": {"rows": null}}"#,
                "null /data/rows: invalid type: null, expected an array",
            ),
            (
                r#"{"data": null}"#,
                "null /data: invalid type: null, expected an object",
            ),
            (
                r#"{"error": 1}"#,
                ": expected an object with `results`; it has `error`",
            ),
            ("{}", ": expected an object with `results`; it is empty"),
        ] {
            assert_eq!(describe(body), expected, "{body}");
        }
        let nested = RecordList::read(br#"{"data": {"error": 1}}"#, &["/data/rows"]);
        let RecordList::Absent(Located { pointer, message }) = nested else {
            panic!("a list was found");
        };
        assert_eq!(pointer, "/data");
        assert_eq!(message, "expected an object with `rows`; it has `error`");
    }
}

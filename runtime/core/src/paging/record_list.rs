//! The array of the records in the bytes of a page. Input: a decoded body, and the pointers to the array. Output: what is there instead, if
//! anything is.
//!
//! A type cannot tell: where a document does not require the array, a page without it decodes to no records.

use crate::decode::explain::{LACKS, of_the_whole};
use crate::decode::member::raw_member;
use crate::decode::pointer::Located;

/// Whether a page has the array of the records, or what it has in place of it.
pub(super) enum RecordList {
    /// It has it, or may leave it out.
    Listed,
    /// Null, there or in place of an object that contains it.
    Null(Located),
    Absent(Located),
}

impl RecordList {
    /// `pointers`: the array by each of its names, the documented one first.
    pub(super) fn read(body: &[u8], pointers: &[&str]) -> Self {
        let mut instead = Self::Listed;
        for pointer in pointers {
            match (&instead, Self::read_one(body, pointer)) {
                (_, Self::Listed) => return Self::Listed,
                (Self::Listed, found) | (Self::Absent(_), found @ Self::Null(_)) => {
                    instead = found;
                }
                (Self::Absent(_) | Self::Null(_), _) => {}
            }
        }
        instead
    }

    fn read_one(body: &[u8], pointer: &str) -> Self {
        match raw_member(body, pointer).map(str::as_bytes) {
            Some([b'[', ..]) => Self::Listed,
            Some(b"null") => Self::Null(located(pointer, "invalid type: null, expected an array")),
            Some(_) => Self::Absent(located(pointer, "invalid type, expected an array")),
            None => without(body, pointer),
        }
    }
}

/// Names the object that lacks the first missing member of a path.
fn without(body: &[u8], pointer: &str) -> RecordList {
    let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
    match raw_member(body, parent) {
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

    /// Describes the list at the first of these places that has one.
    fn describe(body: &str, pointers: &[&str]) -> String {
        match RecordList::read(body.as_bytes(), pointers) {
            RecordList::Listed => "listed".to_owned(),
            RecordList::Null(Located { pointer, message }) => format!("null {pointer}: {message}"),
            RecordList::Absent(Located { pointer, message }) => format!("{pointer}: {message}"),
        }
    }

    #[test]
    fn a_list_is_found_by_any_name_and_otherwise_the_error_has_its_place() {
        #[rustfmt::skip]
        let table = [
            (r#"{"data": {"rows": [{"a": [1, 2]}, 3]}}"#, "listed"),
            (r#"{"data": {"rows": null}, "results": []}"#, "listed"),
            (r#"{"data": {"rows": null}}"#, "null /data/rows: invalid type: null, expected an array"),
            (r#"{"data": null}"#, "null /data: invalid type: null, expected an object"),
            (r#"{"results": null}"#, "null /results: invalid type: null, expected an array"),
            (r#"{"data": null, "results": null}"#, "null /data: invalid type: null, expected an object"),
            (r#"{"data": {"error": 1}}"#, "/data: expected an object with `rows`; it has `error`"),
            (r#"{"error": 1}"#, ": expected an object with `data`; it has `error`"),
            ("{}", ": expected an object with `data`; it is empty"),
        ];
        for (body, expected) in table {
            assert_eq!(describe(body, &["/data/rows", "/results"]), expected);
        }
        let nested = ["/data/rows", "/data/results"];
        let expected = "/data: expected an object with `rows`; it has `error`";
        assert_eq!(describe(r#"{"data": {"error": 1}}"#, &nested), expected);
        // A page without its list is valid where the service may leave it out.
        assert_eq!(describe("{}", &[]), "listed");
    }
}

//! Identifies a page by hashes of the raw bytes of its arrays. Input: a body that decoded. Output: 64-bit hashes.
//!
//! Decoded records cannot replace the bytes: records that differ only in undocumented fields decode to equal values. Values outside of
//! arrays are ignored, because an offset or a count can change while the records stay the same.

use std::hash::{DefaultHasher, Hasher};

use crate::decode::allowance::Allowance;
use crate::decode::decode::without_mark;
use crate::decode::failure::Failure;
use crate::decode::reader::{Mode, Reader, State};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The hash of all arrays.
    pub(super) page: u64,
    /// The hash of each element of these arrays.
    pub(super) elements: Vec<u64>,
}

/// Hashes the outermost arrays of a body, or all of one that cannot be searched: two pages are never equal without need. Nested arrays are hashed as
/// part of their element.
pub(super) fn identity(body: &[u8]) -> Identity {
    let mut page = DefaultHasher::new();
    let mut elements = Vec::new();
    let text = str::from_utf8(without_mark(body)).unwrap_or_default();
    let state = State::new(Mode::Strict, Allowance::UNBOUNDED);
    let mut reader = Reader::new(text, state);
    if hash_arrays(&mut reader, &mut page, &mut elements).is_err() {
        page.write(body);
        elements.clear();
    }
    Identity {
        page: page.finish(),
        elements,
    }
}

fn hash_arrays(
    reader: &mut Reader<'_>,
    page: &mut DefaultHasher,
    elements: &mut Vec<u64>,
) -> Result<(), Failure> {
    match reader.peek() {
        Some(b'[') => {
            reader.list(&mut |reader| {
                let mut hasher = DefaultHasher::new();
                hasher.write(reader.raw()?.as_bytes());
                let hash = hasher.finish();
                page.write_u64(hash);
                elements.push(hash);
                Ok(())
            })?;
            // Two arrays are not one with the elements of both.
            page.write_u8(b']');
            Ok(())
        }
        Some(b'{') => reader.members(&mut |_, reader| hash_arrays(reader, page, elements)),
        _ => reader.skip(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(body: &str) -> u64 {
        identity(body.as_bytes()).page
    }

    #[test]
    fn pages_are_equal_if_their_arrays_are_regardless_of_other_members() {
        let body = r#"{"offset": 0, "data": {"id": "a", "things": [{"n": 1}, {"n": 2}]}}"#;
        for same in [
            r#"{"offset": 3, "data": {"id": "b", "things": [{"n": 1}, {"n": 2}]}, "left": 4}"#,
            r#"{"data": {"things": [ {"n": 1},{"n": 2} ]}, "paging": {"offset": 3}}"#,
            r#"[{"n": 1}, {"n": 2}]"#,
        ] {
            assert_eq!(page(body), page(same), "{same}");
        }
    }

    #[test]
    fn pages_differ_when_any_byte_of_a_record_does() {
        let bodies = [
            r#"{"data": []}"#,
            r#"{"data": [{}]}"#,
            r#"{"data": [{}, {}]}"#,
            r#"{"data": [{}], "more": [{}]}"#,
            r#"{"data": [{}], "more": []}"#,
            r#"{"data": [[{}]]}"#,
            r#"{"data": [1, 2]}"#,
            r#"{"data": ["1, 2"]}"#,
            r#"{"data": ["1", "2"]}"#,
            r#"{"data": ["1\", \"2"]}"#,
            r#"{"data": ["\\", "2"]}"#,
            r#"{"data": [{"unheard of": 1}]}"#,
            r#"{"data": [{"unheard of": 2}]}"#,
            r#"{"data": 7}"#,
        ];
        for (place, one) in bodies.iter().enumerate() {
            for other in &bodies[place + 1..] {
                assert_ne!(page(one), page(other), "{one} {other}");
            }
        }
    }

    #[test]
    fn the_elements_of_the_outermost_arrays_are_counted() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        let nested = r#"{"a":"#.repeat(1000) + "[1]" + &"}".repeat(1000);
        for (body, count) in [
            (r#"{"a[": "[1, 2", "b": [1, "]", "[,"], "c": "]"}"#, 3),
            (r#"["\"]", "\\", "\\\"[,"]"#, 3),
            (r#"{"a": {"b": [{"c": [1, 2]}, [3, 4]]}, "d": [5]}"#, 3),
            (r#"{"a": [1, 2], "b": [3}"#, 0),
            ("", 0),
            (" [ ] ", 0),
            (&*deep, 1),
            (&*nested, 0),
        ] {
            assert_eq!(identity(body.as_bytes()).elements.len(), count);
        }
    }
}

//! Identifies a page by hashes of the raw bytes of its arrays. Input: a body that decoded. Output: 64-bit hashes.
//!
//! Decoded records cannot replace the bytes: records that differ only in undocumented fields decode to equal values. Values outside of
//! arrays are ignored, because an offset or a count can change while the records stay the same.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hasher};

use serde_json::value::RawValue;

use crate::decode::decode::without_mark;

/// How deep objects are searched for arrays. Nothing that is deeper can be a record.
const DEEPEST: usize = 128;

type Members<'b> = BTreeMap<Cow<'b, str>, &'b RawValue>;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The hash of all arrays.
    pub(super) page: u64,
    /// The hash of each element of these arrays.
    pub(super) elements: Vec<u64>,
}

/// Hashes the outermost arrays of a body. Nested arrays are hashed as part of their element.
pub(super) fn identity(body: &[u8]) -> Identity {
    let mut page = DefaultHasher::new();
    let mut elements = Vec::new();
    match str::from_utf8(without_mark(body)) {
        Ok(body) => hash_arrays(body.trim_ascii(), DEEPEST, &mut page, &mut elements),
        Err(_) => page.write(body),
    }
    Identity {
        page: page.finish(),
        elements,
    }
}

/// Hashes the arrays of a value, or all of a value that cannot be searched: two pages are never equal without need.
fn hash_arrays(value: &str, depth: usize, page: &mut DefaultHasher, elements: &mut Vec<u64>) {
    if value.starts_with('[')
        && let Ok(array) = serde_json::from_str::<Vec<&RawValue>>(value)
    {
        page.write_usize(array.len());
        for element in array {
            let mut hasher = DefaultHasher::new();
            hasher.write(element.get().as_bytes());
            let hash = hasher.finish();
            page.write_u64(hash);
            elements.push(hash);
        }
    } else if value.starts_with('{')
        && depth > 0
        && let Ok(members) = serde_json::from_str::<Members<'_>>(value)
    {
        for member in members.into_values() {
            hash_arrays(member.get(), depth.saturating_sub(1), page, elements);
        }
    } else if value.starts_with(['{', '[']) {
        page.write(value.as_bytes());
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
            (r#"{"a": {"b": [{"c": [1, 2]}, [3, 4]]}, "d": [5]}"#, 3),
            (" [ ] ", 0),
            (&*deep, 1),
            (&*nested, 0),
        ] {
            assert_eq!(identity(body.as_bytes()).elements.len(), count);
        }
    }
}

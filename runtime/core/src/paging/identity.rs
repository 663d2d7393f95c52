//! Identifies a page by hashes of the raw bytes of its arrays. Input: a body that decoded. Output: 64-bit hashes.
//!
//! Decoded records cannot replace the bytes: records that differ only in undocumented fields decode to equal values. Values outside of
//! arrays are ignored, because an offset or a count can change while the records stay the same.

use std::hash::{DefaultHasher, Hasher};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// The hash of all arrays.
    pub(super) page: u64,
    /// The hash of each element of these arrays.
    pub(super) elements: Vec<u64>,
}

/// Reads a body once, without recursion. Nested arrays are hashed as part of their element.
pub(super) fn identity(body: &[u8]) -> Identity {
    let mut page = DefaultHasher::new();
    let mut elements = Vec::new();
    let mut begin = 0;
    // Number of open brackets, counted from the outermost array; zero outside of arrays.
    let mut depth = 0_usize;
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, byte) in body.iter().enumerate() {
        if is_text {
            is_text = is_escaped || *byte != b'"';
            is_escaped = !is_escaped && *byte == b'\\';
            continue;
        }
        let is_end = match byte {
            b'"' => {
                is_text = true;
                false
            }
            b'[' if depth == 0 => {
                depth = 1;
                begin = at.saturating_add(1);
                false
            }
            b'[' | b'{' if depth > 0 => {
                depth = depth.saturating_add(1);
                false
            }
            b']' | b'}' if depth > 0 => {
                depth = depth.saturating_sub(1);
                depth == 0
            }
            b',' => depth == 1,
            _ => false,
        };
        if !is_end {
            continue;
        }
        let element = body.get(begin..at).unwrap_or_default().trim_ascii();
        begin = at.saturating_add(1);
        if !element.is_empty() {
            let mut hasher = DefaultHasher::new();
            hasher.write(element);
            let hash = hasher.finish();
            page.write_u64(hash);
            elements.push(hash);
        }
        if depth == 0 {
            page.write_u8(*byte);
        }
    }
    Identity {
        page: page.finish(),
        elements,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn page(body: &str) -> u64 {
        identity(body.as_bytes()).page
    }

    fn elements(body: &str) -> usize {
        identity(body.as_bytes()).elements.len()
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
    fn brackets_and_commas_in_strings_are_ignored() {
        for (body, count) in [
            (r#"{"a[": "[1, 2", "b": [1, "]", "[,"], "c": "]"}"#, 3),
            (r#"["\"]", "\\", "\\\"[,"]"#, 3),
            (r#"{"a": {"b": [{"c": [1, 2]}, [3, 4]]}, "d": [5]}"#, 3),
            ("", 0),
            ("null", 0),
            (" [ ] ", 0),
            (r#"{"a": {}, "b": 1, "c": 2}"#, 0),
        ] {
            assert_eq!(elements(body), count, "{body}");
        }
    }

    #[test]
    fn a_body_of_any_depth_is_read_without_recursion() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        assert_eq!(elements(&deep), 1);
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            any::<u8>().prop_map(|number| json!(number)),
            r#"["\\,\[\]{} a]{0,4}"#.prop_map(Value::String),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
                prop::collection::btree_map("[a-c\"]", inner, 0..3)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// Finds the outermost arrays with a JSON parser.
    fn arrays(value: &Value, found: &mut Vec<Vec<Value>>) {
        match value {
            Value::Array(elements) => found.push(elements.clone()),
            Value::Object(members) => members.values().for_each(|value| arrays(value, found)),
            _ => {}
        }
    }

    proptest! {
        #[test]
        fn arrays_are_found_as_a_json_parser_finds_them(one in values(), other in values()) {
            let read = |value: &Value| {
                let mut found = Vec::new();
                arrays(value, &mut found);
                let text = value.to_string();
                prop_assert_eq!(elements(&text), found.iter().map(Vec::len).sum::<usize>());
                Ok((found, page(&text)))
            };
            let ((arrays, page), (others, other_page)) = (read(&one)?, read(&other)?);
            prop_assert_eq!(arrays == others, page == other_page);
        }

        #[test]
        fn malformed_json_does_not_panic(body in prop::collection::vec(prop::sample::select(&b"[]{}\",\\ a"[..]), 0..30)) {
            identity(&body);
        }
    }
}

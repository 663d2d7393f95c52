//! Bytes to a typed body. Strict and fast first; only a body that fails is read again, with more patience.

use serde::de::DeserializeOwned;

use crate::lenient::leniently;
use crate::pointer::{Located, decode_located};

/// Decodes a body; an empty one as JSON `null`.
pub(crate) fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Located> {
    // Checking UTF-8 once for the whole body is a quarter faster than serde_json's check of each string.
    let text = match str::from_utf8(body) {
        Ok("") => "null",
        Ok(text) => text,
        Err(error) => {
            return Err(Located {
                pointer: String::new(),
                message: format!("not UTF-8 from byte {} on", error.valid_up_to()),
            });
        }
    };
    serde_json::from_str(text)
        .or_else(|_| leniently(|| serde_json::from_str(text).or_else(|_| decode_located(text))))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::records::Records;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Page {
        total: u32,
        things: Records<Thing>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Thing {
        parts: Records<u8>,
    }

    #[test]
    fn an_empty_body_is_null() {
        assert_eq!(decode::<Option<u8>>(b"").unwrap(), None);
        decode::<()>(b"").unwrap();
        assert!(decode::<u8>(b"").is_err());
    }

    #[test]
    fn a_body_that_is_not_utf8_is_refused_with_its_place() {
        let located = decode::<String>(b"\"ab\xff\"").unwrap_err();
        assert_eq!(located.message, "not UTF-8 from byte 3 on");
    }

    #[test]
    fn a_bad_record_at_any_depth_leaves_the_others() {
        let body =
            br#"{"total": 3, "things": [{"parts": [1, "x", 3]}, {"parts": 7}, {"parts": []}]}"#;
        let page = decode::<Page>(body).unwrap();
        assert_eq!(page.total, 3);
        assert_eq!(page.things.len(), 2);
        assert_eq!(*page.things[0].parts, [1, 3]);
        assert_eq!(page.things[0].parts.rejects()[0].index, 1);
        let reject = &page.things.rejects()[0];
        assert_eq!((reject.index, reject.path.as_str()), (1, "/parts"));
        assert_eq!(reject.raw.get(), r#"{"parts": 7}"#);
    }

    #[test]
    fn a_failure_outside_of_the_records_is_located_although_a_record_is_bad_too() {
        let body = br#"{"things": [{"parts": ["x"]}, null], "total": "many"}"#;
        let located = decode::<Page>(body).unwrap_err();
        assert_eq!(located.pointer, "/total");
        assert!(located.message.contains("many"), "{}", located.message);
    }

    #[test]
    fn broken_json_is_a_failure_however_good_its_first_records_are() {
        for body in [
            r#"{"total": 1, "things": [{"parts": [1]}, {"par"#,
            r#"{"total": 1, "things": [{"parts": [1]}, {"parts": [}]}"#,
            r#"{"total": 1, "things": [{"parts": ["x"]}]} }"#,
            r#"{"total": 1, "things": {"parts": []}}"#,
        ] {
            assert!(decode::<Page>(body.as_bytes()).is_err(), "{body}");
        }
    }
}

//! Bytes to a typed body. Strict and fast first; only a body that fails is read again, with more patience.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::credits::Credits;
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

/// What a body reports in its top-level member `field`, whatever else it is: also that of an error, and of one that breaks off later.
pub(crate) fn reported(body: &[u8], field: &str) -> Option<Credits> {
    struct Scan<'s> {
        field: &'s str,
        found: &'s mut Option<Credits>,
    }

    impl<'de> Visitor<'de> for Scan<'_> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
            while let Some(name) = members.next_key::<Cow<'_, str>>()? {
                if name == self.field {
                    let amount: Box<RawValue> = members.next_value()?;
                    // Of several, the largest: what was reported once is not taken back.
                    *self.found = serde_json::from_str(amount.get()).ok().max(*self.found);
                } else {
                    members.next_value::<IgnoredAny>()?;
                }
            }
            Ok(())
        }
    }

    // A body that ends with a number is cut off, and the number may be too.
    let end = body
        .iter()
        .rposition(|byte| !b"0123456789.+-eE".contains(byte));
    let body = end.and_then(|end| body.get(..=end)).unwrap_or_default();
    let mut found = None;
    let scan = Scan {
        field,
        found: &mut found,
    };
    // What was found before the text turned out to be no JSON counts too.
    let _ = serde_json::Deserializer::from_slice(body).deserialize_map(scan);
    found
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

    #[test]
    fn a_report_is_found_wherever_there_is_one() {
        for (body, micros) in [
            (r#"{"cost": 1.5}"#, Some(1_500_000)),
            (r#"{"data": {"cost": 9}, "cost": 0}"#, Some(0)),
            (r#"{"cost": 2, "data": [1, 2"#, Some(2_000_000)),
            (r#"{"cost": 1, "cost": 3}"#, Some(3_000_000)),
            (r#"{"cost": 3, "cost": 1, "cost": null}"#, Some(3_000_000)),
            (r#"{"cost": 1"#, None),
            (r#"{"cost": 1."#, None),
            (r#"{"cost": 1e"#, None),
            (r#"{"cost": 1 "#, Some(1_000_000)),
            ("1", None),
            (r#"{"co\u0073t": 4}"#, Some(4_000_000)),
            (r#"{"cost": "5"}"#, None),
            (r#"{"cost": -5}"#, None),
            (r#"{"cost": 1e999}"#, None),
            (r#"{"data": {"cost": 9}}"#, None),
            (r#"[{"cost": 9}]"#, None),
            ("<html>", None),
            ("", None),
        ] {
            let found = reported(body.as_bytes(), "cost").map(Credits::micros);
            assert_eq!(found, micros, "{body}");
        }
    }
}

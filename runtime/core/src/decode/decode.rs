//! Decodes bytes to a typed body. The first decode is strict and fast; a body that fails is decoded again, leniently.

use serde::de::DeserializeOwned;

use crate::decode::allowance::{allowance, is_exhausted, within};
use crate::decode::decoder::{read_strictly, read_watched};
use crate::decode::explain::of_the_whole;
use crate::decode::lenient::{assuming, leniently};
use crate::decode::located::decode_located_watching;
use crate::decode::pointer::Located;
use crate::decode::set_aside::begin_again;
use crate::decode::watch::Watch;

/// Removes the byte order mark, which readers of JSON may ignore (RFC 8259, section 8.1).
pub(crate) fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

/// Decodes a body; an empty one as JSON `null`.
pub(crate) fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Located> {
    decode_watching(body, &mut Watch::new(None))
}

/// Decodes a body, and lets the watch notice its member.
pub(crate) fn decode_watching<T: DeserializeOwned>(
    body: &[u8],
    watch: &mut Watch,
) -> Result<T, Located> {
    // Checking UTF-8 once for the whole body is a quarter faster than serde_json's check of each string.
    let text = match str::from_utf8(without_mark(body)) {
        Ok("") => "null",
        Ok(text) => text,
        Err(error) => {
            let valid = error.valid_up_to();
            let message = format!("not UTF-8 from byte {valid} on");
            return Err(Located::of_the_whole(message));
        }
    };
    decode_text(text, watch).map_err(|failure| match failure {
        Failure::TooMuch => Located::of_the_whole(format!(
            "it has more elements than fit into the {} MB of memory that {} bytes of JSON may take",
            allowance(text.len()) / 1_000_000,
            text.len()
        )),
        Failure::At(located) if located.pointer.is_empty() => {
            Located::of_the_whole(of_the_whole(located.message, text))
        }
        Failure::At(located) => located,
    })
}

enum Failure {
    /// The body exceeds its allowance; decoding it again would not help.
    TooMuch,
    At(Located),
}

fn decode_text<T: DeserializeOwned>(text: &str, watch: &mut Watch) -> Result<T, Failure> {
    let mut without_lenience = || {
        pass(text, || {
            let read = if watch.is_idle() {
                read_strictly(text)
            } else {
                watch.during(|| read_watched(text))
            };
            read.map_err(|error| Located::of_the_whole(error.to_string()))
        })
    };
    let (first, has_other_form) = assuming(&mut without_lenience);
    let read = match first {
        // A value of another form is not a reason to be lenient with the rest.
        Err(Failure::At(_)) if has_other_form => without_lenience(),
        first => first,
    };
    read.or_else(|failure| {
        failure.unless_exhausted(|| {
            begin_again();
            leniently(|| pass(text, || decode_located_watching(text, watch)))
        })
    })
}

/// Decodes a string with a fresh allowance.
fn pass<T>(text: &str, read: impl FnOnce() -> Result<T, Located>) -> Result<T, Failure> {
    within(allowance(text.len()), || {
        read().map_err(|located| {
            if is_exhausted() {
                Failure::TooMuch
            } else {
                Failure::At(located)
            }
        })
    })
}

impl Failure {
    fn unless_exhausted<T>(self, then: impl FnOnce() -> Result<T, Self>) -> Result<T, Self> {
        match self {
            Self::TooMuch => Err(self),
            Self::At(_) => then(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::decode::records::Records;

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
    fn a_bad_record_at_any_depth_loses_no_other() {
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
    fn a_failure_outside_of_the_records_is_located_even_if_a_record_is_bad() {
        let body = br#"{"things": [{"parts": ["x"]}, null], "total": "many"}"#;
        let located = decode::<Page>(body).unwrap_err();
        assert_eq!(located.pointer, "/total");
        let expected = "invalid type: string, expected a whole number at line 1";
        assert!(located.message.starts_with(expected), "{}", located.message);
    }

    #[test]
    fn broken_json_is_a_failure_even_after_good_records() {
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
    fn whole_numbers_in_records_are_read_in_any_spelling() {
        let body = br#"{"total": 1e0, "things": [{"parts": [1, 2.0, -0]}, {"parts": []}]}"#;
        let page = decode::<Page>(body).unwrap();
        assert_eq!((page.total, &*page.things[0].parts), (1, &[1, 2, 0][..]));
        assert_eq!(page.things[0].parts.rejects(), []);
    }

    #[test]
    fn an_unexpected_body_is_described() {
        let located = decode::<Page>(br#"{"error": "quota exceeded"}"#).unwrap_err();
        assert_eq!(
            located.message,
            "expected an object with `total`; it has `error`"
        );
        let located = decode::<Page>(br#"{"total": "many", "things": []}"#).unwrap_err();
        assert!(
            located.message.contains("expected a whole number"),
            "{located:?}"
        );
    }

    #[test]
    fn too_many_records_are_a_failure_instead_of_rejects() {
        #[derive(Debug, Default, PartialEq, Deserialize)]
        struct Large {
            #[serde(default)]
            parts: Option<[u64; 32]>,
        }

        let elements = |count: usize| vec!["{}"; count].join(",");
        for body in [
            format!("[{}]", elements(400_000)),
            format!("[7, {}]", elements(400_000)),
        ] {
            let located = decode::<Records<Large>>(body.as_bytes()).unwrap_err();
            assert_eq!(located.pointer, "");
            assert!(
                located
                    .message
                    .starts_with("it has more elements than fit into the 76 MB")
            );
        }
        // A larger body has a larger allowance; a decode outside of a client has no limit.
        let spaced = format!("[{}{}]", elements(400_000), " ".repeat(20_000_000));
        assert_eq!(
            decode::<Records<Large>>(spaced.as_bytes()).unwrap().len(),
            400_000
        );
        let body = format!("[{}]", elements(400_000));
        assert!(serde_json::from_str::<Records<Large>>(&body).is_ok());
    }
}

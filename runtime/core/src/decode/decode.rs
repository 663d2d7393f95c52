//! Decodes bytes to a typed body.

use serde::de::DeserializeOwned;

use super::allowance::Allowance;
use super::bridge::read_serde;
use super::explain::of_the_whole;
use super::failure::Failure;
use super::pointer::Located;
use super::reader::{Mode, Reader, State};
use super::set_aside::{SetAside, located};
use crate::secret::conceal::message;

/// Removes the byte order mark, which readers of JSON may ignore (RFC 8259, section 8.1).
pub(crate) fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

/// Decodes a body as a type that implements only `Deserialize`; an empty one as JSON `null`.
pub(crate) fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, Located> {
    decode_setting_aside(body, read_serde).map(|(value, _)| value)
}

/// Works like [`decode`], and sets nothing aside: a value that does not match is an error.
pub(crate) fn decode_whole<T: DeserializeOwned>(body: &[u8]) -> Result<T, Located> {
    let read = decode_setting_aside(body, |reader| {
        reader.state.mode = Mode::Whole;
        read_serde(reader)
    });
    read.map(|(value, _)| value)
}

/// Decodes a body by a function, and lists the values that were set aside.
pub(crate) fn decode_setting_aside<T>(
    body: &[u8],
    read: fn(&mut Reader<'_>) -> Result<T, Failure>,
) -> Result<(T, Vec<SetAside>), Located> {
    let mut value = None;
    let set_aside = decode_by(body, &mut |reader| reader.read_into(&mut value, read))?;
    Ok((value.ok_or_else(Located::no_value)?, set_aside))
}

/// Decodes a body by a function that keeps the value. Without a type parameter: crates that decode bodies do not compile it again.
pub(crate) fn decode_by(
    body: &[u8],
    read: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), Failure>,
) -> Result<Vec<SetAside>, Located> {
    let text = match str::from_utf8(without_mark(body)) {
        Ok("") => "null",
        Ok(text) => text,
        Err(error) => {
            let message = format!("not UTF-8 from byte {} on", error.valid_up_to());
            return Err(Located::of_the_whole(message));
        }
    };
    let state = State::new(Mode::Open, Allowance::of(text.len()));
    let mut reader = Reader::new(text, state);
    match read(&mut reader).and_then(|()| reader.end()) {
        Ok(()) => Ok(located(text, reader.state.asides)),
        Err(failure) if failure.is_final() => Err(Located::of_the_whole(format!(
            "it has more elements than fit into the {} MB of memory that {} bytes of JSON may take",
            Allowance::of(text.len()).megabytes(),
            text.len()
        ))),
        Err(failure) => Err(failed_at(text, &failure)),
    }
}

fn failed_at(text: &str, failure: &Failure) -> Located {
    let Located {
        pointer,
        message: why,
    } = failure.within(text, 0);
    let why = message(&why);
    let message = if pointer.is_empty() {
        of_the_whole(why, text)
    } else {
        why
    };
    Located { pointer, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::read::Read;
    use crate::decode::records::Records;
    use crate::wire::object;

    #[derive(Debug, PartialEq)]
    struct Page {
        total: u32,
        things: Records<Thing>,
    }
    object!(Page {
        total: required "total",
        things: content "things",
    });

    #[derive(Debug, PartialEq)]
    struct Thing {
        parts: Records<u8>,
    }
    object!(Thing {
        parts: content "parts",
    });

    fn decode<T: Read>(body: &[u8]) -> Result<T, Located> {
        decode_setting_aside(body, T::read).map(|(value, _)| value)
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
    fn too_many_records_are_a_failure_instead_of_rejects() {
        #[derive(Debug, Default, PartialEq)]
        struct Large {
            parts: [u64; 32],
        }

        impl Read for Large {
            fn read(reader: &mut Reader<'_>) -> Result<Self, Failure> {
                if reader.peek() != Some(b'{') {
                    return Err(reader.mismatch("an object"));
                }
                reader.skip().map(|()| Self::default())
            }
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
        let mut outside = Reader::new(&body, State::new(Mode::Outside, Allowance::UNBOUNDED));
        assert!(Records::<Large>::read(&mut outside).is_ok());
    }
}

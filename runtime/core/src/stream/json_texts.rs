//! Splits a body into JSON texts: one on each line, or each behind a record separator (RFC 7464).

use bytes::Bytes;
use serde::de::IgnoredAny;

use super::lines::{LineEnd, LineReader, too_large};
use super::parts::Splitter;
use crate::error::TransportError;

/// The JSON texts of a body, as its chunks arrive.
#[derive(Debug)]
pub(super) struct JsonTexts {
    lines: LineReader,
    /// The maximum length of a JSON text, in bytes.
    limit: usize,
    /// The beginning of a JSON text of several lines, which only a sequence can have.
    begun: Option<Vec<u8>>,
}

impl JsonTexts {
    /// Splits lines, or a sequence with record separators.
    pub(super) fn new(is_sequence: bool, limit: usize) -> Self {
        let end = if is_sequence {
            LineEnd::LfOrRs
        } else {
            LineEnd::Lf
        };
        Self {
            lines: LineReader::new(end, limit),
            limit,
            begun: is_sequence.then(Vec::new),
        }
    }
}

impl Splitter for JsonTexts {
    /// It may be blank.
    type Part = Vec<u8>;

    fn push(&mut self, chunk: Bytes) {
        self.lines.push(chunk);
    }

    fn next(&mut self) -> Result<Option<Vec<u8>>, TransportError> {
        while let Some(line) = self.lines.next()? {
            let Some(begun) = &mut self.begun else {
                return Ok(Some(line));
            };
            let is_first = begun.is_empty();
            if line.len() > self.limit.saturating_sub(begun.len()) {
                return Err(too_large(self.limit));
            }
            begun.extend(line);
            // A complete JSON text on one line does not wait for its separator, which may arrive late. One of several lines ends at the
            // separator.
            let is_complete = self.lines.ended_with_rs()
                || is_first && serde_json::from_slice::<IgnoredAny>(begun).is_ok();
            if is_complete {
                return Ok(Some(std::mem::take(begun)));
            }
            if !begun.is_empty() {
                begun.push(b'\n');
            }
        }
        Ok(None)
    }

    fn rest(&mut self) -> Vec<u8> {
        let mut rest = self.begun.as_mut().map(std::mem::take).unwrap_or_default();
        rest.extend(self.lines.rest());
        rest
    }

    /// The last line may lack its end.
    fn last(&mut self) -> Option<Vec<u8>> {
        Some(self.rest())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(is_sequence: bool, chunks: &[&str]) -> (Vec<String>, String) {
        let mut texts = JsonTexts::new(is_sequence, 40);
        let mut found = Vec::new();
        for chunk in chunks {
            texts.push(Bytes::copy_from_slice(chunk.as_bytes()));
            while let Some(text) = texts.next().unwrap() {
                let text = String::from_utf8(text).unwrap();
                found.extend((!text.trim().is_empty()).then(|| text.trim().to_owned()));
            }
        }
        (found, String::from_utf8(texts.rest()).unwrap())
    }

    #[test]
    fn a_sequence_has_a_text_per_separator_and_a_complete_line_does_not_wait() {
        let (found, rest) = texts(true, &["\u{1e}{\"a\":1}\n"]);
        assert_eq!((found, rest.as_str()), (vec!["{\"a\":1}".to_owned()], ""));
        let (found, rest) = texts(
            true,
            &[
                "\u{1e}{\n  \"a\"",
                ": 1\n}\n\u{1e}\u{1e}2\n\u{1e}{\"cut\": \u{1e}3\n\n\u{1e}4",
            ],
        );
        assert_eq!(found, ["{\n  \"a\": 1\n}", "2", "{\"cut\":", "3"]);
        assert_eq!(rest, "4");
        let (found, _) = texts(false, &["1\n\n{\"a\":", "2}\r\n"]);
        assert_eq!(found, ["1", "{\"a\":2}"]);
    }

    #[test]
    fn a_text_of_many_lines_is_limited_too() {
        let mut texts = JsonTexts::new(true, 20);
        texts.push(Bytes::from("\u{1e}[\n".to_owned() + &"1,\n".repeat(20)));
        let end = loop {
            match texts.next() {
                Ok(Some(_)) => {}
                other => break other,
            }
        };
        assert!(end.is_err());
    }
}

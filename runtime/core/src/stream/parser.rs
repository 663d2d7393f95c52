//! Parses events from the lines of `text/event-stream`, as the
//! [HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation) defines.

use std::time::Duration;

use bytes::Bytes;

use super::lines::{LineEnd, LineReader, too_large};
use super::parts::Splitter;
use crate::error::TransportError;

/// An event without its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) event: String,
    pub(super) data: String,
    pub(super) id: String,
    pub(super) retry: Option<Duration>,
}

/// The state after the lines so far.
#[derive(Debug)]
pub(super) struct EventParser {
    lines: LineReader,
    /// The maximum size of an event, in bytes.
    limit: usize,
    is_first_line: bool,
    event: String,
    data: String,
    id: String,
    retry: Option<Duration>,
}

impl Splitter for EventParser {
    type Part = Parsed;

    fn push(&mut self, chunk: Bytes) {
        self.lines.push(chunk);
    }

    fn next(&mut self) -> Result<Option<Parsed>, TransportError> {
        while let Some(line) = self.lines.next()? {
            let line = if std::mem::take(&mut self.is_first_line) {
                line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line)
            } else {
                &line
            };
            if line.is_empty() {
                if let Some(event) = self.dispatch() {
                    return Ok(Some(event));
                }
            } else {
                // Invalid UTF-8 ends with its line at the latest.
                self.field(&String::from_utf8_lossy(line))?;
            }
        }
        Ok(None)
    }

    fn rest(&mut self) -> Vec<u8> {
        let mut rest = std::mem::take(&mut self.data).into_bytes();
        rest.extend(self.lines.rest());
        rest
    }

    /// The standard drops an incomplete event.
    fn last(&mut self) -> Option<Parsed> {
        None
    }
}

impl EventParser {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            lines: LineReader::new(LineEnd::CrLf, limit),
            limit,
            is_first_line: true,
            event: String::new(),
            data: String::new(),
            id: String::new(),
            retry: None,
        }
    }

    fn field(&mut self, line: &str) -> Result<(), TransportError> {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "event" => value.clone_into(&mut self.event),
            "data" => {
                if value.len() >= self.limit.saturating_sub(self.data.len()) {
                    return Err(too_large(self.limit));
                }
                self.data.push_str(value);
                self.data.push('\n');
            }
            "id" if !value.contains('\0') => value.clone_into(&mut self.id),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                let milliseconds = value.parse().ok();
                self.retry = milliseconds.map(Duration::from_millis).or(self.retry);
            }
            // Comments have no name. Unknown fields belong to later standards.
            _ => {}
        }
        Ok(())
    }

    /// Ends an event. Without data there is no event.
    fn dispatch(&mut self) -> Option<Parsed> {
        let event = std::mem::take(&mut self.event);
        let mut data = std::mem::take(&mut self.data);
        data.pop()?;
        Some(Parsed {
            event: if event.is_empty() {
                "message".to_owned()
            } else {
                event
            },
            data,
            id: self.id.clone(),
            retry: self.retry,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns all events of a stream that arrives in these chunks.
    fn events<'c>(chunks: impl IntoIterator<Item = &'c [u8]>) -> Vec<Parsed> {
        let mut parser = EventParser::new(1000);
        let mut events = Vec::new();
        for chunk in chunks {
            parser.push(Bytes::copy_from_slice(chunk));
            while let Some(event) = parser.next().unwrap() {
                events.push(event);
            }
        }
        events
    }

    fn of(event: &str, data: &str, id: &str, retry: Option<u64>) -> Parsed {
        Parsed {
            event: event.to_owned(),
            data: data.to_owned(),
            id: id.to_owned(),
            retry: retry.map(Duration::from_millis),
        }
    }

    #[test]
    fn the_examples_of_the_standard_yield_its_events() {
        let stocks = "data: YHOO\ndata: +2\ndata: 10\n\n";
        assert_eq!(
            events([stocks.as_bytes()]),
            [of("message", "YHOO\n+2\n10", "", None)]
        );
        let four = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n";
        assert_eq!(
            events([four.as_bytes()]),
            [
                of("message", "first event", "1", None),
                of("message", "second event", "", None),
                of("message", " third event", "", None),
            ]
        );
        let empty = "data\n\ndata\ndata\n\ndata:";
        assert_eq!(
            events([empty.as_bytes()]),
            [of("message", "", "", None), of("message", "\n", "", None)]
        );
        let same = "data:test\n\ndata: test\n\n";
        assert_eq!(
            events([same.as_bytes()]),
            [
                of("message", "test", "", None),
                of("message", "test", "", None)
            ]
        );
    }

    #[test]
    fn fields_are_parsed_as_the_standard_defines() {
        #[rustfmt::skip]
        let table = [
            ("\u{feff}data: a\n\n", vec![of("message", "a", "", None)]),
            ("data: a\r\rdata: b\r\n\r\n", vec![of("message", "a", "", None), of("message", "b", "", None)]),
            ("event: add\ndata: a\n\ndata: b\n\n", vec![of("add", "a", "", None), of("message", "b", "", None)]),
            // Without data there is no event, and its type is forgotten; identifier and time stay.
            ("event: add\nid: 7\nretry: 20\n\ndata: b\n\n", vec![of("message", "b", "7", Some(20))]),
            ("id: a\0b\nretry: 1s\nretry: -1\nretry:\nDATA: x\ndata: b\n\n", vec![of("message", "b", "", None)]),
            ("retry: 5\nretry: 99999999999999999999\ndata: b\n\n", vec![of("message", "b", "", Some(5))]),
            ("data: a:b: c\nfoo: bar\n\n", vec![of("message", "a:b: c", "", None)]),
            ("data: unfinished", vec![]),
            ("data: unfinished\n", vec![]),
            ("\n\n\r\n\r", vec![]),
        ];
        for (text, expected) in table {
            assert_eq!(events([text.as_bytes()]), expected, "{text:?}");
        }
        let invalid = b"data: a\xe2\x82\ndata: \xff\n\n";
        assert_eq!(
            events([&invalid[..]]),
            [of("message", "a\u{fffd}\n\u{fffd}", "", None)]
        );
    }

    const PARTS: &[&[u8]] = &[
        b"data",
        b"event",
        b"id",
        b"retry",
        b":",
        b" ",
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b"7",
        "é€".as_bytes(),
        b"\xff",
        b"\xef\xbb\xbf",
    ];

    proptest! {
        #[test]
        fn chunk_boundaries_do_not_affect_events(
            bytes in proptest::collection::vec(
                proptest::sample::select(PARTS),
                0..60,
            ),
            sizes in proptest::collection::vec(1_usize..7, 1..40),
        ) {
            let bytes = bytes.concat();
            let whole = events([bytes.as_slice()]);
            let mut chunks = Vec::new();
            let mut rest = bytes.as_slice();
            for size in sizes.iter().cycle() {
                let (chunk, after) = rest.split_at((*size).min(rest.len()));
                chunks.push(chunk);
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(events(chunks), whole);
        }
    }
}

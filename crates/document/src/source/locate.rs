//! Locations in a file by JSON Pointer. The file is scanned only when a message needs a location.

use std::collections::HashMap;
use std::ops::Range;

use saphyr_parser::{Event, Parser, Span};

use super::locate_json;
use crate::pointer;

/// Returns the bytes of every value by pointer: of a scalar itself, of any other value its key.
pub(super) fn all(text: &str, is_json: bool) -> HashMap<String, Range<usize>> {
    if is_json {
        return locate_json::all(text);
    }
    let offsets = Offsets::of(text);
    let mut found = HashMap::new();
    visit(text, |at, span| {
        found.insert(at.to_owned(), offsets.bytes(span));
    });
    found
}

/// Calls `visit` for every value with its pointer, and with its location.
fn visit(text: &str, mut visit: impl FnMut(&str, Span)) {
    let mut stack: Vec<Next> = Vec::new();
    // The pointer of the next value, and its length at each level above.
    let mut at = String::new();
    let mut lengths: Vec<usize> = Vec::new();
    let mut key: Option<Span> = None;
    for step in Parser::new_from_str(text) {
        let Ok((event, span)) = step else { break };
        if let (Event::Scalar(name, ..), Some(Next::Key)) = (&event, stack.last()) {
            at.push('/');
            at.push_str(&pointer::escape(name));
            if let Some(next) = stack.last_mut() {
                *next = Next::Value;
            }
            key = Some(span);
            continue;
        }
        let opens = matches!(event, Event::MappingStart(..) | Event::SequenceStart(..));
        let scalar = matches!(event, Event::Scalar(..) | Event::Alias(..));
        if opens || scalar {
            if let Some(Next::Element(index)) = stack.last() {
                at.push_str(&format!("/{index}"));
            }
            // An empty value has no location, and that of an alias is elsewhere.
            let own = matches!(&event, Event::Scalar(value, ..) if !value.is_empty());
            visit(&at, key.take().filter(|_| !own).unwrap_or(span));
        }
        if opens {
            lengths.push(at.len());
            stack.push(match event {
                Event::MappingStart(..) => Next::Key,
                _ => Next::Element(0),
            });
        } else if matches!(event, Event::MappingEnd | Event::SequenceEnd) {
            stack.pop();
            at.truncate(lengths.pop().unwrap_or_default());
        }
        if !opens && (scalar || matches!(event, Event::MappingEnd | Event::SequenceEnd)) {
            at.truncate(lengths.last().copied().unwrap_or_default());
            finish_value(&mut stack);
        }
    }
}

/// Next item inside a collection.
#[derive(Clone, Copy)]
enum Next {
    Key,
    Value,
    /// The element of this index.
    Element(usize),
}

fn finish_value(stack: &mut [Next]) {
    match stack.last_mut() {
        Some(Next::Element(index)) => *index += 1,
        Some(next) => *next = Next::Key,
        None => {}
    }
}

/// Converts the scanner's character offsets to bytes, for a file that is not ASCII.
struct Offsets<'t> {
    text: &'t str,
    of: Vec<usize>,
}

impl<'t> Offsets<'t> {
    fn of(text: &'t str) -> Self {
        let of = if text.is_ascii() {
            Vec::new()
        } else {
            text.char_indices().map(|(byte, _)| byte).collect()
        };
        Self { text, of }
    }

    fn byte(&self, index: usize) -> usize {
        let byte = if self.of.is_empty() {
            index
        } else {
            self.of.get(index).copied().unwrap_or(self.text.len())
        };
        byte.min(self.text.len())
    }

    /// Returns the bytes of a span; one of several lines ends with its first.
    fn bytes(&self, span: Span) -> Range<usize> {
        let text = self.text;
        let start = self.byte(span.start.index());
        let end = self.byte(span.end.index()).max(start);
        let line_end = text
            .get(start..)
            .and_then(|rest| rest.find('\n'))
            .map_or(text.len(), |length| start + length);
        let end = end.min(line_end);
        let next = text
            .get(start..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8);
        // At least one character is underlined, but never the line break.
        start..end.max((start + next).min(line_end))
    }
}

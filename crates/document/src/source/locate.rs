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
    let found = scanned(text).found.into_iter();
    found.map(|(at, span)| (at, offsets.bytes(span))).collect()
}

fn scanned(text: &str) -> Places<Span> {
    let mut places = Places::default();
    for step in Parser::new_from_str(text) {
        let Ok((event, span)) = step else { break };
        match event {
            Event::Scalar(name, ..) if places.is_before_key() => places.key(&name, span),
            // An empty value has no location, and that of an alias is elsewhere.
            Event::Scalar(value, ..) => places.value(span, !value.is_empty()),
            Event::Alias(..) => places.value(span, false),
            Event::MappingStart(..) => places.open(span, Next::Key),
            Event::SequenceStart(..) => places.open(span, Next::Element(0)),
            Event::MappingEnd | Event::SequenceEnd => places.close(),
            _ => {}
        }
    }
    places
}

/// Next item inside a collection.
#[derive(Clone, Copy)]
pub(super) enum Next {
    Key,
    Value,
    /// The element of this index.
    Element(usize),
}

/// The location of every value by pointer, in the order of a file.
pub(super) struct Places<L> {
    pub(super) found: HashMap<String, L>,
    stack: Vec<Next>,
    /// The pointer of the next value, and its length at each level above.
    at: String,
    lengths: Vec<usize>,
    key: Option<L>,
}

impl<L> Default for Places<L> {
    fn default() -> Self {
        Self {
            found: HashMap::new(),
            stack: Vec::new(),
            at: String::new(),
            lengths: Vec::new(),
            key: None,
        }
    }
}

impl<L> Places<L> {
    pub(super) fn is_before_key(&self) -> bool {
        matches!(self.stack.last(), Some(Next::Key))
    }

    pub(super) fn key(&mut self, name: &str, location: L) {
        self.at.push('/');
        self.at.push_str(&pointer::escape(name));
        if let Some(next) = self.stack.last_mut() {
            *next = Next::Value;
        }
        self.key = Some(location);
    }

    /// Notes a value that is no collection, at its own location or its key's.
    pub(super) fn value(&mut self, location: L, is_own: bool) {
        self.note(location, is_own);
        self.end();
    }

    /// Notes a collection, at the location of its key.
    pub(super) fn open(&mut self, location: L, first: Next) {
        self.note(location, false);
        self.lengths.push(self.at.len());
        self.stack.push(first);
    }

    pub(super) fn close(&mut self) {
        self.stack.pop();
        self.lengths.pop();
        self.end();
    }

    fn note(&mut self, location: L, is_own: bool) {
        if let Some(Next::Element(index)) = self.stack.last() {
            self.at.push_str(&format!("/{index}"));
        }
        let key = self.key.take().filter(|_| !is_own);
        self.found.insert(self.at.clone(), key.unwrap_or(location));
    }

    /// Ends a value.
    fn end(&mut self) {
        let length = self.lengths.last().copied().unwrap_or_default();
        self.at.truncate(length);
        match self.stack.last_mut() {
            Some(Next::Element(index)) => *index += 1,
            Some(next) => *next = Next::Key,
            None => {}
        }
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

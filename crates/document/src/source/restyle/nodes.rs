//! The locations of the parts of a YAML file.

use std::iter::Peekable;
use std::ops::Range;

use saphyr_parser::{Event, Parser, Span};

use crate::source::locate::Offsets;

/// A value in a file.
pub(super) struct Node {
    /// Its bytes; for a collection in block style, from its first key or element on.
    pub(super) bytes: Range<usize>,
    pub(super) form: Form,
}

/// Notation of a value.
pub(super) enum Form {
    /// A scalar, a collection in brackets, or an alias.
    Inline,
    /// A mapping in block style, with at least one entry.
    Map(Vec<Entry>),
    /// A list in block style, with at least one element.
    List(Vec<Node>),
}

/// A key with its value.
pub(super) struct Entry {
    pub(super) name: String,
    /// Bytes of the key.
    pub(super) key: Range<usize>,
    pub(super) value: Node,
}

/// Reads the first document of a file; `None` if its form is not supported.
pub(super) fn read(text: &str) -> Option<Node> {
    let offsets = Offsets::of(text);
    let mut events = Vec::new();
    for step in Parser::new_from_str(text) {
        let (event, span) = step.ok()?;
        if !matches!(event, Event::StreamStart | Event::DocumentStart(_)) {
            events.push((event, span));
        }
    }
    let mut reader = Reader {
        text,
        offsets: &offsets,
        events: events.into_iter().peekable(),
    };
    reader.node()
}

struct Reader<'t, E: Iterator<Item = (Event<'t>, Span)>> {
    text: &'t str,
    offsets: &'t Offsets<'t>,
    events: Peekable<E>,
}

impl<'t, E: Iterator<Item = (Event<'t>, Span)>> Reader<'t, E> {
    fn node(&mut self) -> Option<Node> {
        let (event, span) = self.events.next()?;
        let bytes = self.bytes(span);
        let is_flow = self
            .text
            .get(bytes.start..)
            .is_some_and(|rest| rest.starts_with(['{', '[']));
        match event {
            // Its aliases must not change with it.
            Event::Scalar(_, _, anchor, tag) if anchor > 0 || tag.is_some() => None,
            Event::MappingStart(anchor, tag) | Event::SequenceStart(anchor, tag)
                if anchor > 0 || tag.is_some() =>
            {
                None
            }
            Event::Scalar(..) => Some(Node {
                bytes,
                form: Form::Inline,
            }),
            Event::MappingStart(..) => {
                let mut entries = Vec::new();
                let end = loop {
                    match self.events.next()? {
                        (Event::MappingEnd, span) => break self.end(span),
                        (Event::Scalar(name, _, 0, None), span) => entries.push(Entry {
                            name: name.into_owned(),
                            key: self.bytes(span),
                            value: self.node()?,
                        }),
                        _ => return None,
                    }
                };
                let first = entries.first().map(|entry| entry.key.start);
                Some(Self::collection(bytes.start, first, end, is_flow, || {
                    Form::Map(entries)
                }))
            }
            Event::SequenceStart(..) => {
                let mut items = Vec::new();
                let end = loop {
                    if let Some((Event::SequenceEnd, span)) = self.events.peek() {
                        let span = *span;
                        self.events.next();
                        break self.end(span);
                    }
                    items.push(self.node()?);
                };
                let first = items.first().map(|item| item.bytes.start);
                Some(Self::collection(bytes.start, first, end, is_flow, || {
                    Form::List(items)
                }))
            }
            _ => None,
        }
    }

    fn collection(
        start: usize,
        first: Option<usize>,
        end: usize,
        is_flow: bool,
        form: impl FnOnce() -> Form,
    ) -> Node {
        match first {
            Some(first) if !is_flow => Node {
                bytes: first..end.max(first),
                form: form(),
            },
            _ => Node {
                bytes: start..end.max(start),
                form: Form::Inline,
            },
        }
    }

    /// Returns the end of a collection: for one in brackets, the byte after them. The scanner has read further.
    fn end(&self, span: Span) -> usize {
        let start = self.offsets.byte(span.start.index());
        let rest = self.text.get(start..).unwrap_or_default();
        start + usize::from(rest.starts_with(['}', ']']))
    }

    fn bytes(&self, span: Span) -> Range<usize> {
        let start = self.offsets.byte(span.start.index());
        start..self.offsets.byte(span.end.index()).max(start)
    }
}

//! Places in a text by JSON Pointer. The text is scanned only when a message needs a place.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use saphyr_parser::{Event, Parser, Span};

use super::locate_json;
use crate::pointer;

/// The bytes of `pointer`, or of the nearest ancestor found: a plain value itself, the key of anything else.
pub(super) fn nearest(text: &str, pointer: &str) -> Option<Range<usize>> {
    let mut wanted = pointer;
    loop {
        if let Some(found) = exact(text, wanted) {
            return Some(found);
        }
        wanted = pointer::split_last(wanted)?.0;
    }
}

/// Line and column of each pointer that the text has, and of those above them.
pub(super) fn positions<'p>(
    text: &str,
    is_json: bool,
    pointers: impl Iterator<Item = &'p str>,
) -> HashMap<String, (usize, usize)> {
    let mut wanted: HashSet<&str> = HashSet::new();
    for mut at in pointers {
        while wanted.insert(at) {
            match at.rsplit_once('/') {
                Some((parent, _)) => at = parent,
                None => break,
            }
        }
    }
    if wanted.is_empty() {
        return HashMap::new();
    }
    if is_json {
        return locate_json::positions(text, &wanted);
    }
    let mut found = HashMap::new();
    let mut stack: Vec<Frame> = Vec::new();
    // The pointer of the value that is next, and how long it was at each level above.
    let mut at = String::new();
    let mut lengths: Vec<usize> = Vec::new();
    let mut key: Option<Span> = None;
    for step in Parser::new_from_str(text) {
        let Ok((event, span)) = step else { break };
        if let (Event::Scalar(name, ..), Some(Frame::Mapping(None))) = (&event, stack.last()) {
            at.push('/');
            at.push_str(&pointer::escape(name));
            if let Some(frame) = stack.last_mut() {
                *frame = Frame::Mapping(Some(String::new()));
            }
            key = Some(span);
            continue;
        }
        let opens = matches!(event, Event::MappingStart(..) | Event::SequenceStart(..));
        let scalar = matches!(event, Event::Scalar(..) | Event::Alias(..));
        if opens || scalar {
            if let Some(Frame::Sequence(index)) = stack.last() {
                at.push_str(&format!("/{index}"));
            }
            if wanted.contains(at.as_str()) {
                // An empty value has no place of its own.
                let empty = matches!(&event, Event::Scalar(value, ..) if value.is_empty());
                let shown = key.filter(|_| opens || empty).unwrap_or(span);
                found.insert(at.clone(), (shown.start.line(), shown.start.col() + 1));
            }
            key = None;
        }
        if opens {
            lengths.push(at.len());
            stack.push(match event {
                Event::MappingStart(..) => Frame::Mapping(None),
                _ => Frame::Sequence(0),
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
    found
}

/// Where the scanner is inside one collection.
enum Frame {
    /// The key whose value comes next; `None` when a key comes next.
    Mapping(Option<String>),
    Sequence(usize),
}

fn exact(text: &str, wanted: &str) -> Option<Range<usize>> {
    let wanted: Vec<String> = pointer::tokens(wanted).collect();
    let mut stack: Vec<Frame> = Vec::new();
    // The key that leads to the wanted value, until the value is seen.
    let mut key_found: Option<Span> = None;
    for step in Parser::new_from_str(text) {
        let (event, span) = step.ok()?;
        let is_value = !matches!(stack.last(), Some(Frame::Mapping(None)));
        match event {
            Event::MappingEnd | Event::SequenceEnd => {
                stack.pop();
                finish_value(&mut stack);
            }
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                if let Some(key) = key_found {
                    return Some(bytes(text, key));
                }
                if is_value && starts_at(&stack, &wanted) {
                    return Some(bytes(text, span));
                }
                stack.push(match event {
                    Event::MappingStart(..) => Frame::Mapping(None),
                    _ => Frame::Sequence(0),
                });
            }
            Event::Scalar(value, ..) => {
                if let Some(Frame::Mapping(key @ None)) = stack.last_mut() {
                    *key = Some(value.into_owned());
                    if starts_at(&stack, &wanted) {
                        key_found = Some(span);
                    }
                } else {
                    if starts_at(&stack, &wanted) {
                        // An empty value has no place of its own.
                        let shown = if value.is_empty() { key_found } else { None };
                        return Some(bytes(text, shown.unwrap_or(span)));
                    }
                    finish_value(&mut stack);
                }
            }
            Event::Alias(..) => {
                if let Some(key) = key_found {
                    return Some(bytes(text, key));
                }
                finish_value(&mut stack);
            }
            _ => {}
        }
    }
    None
}

fn starts_at(stack: &[Frame], wanted: &[String]) -> bool {
    stack.len() == wanted.len()
        && stack.iter().zip(wanted).all(|(frame, token)| match frame {
            Frame::Mapping(key) => key.as_ref() == Some(token),
            Frame::Sequence(index) => token.parse() == Ok(*index),
        })
}

fn finish_value(stack: &mut [Frame]) {
    match stack.last_mut() {
        Some(Frame::Mapping(key)) => *key = None,
        Some(Frame::Sequence(index)) => *index += 1,
        None => {}
    }
}

/// The scanner counts characters. A span of several lines is shown to the end of its first.
fn bytes(text: &str, span: Span) -> Range<usize> {
    let offset = |index: usize| {
        text.char_indices()
            .nth(index)
            .map_or(text.len(), |(byte, _)| byte)
    };
    let start = offset(span.start.index());
    let end = offset(span.end.index()).max(start);
    let line_end = text
        .get(start..)
        .and_then(|rest| rest.find('\n'))
        .map_or(text.len(), |length| start + length);
    let end = end.min(line_end);
    let next = text
        .get(start..)
        .and_then(|rest| rest.chars().next())
        .map_or(0, char::len_utf8);
    // Something has to be underlined, but not the end of the line.
    start..end.max((start + next).min(line_end))
}

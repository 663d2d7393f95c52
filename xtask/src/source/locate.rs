//! Positions in a text by JSON Pointer. The text is scanned only when a message needs a position.

use saphyr_parser::{Event, Parser};

use crate::pointer;

/// Line and column (both from one) of `pointer`, or of the nearest ancestor found.
pub(super) fn nearest(text: &str, pointer: &str) -> Option<(usize, usize)> {
    let mut wanted = pointer;
    loop {
        if let Some(found) = exact(text, wanted) {
            return Some(found);
        }
        wanted = pointer::split_last(wanted)?.0;
    }
}

/// Where the scanner is inside one collection.
enum Frame {
    /// The key whose value comes next; `None` when a key comes next.
    Mapping(Option<String>),
    Sequence(usize),
}

fn exact(text: &str, wanted: &str) -> Option<(usize, usize)> {
    let wanted: Vec<String> = pointer::tokens(wanted).collect();
    let mut stack: Vec<Frame> = Vec::new();
    for step in Parser::new_from_str(text) {
        let (event, span) = step.ok()?;
        let here = (span.start.line(), span.start.col() + 1);
        match event {
            Event::MappingEnd | Event::SequenceEnd => {
                stack.pop();
                finish_value(&mut stack);
            }
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                if starts_at(&stack, &wanted) {
                    return Some(here);
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
                        return Some(here);
                    }
                } else {
                    if starts_at(&stack, &wanted) {
                        return Some(here);
                    }
                    finish_value(&mut stack);
                }
            }
            Event::Alias(..) => finish_value(&mut stack),
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

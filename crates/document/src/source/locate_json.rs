//! Locations in a JSON file, for many pointers at once. The YAML scanner reads JSON too, but keeps the whole of a large
//! file in memory, in case that it is a key. The file has been parsed before: nothing is checked here.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::pointer;

/// State of the scanner inside a collection.
enum Frame {
    /// True if a key is next.
    Object(bool),
    Array(usize),
}

/// Returns line and column of each wanted pointer: of a scalar itself, of any other value its key.
pub(super) fn positions(text: &str, wanted: &HashSet<&str>) -> HashMap<String, (usize, usize)> {
    let mut found = HashMap::new();
    // The file may be one line, so columns are counted from the previous one.
    let (mut counted, mut column) = (0, 1);
    visit(text, |at, place| {
        if wanted.contains(at) {
            if counted < place.line_start {
                (counted, column) = (place.line_start, 1);
            }
            let more = text.get(counted..place.bytes.start).unwrap_or_default();
            column += more.chars().count();
            counted = place.bytes.start;
            found.insert(at.to_owned(), (place.line, column));
        }
    });
    found
}

/// Returns the bytes of every value by pointer: of a scalar itself, of any other value its key.
pub(super) fn all(text: &str) -> HashMap<String, Range<usize>> {
    let mut found = HashMap::new();
    each(text, |at, bytes| {
        found.insert(at.to_owned(), bytes);
    });
    found
}

/// Calls `keep` for every value with its pointer and its bytes: of a scalar itself, of any other value its key.
pub(super) fn each(text: &str, mut keep: impl FnMut(&str, Range<usize>)) {
    visit(text, |at, place| keep(at, place.bytes));
}

/// A location in a file.
#[derive(Clone)]
struct Place {
    line: usize,
    /// Byte at which that line begins.
    line_start: usize,
    bytes: Range<usize>,
}

/// Calls `visit` for every value with its pointer, and with its location.
fn visit(text: &str, mut visit: impl FnMut(&str, Place)) {
    let mut stack: Vec<Frame> = Vec::new();
    // The pointer of the next value, and its length at each level above.
    let mut at = String::new();
    let mut lengths: Vec<usize> = Vec::new();
    let mut key: Option<Place> = None;
    let (mut line, mut line_start) = (1, 0);
    let bytes = text.as_bytes();
    let mut next = 0;
    while let Some(byte) = bytes.get(next) {
        let start = next;
        next += 1;
        match byte {
            b'\n' => {
                line += 1;
                line_start = next;
            }
            b' ' | b'\t' | b'\r' | b':' => {}
            b',' => match stack.last_mut() {
                Some(Frame::Array(index)) => *index += 1,
                Some(Frame::Object(is_key)) => *is_key = true,
                None => {}
            },
            b'}' | b']' => {
                stack.pop();
                at.truncate(lengths.pop().unwrap_or_default());
                at.truncate(lengths.last().copied().unwrap_or_default());
            }
            _ => {
                let opens = matches!(byte, b'{' | b'[');
                if *byte == b'"' {
                    next = end_of_string(bytes, next);
                } else if !opens {
                    let more = bytes.iter().skip(next);
                    next += more
                        .take_while(|byte| !b",]} \t\r\n".contains(byte))
                        .count();
                }
                let own = Place {
                    line,
                    line_start,
                    bytes: start..next,
                };
                if let Some(Frame::Object(is_key @ true)) = stack.last_mut() {
                    *is_key = false;
                    let quoted = text.get(start..next).unwrap_or_default();
                    // Escapes are decoded as by the parser.
                    let name: String = serde_json::from_str(quoted).unwrap_or_default();
                    at.push('/');
                    at.push_str(&pointer::escape(&name));
                    key = Some(own);
                    continue;
                }
                if let Some(Frame::Array(index)) = stack.last() {
                    at.push_str(&format!("/{index}"));
                }
                visit(&at, key.take().filter(|_| opens).unwrap_or(own));
                if opens {
                    lengths.push(at.len());
                    stack.push(if *byte == b'{' {
                        Frame::Object(true)
                    } else {
                        Frame::Array(0)
                    });
                } else {
                    at.truncate(lengths.last().copied().unwrap_or_default());
                }
            }
        }
    }
}

/// Returns the byte after the closing quote of a string; `from` is the first byte inside.
pub(super) fn end_of_string(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

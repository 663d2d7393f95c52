//! Locations in a JSON file. The YAML scanner reads JSON too, but keeps the whole of a large
//! file in memory, in case that it is a key. The file has been parsed before: nothing is checked here.

use std::collections::HashMap;
use std::ops::Range;

use crate::pointer;

/// State of the scanner inside a collection.
enum Frame {
    /// True if a key is next.
    Object(bool),
    Array(usize),
}

/// Returns the bytes of every value by pointer: of a scalar itself, of any other value its key.
pub(super) fn all(text: &str) -> HashMap<String, Range<usize>> {
    let mut found = HashMap::new();
    let mut stack: Vec<Frame> = Vec::new();
    // The pointer of the next value, and its length at each level above.
    let mut at = String::new();
    let mut lengths: Vec<usize> = Vec::new();
    let mut key: Option<Range<usize>> = None;
    let bytes = text.as_bytes();
    let mut next = 0;
    while let Some(byte) = bytes.get(next) {
        let start = next;
        next += 1;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b':' => {}
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
                let own = start..next;
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
                found.insert(at.clone(), key.take().filter(|_| opens).unwrap_or(own));
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
    found
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

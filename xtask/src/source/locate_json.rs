//! Places in a JSON text, for many pointers at once. The YAML scanner reads JSON too, but keeps the whole of a large
//! text in memory, in case that it is a key. The text has been parsed before: nothing is checked here.

use std::collections::{HashMap, HashSet};

use crate::pointer;

/// Where the scanner is inside one collection.
enum Frame {
    /// Whether a key comes next.
    Object(bool),
    Array(usize),
}

/// Line and column of each wanted pointer: a plain value itself, the key of anything else.
pub(super) fn positions(text: &str, wanted: &HashSet<&str>) -> HashMap<String, (usize, usize)> {
    let mut found = HashMap::new();
    let mut stack: Vec<Frame> = Vec::new();
    // The pointer of the value that is next, and how long it was at each level above.
    let mut at = String::new();
    let mut lengths: Vec<usize> = Vec::new();
    let mut key: Option<(usize, usize, usize)> = None;
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
                if let Some(Frame::Object(is_key @ true)) = stack.last_mut() {
                    *is_key = false;
                    let quoted = text.get(start..next).unwrap_or_default();
                    // Escapes are decoded as the parser did.
                    let name: String = serde_json::from_str(quoted).unwrap_or_default();
                    at.push('/');
                    at.push_str(&pointer::escape(&name));
                    key = Some((line, line_start, start));
                    continue;
                }
                if let Some(Frame::Array(index)) = stack.last() {
                    at.push_str(&format!("/{index}"));
                }
                if wanted.contains(at.as_str()) {
                    let own = (line, line_start, start);
                    let (line, line_start, start) = key.filter(|_| opens).unwrap_or(own);
                    let before = text.get(line_start..start).unwrap_or_default();
                    found.insert(at.clone(), (line, before.chars().count() + 1));
                }
                key = None;
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

/// The byte after the closing quote of a string whose first byte inside is at `from`.
fn end_of_string(bytes: &[u8], from: usize) -> usize {
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

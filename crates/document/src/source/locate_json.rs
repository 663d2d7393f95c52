//! Locations in a JSON file. The YAML scanner reads JSON too, but keeps the whole of a large
//! file in memory, in case that it is a key. The file has been parsed before: nothing is checked here.

use std::collections::HashMap;
use std::ops::Range;

use super::locate::{Next, Places};

/// Returns the bytes of every value by pointer: of a scalar itself, of any other value its key.
pub(super) fn all(text: &str) -> HashMap<String, Range<usize>> {
    let mut places = Places::default();
    let bytes = text.as_bytes();
    let mut next = 0;
    while let Some(byte) = bytes.get(next) {
        let start = next;
        next += 1;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b':' | b',' => {}
            b'{' => places.open(start..next, Next::Key),
            b'[' => places.open(start..next, Next::Element(0)),
            b'}' | b']' => places.close(),
            b'"' => {
                next = end_of_string(bytes, next);
                if places.is_before_key() {
                    let quoted = text.get(start..next).unwrap_or_default();
                    // Escapes are decoded as by the parser.
                    let name: String = serde_json::from_str(quoted).unwrap_or_default();
                    places.key(&name, start..next);
                } else {
                    places.value(start..next, true);
                }
            }
            _ => {
                let more = bytes.iter().skip(next);
                next += more
                    .take_while(|byte| !b",]} \t\r\n".contains(byte))
                    .count();
                places.value(start..next, true);
            }
        }
    }
    places.found
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

//! Finds a string in another one: literal, percent-encoded, or escaped as in JSON.
//!
//! Each character is read separately, so that one string may mix these spellings, and its surroundings cannot hide it. Backslashes may be
//! repeated: messages quote JSON, and JSON quotes JSON. So may `%25`, once. The case of letters is ignored: services change that of names and
//! hosts. The time is linear in the searched string.

/// How many backslashes are read as one: JSON within JSON within JSON has seven, and its `Debug` output 15.
const REPEATED: usize = 15;

/// Returns the first character and its length in bytes; invalid UTF-8 is replaced byte by byte.
fn first_char(bytes: &[u8]) -> Option<(char, usize)> {
    let first = *bytes.first()?;
    if first.is_ascii() {
        return Some((char::from(first), 1));
    }
    let read = (2..=4).find_map(|length| str::from_utf8(bytes.get(..length)?).ok());
    let read = read.and_then(|text| Some((text.chars().next()?, text.len())));
    Some(read.unwrap_or((char::REPLACEMENT_CHARACTER, 1)))
}

/// Returns whether a code point is the wanted character, or the same ASCII letter in the other case.
pub(crate) fn is_same(code: u32, wanted: char) -> bool {
    let difference = code ^ u32::from(wanted);
    difference == 0 || (wanted.is_ascii_alphabetic() && difference == 0x20)
}

/// Returns the end of the longest spelling of `key` that begins at `start`.
pub(crate) fn end_of(text: &[u8], start: usize, key: &str) -> Option<usize> {
    let mut ends = vec![start];
    for wanted in key.chars() {
        let spelled = ends.iter().flat_map(|end| readings(text, *end));
        let spelled = spelled.filter(|(code, _)| is_same(*code, wanted));
        let mut next: Vec<usize> = spelled.map(|(_, end)| end).collect();
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return None;
        }
        ends = next;
    }
    ends.last().copied()
}

/// Returns the possible code points here, each with its end: the character itself, and what it escapes.
pub(crate) fn readings(text: &[u8], at: usize) -> impl Iterator<Item = (u32, usize)> {
    let literal = text.get(at..).and_then(first_char);
    let literal = literal.map(|(c, length)| (u32::from(c), at + length));
    let escapes = match text.get(at) {
        Some(b'%') => percents(text, at + 1),
        Some(b'\\') => backslashes(text, at),
        _ => [None, None],
    };
    literal.into_iter().chain(escapes.into_iter().flatten())
}

/// Reads what a `%` before this place encodes: a character, or another `%`. An address within another one is encoded twice.
fn percents(text: &[u8], at: usize) -> [Option<(u32, usize)>; 2] {
    let rest = text.get(at..).unwrap_or_default();
    let again = rest.starts_with(b"25").then(|| hex(text, at + 2, 2));
    [hex(text, at, 2), again.flatten()]
}

/// Reads what backslashes escape: one of them, or the character after them.
fn backslashes(text: &[u8], at: usize) -> [Option<(u32, usize)>; 2] {
    let rest = text.get(at..).unwrap_or_default();
    let rest = rest.iter().take(REPEATED);
    let repeated = rest.take_while(|byte| **byte == b'\\').count();
    let after = at + repeated;
    let escaped = match text.get(after) {
        Some(b'u') => hex(text, after + 1, 4),
        Some(byte) if byte.is_ascii_punctuation() => Some((u32::from(*byte), after + 1)),
        _ => None,
    };
    [(repeated > 1).then_some((u32::from(b'\\'), after)), escaped]
}

/// Parses a code point in exactly this many hexadecimal digits.
fn hex(text: &[u8], at: usize, digits: usize) -> Option<(u32, usize)> {
    let end = at + digits;
    let digits = text.get(at..end)?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let code = u32::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    Some((code, end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_spelled(text: &str, key: &str) -> bool {
        end_of(text.as_bytes(), 0, key) == Some(text.len())
    }

    #[test]
    fn one_character_has_several_spellings() {
        for (text, key) in [
            ("/", "/"),
            ("%2F", "/"),
            ("%2f", "/"),
            ("%252F", "/"),
            ("A", "a"),
            ("%41", "a"),
            (r"\/", "/"),
            (r"\\\/", "/"),
            (r"\u002F", "/"),
            (r"\\u002f", "/"),
            (r"\u0061", "a"),
            ("%61", "a"),
            (r#"\""#, "\""),
            (r#"\\\""#, "\""),
            (r"\\", r"\"),
            (r"a\\b", r"a\b"),
            (r"a\\\\b", r"a\b"),
            (r"\\\\", r"\\"),
            ("%25", "%"),
            ("%2525", "%"),
            ("%41b", "%41b"),
            ("&lt;", "&lt;"),
        ] {
            assert!(is_spelled(text, key), "{text}");
        }
        for (text, key) in [
            ("%2E", "/"),
            ("%2", "/"),
            ("%", "/"),
            (r"\u002", "/"),
            (r"\u102f", "/"),
            ("%+f", "\u{f}"),
            (r"\n", "n"),
            ("", "a"),
        ] {
            assert!(!is_spelled(text, key), "{text}");
        }
    }

    fn encode(text: &str, way: usize) -> String {
        let percent = |c: char| format!("%{:02X}", u32::from(c));
        let unicode = |c: char| format!("\\u{:04x}", u32::from(c));
        let json = serde_json::to_string(text).unwrap();
        let json = json
            .strip_prefix('"')
            .and_then(|json| json.strip_suffix('"'));
        let json = json.unwrap();
        match way {
            0 => text.to_owned(),
            1 => text.chars().map(percent).collect(),
            2 => text.chars().map(unicode).collect(),
            3 => json.to_owned(),
            4 => encode(&encode(text, 3), 3),
            5 => encode(text, 1).replace('%', "%25"),
            _ => json.replace('/', r"\/"),
        }
    }

    proptest! {
        #[test]
        fn a_string_is_found_in_each_encoding(
            key in "[!-~]{1,12}", way in 0..7_usize, before in "[ -~]{0,3}", after in "[ -~]{0,3}",
        ) {
            let spelled = encode(&key, way);
            let text = format!("{before}{spelled}{after}");
            let end = end_of(text.as_bytes(), before.len(), &key);
            prop_assert!(end >= Some(before.len() + spelled.len()), "{key} in {text}: {end:?}");
        }
    }
}

//! Finds a string in another one: literal, percent-encoded, or escaped as in JSON or HTML.
//!
//! Each character is read separately, so that one string may mix these spellings, and its surroundings cannot hide it. Backslashes and `%25` may
//! be repeated: messages quote JSON, and JSON quotes JSON. Hidden characters may be skipped, because messages leave them out or escape them. The
//! case of letters is ignored: services change that of names and hosts. The time is linear in the searched string.

use std::iter::successors;

use crate::secret::deceptive::is_hidden;

/// How many backslashes, or codes of `%`, are read as one: JSON within JSON within JSON has seven, and its `Debug` output 15.
const REPEATED: usize = 15;
/// How many hidden characters are skipped before a character.
const SKIPPED: usize = 8;
/// The longest spelling of one byte, or of a hidden character: `%41`, with that many `25` inside.
const SPELLED: usize = 2 * REPEATED + 3;
/// The longest spelling of one byte behind hidden characters.
pub(crate) const LONGEST: usize = (1 + SKIPPED) * SPELLED;
/// The longest entity, without its `&`.
const ENTITY: usize = 12;
/// The names of characters that have a meaning in HTML.
const ENTITIES: [(&str, char); 5] = [
    ("amp", '&'),
    ("apos", '\''),
    ("gt", '>'),
    ("lt", '<'),
    ("quot", '"'),
];

/// Returns the first character and its length in bytes; invalid UTF-8 is replaced byte by byte.
pub(crate) fn first_char(bytes: &[u8]) -> Option<(char, usize)> {
    let first = *bytes.first()?;
    if first.is_ascii() {
        return Some((char::from(first), 1));
    }
    let read = |length| str::from_utf8(bytes.get(..length)?).ok()?.chars().next();
    let found = (2..=4).find_map(|length| Some((read(length)?, length)));
    Some(found.unwrap_or((char::REPLACEMENT_CHARACTER, 1)))
}

/// Returns whether a code point is the wanted character, or the same ASCII letter in the other case.
pub(crate) fn is_same(code: u32, wanted: char) -> bool {
    let difference = code ^ u32::from(wanted);
    difference == 0 || (wanted.is_ascii_alphabetic() && difference == 0x20)
}

/// Returns the end of the longest spelling of `key` that begins at `start`.
pub(crate) fn end_of(text: &[u8], start: usize, key: &str) -> Option<usize> {
    let mut ends = vec![start];
    for (index, wanted) in key.chars().enumerate() {
        let skipped = if index == 0 { 0 } else { SKIPPED };
        let starts = ends.iter().flat_map(|end| starts(text, *end, skipped));
        let spelled = starts.flat_map(|at| readings(text, at));
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

/// Returns where the next character of a key may begin: here, and after each of the hidden characters here. A key may have those, too; and the second
/// byte of `í` is the code of one.
fn starts(text: &[u8], at: usize, skipped: usize) -> impl Iterator<Item = usize> {
    successors(Some(at), |at| after_hidden(text, *at)).take(1 + skipped)
}

/// Returns the end of a hidden character. Control characters stay visible in messages.
fn after_hidden(text: &[u8], at: usize) -> Option<usize> {
    let (_, end) = readings(text, at).find(|(code, _)| is_left_out(*code))?;
    Some(end)
}

fn is_left_out(code: u32) -> bool {
    char::from_u32(code).is_some_and(|c| is_hidden(c) && !c.is_control())
}

/// Returns the possible code points here, each with its end: the character itself, and what it escapes.
pub(crate) fn readings(text: &[u8], at: usize) -> impl Iterator<Item = (u32, usize)> {
    let literal = text.get(at..).and_then(first_char);
    let literal = literal.map(|(c, length)| (u32::from(c), at + length));
    let escapes = match text.get(at) {
        Some(b'%') => percents(text, at + 1),
        Some(b'\\') => backslashes(text, at),
        Some(b'&') => entity(text, at + 1).into_iter().collect(),
        _ => Vec::new(),
    };
    literal.into_iter().chain(escapes)
}

/// Reads what a `%` before this place encodes, once or repeatedly: a character, or another `%`.
fn percents(text: &[u8], at: usize) -> Vec<(u32, usize)> {
    let codes = text.get(at..).unwrap_or_default().chunks_exact(2);
    let codes = codes.take(REPEATED).take_while(|code| *code == b"25");
    let all = (0..=codes.count()).filter_map(|before| hex(text, at + 2 * before, 2));
    all.collect()
}

/// Reads what backslashes escape: one of them, or the character after them.
fn backslashes(text: &[u8], at: usize) -> Vec<(u32, usize)> {
    let rest = text.get(at..).unwrap_or_default();
    let rest = rest.iter().take(REPEATED);
    let repeated = rest.take_while(|byte| **byte == b'\\').count();
    let after = at + repeated;
    let escaped = match text.get(after) {
        Some(b'u') => hex(text, after + 1, 4).or_else(|| braced(text, after + 1)),
        Some(byte) if byte.is_ascii_punctuation() => Some((u32::from(*byte), after + 1)),
        _ => None,
    };
    let one = (repeated > 1).then_some((u32::from(b'\\'), after));
    one.into_iter().chain(escaped).collect()
}

/// Reads the HTML entity behind a `&`.
fn entity(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let rest = text.get(at..)?;
    let length = rest.iter().take(ENTITY).position(|byte| *byte == b';')?;
    let name = str::from_utf8(rest.get(..length)?).ok()?;
    let code = match name.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => number.parse().ok()?,
        },
        None => {
            let (_, c) = ENTITIES.iter().find(|(known, _)| *known == name)?;
            u32::from(*c)
        }
    };
    Some((code, at + length + 1))
}

/// Reads the code point in braces of `\u{200b}`, as `Debug` writes it.
fn braced(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let rest = text.get(at..)?.strip_prefix(b"{")?;
    let digits = rest.iter().take(7).position(|byte| *byte == b'}')?;
    let (code, end) = hex(text, at + 1, digits)?;
    Some((code, end + 1))
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
            ("%25252f", "/"),
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
            ("%252525", "%"),
            ("a\u{200b}b", "ab"),
            ("a\u{ad}\u{feff}%62", "ab"),
            ("%41b", "%41b"),
            ("&#47;", "/"),
            ("&#047;", "/"),
            ("&#x2F;", "/"),
            ("&#X002f;", "/"),
            ("&#97;", "A"),
            ("&quot;", "\""),
            ("&#39;", "'"),
            ("&amp;", "&"),
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
            ("&#470;", "/"),
            ("&#;", "/"),
            ("&#47", "/"),
            ("&;", "&;;"),
            ("", "a"),
        ] {
            assert!(!is_spelled(text, key), "{text}");
        }
    }

    fn encode(text: &str, way: usize) -> String {
        let percent = |c: char| format!("%{:02X}", u32::from(c));
        let unicode = |c: char| format!("\\u{:04x}", u32::from(c));
        let entity = |c: char| format!("&#x{:X};", u32::from(c));
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
            4 => text.chars().map(entity).collect(),
            5 => encode(text, 1).replace('%', "%25"),
            6 => encode(&encode(text, 3), 3),
            _ => json.replace('/', r"\/"),
        }
    }

    proptest! {
        #[test]
        fn a_string_is_found_in_each_encoding(
            key in "[!-~]{1,12}", way in 0..8_usize, before in "[ -~]{0,3}", after in "[ -~]{0,3}",
        ) {
            let spelled = encode(&key, way);
            let text = format!("{before}{spelled}{after}");
            let end = end_of(text.as_bytes(), before.len(), &key);
            prop_assert!(end >= Some(before.len() + spelled.len()), "{key} in {text}: {end:?}");
        }
    }
}

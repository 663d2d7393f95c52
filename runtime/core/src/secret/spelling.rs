//! Finds a string in another one in any spelling: literal, percent-encoded, escaped as in JSON or a JSON Pointer, or as HTML entities.
//! These may be nested.
//!
//! Each character is read separately, so that one string may mix all spellings, and its surroundings cannot hide it. It finds more than a
//! correct decoder would: `\=` spells `=` here. The time is linear in the searched string.

use crate::secret::deceptive::is_hidden;

/// The maximum nesting of spellings; each level takes at most ten bytes per character.
const NESTED: usize = 20;
/// The maximum number of invisible characters that are skipped between two others.
const SKIPPED: usize = 8;
/// The maximum length of one character, in bytes.
const LONGEST: usize = 16 * NESTED * (1 + SKIPPED);
/// The maximum number of digits in an HTML entity.
const DIGITS: usize = 8;

/// Returns the maximum length of any spelling of a string of this length, in bytes.
pub(crate) fn longest(length: usize) -> usize {
    length.saturating_mul(LONGEST)
}

/// Returns whether a byte may begin an escape.
pub(crate) fn is_escape(byte: u8) -> bool {
    b"%\\&~".contains(&byte)
}

/// Returns the end of the character that begins here, if its code point is wanted.
pub(crate) fn end_of_one(text: &[u8], at: usize, wanted: impl Fn(u32) -> bool) -> Option<usize> {
    let mut wanted = readings(text, at).filter(|(code, _)| wanted(*code));
    wanted.next().map(|(_, end)| end)
}

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

/// Returns whether a code point is the wanted character, or with `any_case` the same ASCII letter in the other case.
pub(crate) fn is_same(code: u32, wanted: char, any_case: bool) -> bool {
    let difference = code ^ u32::from(wanted);
    difference == 0 || (any_case && wanted.is_ascii_alphabetic() && difference == 0x20)
}

/// Returns the end of the longest spelling of `key` that begins at `start`. `any_case`: ignores the case of letters.
pub(crate) fn end_of(text: &[u8], start: usize, key: &str, any_case: bool) -> Option<usize> {
    let mut ends = vec![start];
    for (index, wanted) in key.chars().enumerate() {
        let mut next = Vec::new();
        let skipped = if index == 0 { 0 } else { SKIPPED };
        for end in ends {
            let places = std::iter::successors(Some(end), |at| after_invisible(text, *at));
            for at in places.take(1 + skipped) {
                let spelled =
                    readings(text, at).filter(|(code, _)| is_same(*code, wanted, any_case));
                next.extend(spelled.map(|(_, end)| end));
            }
        }
        next.sort_unstable();
        next.dedup();
        if next.is_empty() {
            return None;
        }
        ends = next;
    }
    ends.last().copied()
}

/// Returns the end of an invisible character in any spelling; `None` if another one follows.
fn after_invisible(text: &[u8], at: usize) -> Option<usize> {
    end_of_one(text, at, |code| char::from_u32(code).is_some_and(is_hidden))
}

/// Returns all possible code points here, each with its end: the character itself, what it escapes, what that escapes, and so on.
fn readings(text: &[u8], at: usize) -> impl Iterator<Item = (u32, usize)> {
    let literal = text.get(at..).and_then(first_char);
    let literal = literal.map(|(c, length)| (u32::from(c), at + length));
    std::iter::successors(literal, |(code, end)| {
        unescape(text, u8::try_from(*code).ok()?, *end)
    })
    .take(NESTED)
}

/// Decodes an escape that begins with this byte and continues at `at`.
fn unescape(text: &[u8], escape: u8, at: usize) -> Option<(u32, usize)> {
    let next = *text.get(at)?;
    match (escape, next) {
        (b'%', b'u') => hex(text, at + 1, 4),
        (b'%', _) => hex(text, at, 2),
        (b'\\', b'u') if text.get(at + 1) == Some(&b'{') => {
            let (code, end) = number(text, at + 2, 16)?;
            (text.get(end) == Some(&b'}')).then_some((code, end + 1))
        }
        (b'\\', b'u') => hex(text, at + 1, 4),
        (b'\\', b'x') => hex(text, at + 1, 2),
        (b'\\', b'0'..=b'7') => octal(text, at).or((next == b'0').then_some((0, at + 1))),
        // Line breaks and the like, which are all equivalent.
        (b'\\', b'n' | b'r' | b't' | b'b' | b'f') => Some((u32::from(b'\n'), at + 1)),
        (b'\\', other) => other
            .is_ascii_punctuation()
            .then_some((u32::from(other), at + 1)),
        (b'&', _) => entity(text, at),
        (b'~', b'0') => Some((u32::from(b'~'), at + 1)),
        (b'~', b'1') => Some((u32::from(b'/'), at + 1)),
        _ => None,
    }
}

/// Decodes an HTML entity after its `&`; the semicolon is optional.
fn entity(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let close = |end| sign(text, end, b';', b"3B").unwrap_or(end);
    if let Some(at) = sign(text, at, b'#', b"23") {
        let (code, end) = match text.get(at) {
            Some(b'x' | b'X') => number(text, at + 1, 16)?,
            _ => number(text, at, 10)?,
        };
        return Some((code, close(end)));
    }
    let rest = text.get(at..)?;
    let is_here = |name: &str| {
        let start = rest.get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
    };
    let (name, byte) = ENTITIES.iter().find(|(name, _)| is_here(name))?;
    Some((u32::from(*byte), close(at + name.len())))
}

/// Returns the end of a punctuation character, which may be percent-encoded repeatedly.
fn sign(text: &[u8], at: usize, literal: u8, code: &[u8; 2]) -> Option<usize> {
    match *text.get(at)? {
        byte if byte == literal => Some(at + 1),
        b'%' => {
            let rest = text.get(at + 1..)?;
            let again = rest.chunks_exact(2).take(NESTED);
            let again = 2 * again.take_while(|code| *code == b"25").count();
            let found = rest.get(again..again + 2)?.eq_ignore_ascii_case(code);
            found.then_some(at + 1 + again + 2)
        }
        _ => None,
    }
}

/// Parses a code point in three octal digits.
fn octal(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let digits = str::from_utf8(text.get(at..at + 3)?).ok()?;
    Some((u32::from_str_radix(digits, 8).ok()?, at + 3))
}

/// Parses a code point in exactly this many hexadecimal digits.
fn hex(text: &[u8], at: usize, digits: usize) -> Option<(u32, usize)> {
    let end = at + digits;
    let (code, read) = number(text.get(..end)?, at, 16)?;
    (read == end).then_some((code, end))
}

/// Parses a code point in any number of digits, up to [`DIGITS`].
fn number(text: &[u8], at: usize, radix: u32) -> Option<(u32, usize)> {
    let digits = text.get(at..)?.iter().take(DIGITS);
    let digits: Vec<u32> = digits
        .map_while(|b| char::from(*b).to_digit(radix))
        .collect();
    let fold = |value: u32, digit| value.checked_mul(radix)?.checked_add(digit);
    let value = digits
        .iter()
        .try_fold(0, |value, digit| fold(value, *digit))?;
    (!digits.is_empty()).then_some((value, at + digits.len()))
}

/// HTML's names of ASCII punctuation. If one name is a prefix of another, the longer comes first.
const ENTITIES: &[(&str, u8)] = &[
    ("amp", b'&'),
    ("quot", b'"'),
    ("apos", b'\''),
    ("lt", b'<'),
    ("gt", b'>'),
    ("sol", b'/'),
    ("bsol", b'\\'),
    ("plus", b'+'),
    ("equals", b'='),
    ("lowbar", b'_'),
    ("underbar", b'_'),
    ("percnt", b'%'),
    ("num", b'#'),
    ("dollar", b'$'),
    ("excl", b'!'),
    ("lpar", b'('),
    ("rpar", b')'),
    ("midast", b'*'),
    ("ast", b'*'),
    ("comma", b','),
    ("period", b'.'),
    ("colon", b':'),
    ("semi", b';'),
    ("quest", b'?'),
    ("commat", b'@'),
    ("lsqb", b'['),
    ("lbrack", b'['),
    ("rsqb", b']'),
    ("rbrack", b']'),
    ("hat", b'^'),
    ("grave", b'`'),
    ("lcub", b'{'),
    ("lbrace", b'{'),
    ("rcub", b'}'),
    ("rbrace", b'}'),
    ("verbar", b'|'),
    ("verticalline", b'|'),
    ("vert", b'|'),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_spelled(text: &str, key: &str) -> bool {
        end_of(text.as_bytes(), 0, key, false) == Some(text.len())
    }

    #[test]
    fn one_character_has_many_spellings() {
        for text in [
            "/",
            "%2F",
            "%2f",
            "%252F",
            "%25252f",
            "%u002F",
            r"\/",
            r"\\/",
            r"\\\/",
            r"\\\\\\\/",
            r"\u002F",
            r"\u002f",
            r"\\u002f",
            r"\x2f",
            r"\u{2f}",
            r"\057",
            "&#47;",
            "&#047;",
            "&#x2F;",
            "&#X002f;",
            "&#47",
            "&sol;",
            "&amp;sol;",
            "&amp;amp;#47;",
            "~1",
            r"\u00252f",
            "&#37;2F",
            "%5C/",
            "%5cu002F",
            "%5C%2F",
            r"\u005cu002f",
            "%26%2347%3B",
            "%26%252347%253b",
            r"\u0026#47;",
            "~01",
        ] {
            assert!(is_spelled(text, "/"), "{text}");
        }
        for (text, key) in [
            (r"\u0061", "a"),
            ("&#97;", "a"),
            ("%61", "a"),
            (r#"\""#, "\""),
            (r#"\\\""#, "\""),
            ("&quot;", "\""),
            (r"\&quot;", "\""),
            (r"\\", r"\"),
            (r"\\\\", r"\\"),
            ("%25", "%"),
            ("&amp;", "&"),
            ("&AMP;", "&"),
            ("~0", "~"),
            ("&#39;", "'"),
            ("%41b", "%41b"),
            ("&lt;", "&lt;"),
        ] {
            assert!(is_spelled(text, key), "{text}");
        }
    }

    #[test]
    fn other_characters_have_other_spellings() {
        for (text, key) in [
            ("%2E", "/"),
            ("%2", "/"),
            ("%", "/"),
            (r"\u002", "/"),
            (r"\u102f", "/"),
            (r"\n", "n"),
            (r"\u{2f", "/"),
            ("&#470;", "/"),
            ("&#;", "/"),
            ("&;", "&;;"),
            ("A", "a"),
            ("%41", "a"),
            ("", "a"),
        ] {
            assert_ne!(
                end_of(text.as_bytes(), 0, key, false),
                Some(text.len()),
                "{text}"
            );
        }
    }

    #[test]
    fn invisible_characters_hide_nothing() {
        for between in [
            "\n",
            "\r\n",
            "\u{200b}",
            "\u{202e}",
            "\u{feff}\0\u{ad}",
            r"\n",
            r"\0",
            r"\r\n",
            r"\u{200b}",
            r"\u200B",
            r"\\n",
            "%0A",
            "&#10;",
            "&#x200b;",
        ] {
            assert!(is_spelled(&format!("a{between}b"), "ab"), "{between:?}");
        }
        assert!(!is_spelled("a b", "ab"));
        assert!(is_spelled(r"a\nb", r"a\nb"));
    }

    /// Encodes a string as JSON, without the quotes.
    fn json(text: &str) -> String {
        let json = serde_json::to_string(text).unwrap();
        let inside = json
            .strip_prefix('"')
            .and_then(|json| json.strip_suffix('"'));
        inside.unwrap().to_owned()
    }

    /// Encodes a string, which may be encoded already, in one of several ways.
    fn encode(text: &str, way: usize) -> String {
        let each = |spell: &dyn Fn(char) -> String| text.chars().map(spell).collect::<String>();
        let unless_plain = |c: char, spelled: String| match c.is_ascii_alphanumeric() {
            true => c.to_string(),
            false => spelled,
        };
        let unless_harmless = |c: char, spelled: String| match c {
            '&' | '<' | '>' | '"' | '\'' | '+' | '=' | '/' => spelled,
            _ => c.to_string(),
        };
        match way {
            0 => text.to_owned(),
            1 => each(&|c| unless_plain(c, format!("%{:02X}", u32::from(c)))),
            2 => each(&|c| unless_plain(c, format!("%{:02x}", u32::from(c)))),
            3 => json(text),
            4 => json(text).replace('/', r"\/"),
            5 => each(&|c| unless_harmless(c, format!("&#{};", u32::from(c)))),
            6 => each(&|c| unless_harmless(c, format!("&#x{:x};", u32::from(c)))),
            7 => each(&|c| unless_harmless(c, format!("\\u{:04X}", u32::from(c)))),
            _ => text.replace('~', "~0").replace('/', "~1"),
        }
    }

    proptest! {
        #[test]
        fn a_string_is_found_in_any_nesting_of_encodings(
            key in "[!-~]{1,12}", ways in prop::collection::vec(0..9_usize, 0..4),
            before in "[ -~]{0,3}", after in "[ -~]{0,3}",
        ) {
            let spelled = ways.iter().fold(key.clone(), |text, way| encode(&text, *way));
            let text = format!("{before}{spelled}{after}");
            let end = end_of(text.as_bytes(), before.len(), &key, false);
            prop_assert!(end >= Some(before.len() + spelled.len()), "{key} in {text}: {end:?}");
        }
    }
}

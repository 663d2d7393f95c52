//! Quotations of the service's strings in messages: without the API key, on one line, and short.

use crate::secret::deceptive::{is_hidden, marked};
use crate::secret::key::ApiKey;

/// Longest JSON Pointer made from a response, in characters.
pub(crate) const POINTER: usize = 200;
/// Longest message made from a response, in characters.
pub(crate) const MESSAGE: usize = 400;
/// Longest quotation in a message, in characters.
pub(crate) const QUOTATION: usize = 200;
/// Replaces the key.
const REDACTED: &str = "[key]";

/// Removes the key from a string.
pub(crate) fn redact(text: &str, key: Option<&ApiKey>) -> String {
    let Some(key) = key else {
        return text.to_owned();
    };
    let mut redacted = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match repetition(text.as_bytes(), at, key) {
            Some(end) => {
                redacted.push_str(REDACTED);
                at = end;
            }
            None => {
                redacted.push(c);
                at += c.len_utf8();
            }
        }
    }
    redacted
}

/// Returns the end of a repetition of the key that begins here, and of those that begin within it.
fn repetition(text: &[u8], at: usize, key: &ApiKey) -> Option<usize> {
    let mut end = key.end_at(text, at)?;
    let mut inside = at + 1;
    while inside < end {
        end = end.max(key.end_at(text, inside).unwrap_or_default());
        inside += 1;
    }
    Some(end)
}

/// Cuts a string that has more than this many characters, and ends it with `…`.
pub(crate) fn cut(text: String, most: usize) -> String {
    match text.chars().nth(most) {
        None => text,
        Some(_) => {
            let start = text.chars().take(most.saturating_sub(1));
            start.chain(['…']).collect()
        }
    }
}

/// Returns the beginning of a string on one line, with at most this many characters, and with `…` if it is cut.
pub(crate) fn beginning(text: &[u8], most: usize, key: Option<&ApiKey>) -> String {
    cut(line(&String::from_utf8_lossy(text), key), most)
}

/// Puts a message on one line, without the middle if it is long: the expected value and the position are at its end.
pub(crate) fn shortened(message: &str, key: Option<&ApiKey>) -> String {
    let line = line(message, key);
    match line.chars().nth(MESSAGE) {
        None => line,
        Some(_) => around(line.chars(), line.chars().rev(), MESSAGE),
    }
}

/// Escapes the [deceptive](marked) characters of a string, and cuts the middle if the result is longer than `most` characters. It
/// removes no key: redact the string first.
pub(crate) fn escaped(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        let line = escape(text.chars());
        if line.chars().nth(most).is_none() {
            return line;
        }
        return around(line.chars(), line.chars().rev(), most);
    }
    // Escaping never shortens a string: of a long one, the ends are enough.
    let mut end: Vec<char> = text.chars().rev().take(most).collect();
    end.reverse();
    let (start, end) = (escape(text.chars().take(most)), escape(end.into_iter()));
    around(start.chars(), end.chars().rev(), most)
}

/// Joins the beginning and the end of a string by `…`, each of half the length.
fn around(
    start: impl Iterator<Item = char>,
    from_the_end: impl Iterator<Item = char>,
    most: usize,
) -> String {
    let mut end: Vec<char> = from_the_end.take(most / 2).collect();
    end.reverse();
    start.take(most / 2).chain(['…']).chain(end).collect()
}

/// Escapes the [deceptive](marked) characters of a string.
pub(crate) fn escape(text: impl Iterator<Item = char>) -> String {
    let mut line = String::new();
    for (c, deceives) in marked(text) {
        if deceives {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// Puts a string on one line, without the key: white space and control characters become one space, other invisible characters are left out.
fn line(text: &str, key: Option<&ApiKey>) -> String {
    let mut line = String::new();
    let mut is_gap = false;
    for c in redact(text, key).chars() {
        if c.is_whitespace() || c.is_control() {
            is_gap = true;
        } else if !is_hidden(c) {
            if is_gap && !line.is_empty() {
                line.push(' ');
            }
            is_gap = false;
            line.push(c);
        }
    }
    // Without invisible characters between its own, a key is found again.
    redact(&line, key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: &str) -> ApiKey {
        ApiKey::parse(key.into()).unwrap()
    }

    #[test]
    fn a_long_message_loses_its_middle() {
        let message = "é".repeat(400);
        assert_eq!(shortened(&message, None), message);
        let message = format!("a{}z", "é".repeat(400));
        let half = "é".repeat(199);
        assert_eq!(shortened(&message, None), format!("a{half}…{half}z"));
        let message = format!("a{}z", "é".repeat(40_000));
        assert_eq!(shortened(&message, None), format!("a{half}…{half}z"));
    }

    #[test]
    fn a_message_is_one_line_and_shows_what_it_holds() {
        let message = "a\u{1b}[31m\r\n\u{202e}b\u{200b}c\u{7}\u{85}d";
        assert_eq!(shortened(message, None), "a [31m bc d");
    }

    #[test]
    fn a_key_with_a_hidden_character_is_found_before_the_message_is_cut() {
        let key = key("canary-4711");
        for before in 185..=QUOTATION {
            let message = format!("{}canary-4\u{200b}711", "x".repeat(before));
            let shown = beginning(message.as_bytes(), QUOTATION, Some(&key));
            assert!(!shown.contains("canary"), "{shown}");
        }
    }

    #[test]
    fn a_cut_key_does_not_appear_in_a_message() {
        let key = key("canary-4711");
        for before in [0, 190, 199, 200, 4000] {
            for after in [0, 195, 199, 200, 205, 3199, 3205, 4000] {
                for spelling in ["canary-4711", "%63anary%2D4711", "canary\\u002d4711"] {
                    let message = format!("{}{spelling}{}", "x".repeat(before), "y".repeat(after));
                    for shown in [
                        shortened(&message, Some(&key)),
                        beginning(message.as_bytes(), QUOTATION, Some(&key)),
                    ] {
                        let rest = shown
                            .replace("[key]", "")
                            .replace(['x', 'y', '…', ':', ' '], "");
                        let rest = ["[key", "[ke", "[k", "[", "key]", "ey]", "y]", "]"]
                            .iter()
                            .fold(rest, |rest, part| rest.replace(part, ""));
                        assert_eq!(rest, "", "{before} {after} {shown}");
                    }
                }
            }
        }
        for gap in 3185..3200 {
            // White space becomes one space, so that more of the string is quoted.
            let message = format!("{}canary-4711{}end", "x".repeat(1000), " ".repeat(gap));
            let shown = shortened(&message, Some(&key));
            assert!(shown.ends_with("end"), "{shown}");
            assert!(!shown.contains("711"), "{gap} {shown}");
        }
        let repeated = "canary-4711".repeat(10_000);
        let shown = shortened(&repeated, Some(&key));
        assert!(!shown.contains(['c', 'a', 'n', '4', '7', '1']), "{shown}");
        assert!(shown.chars().count() <= 401);
    }

    #[test]
    fn a_key_with_invisible_characters_does_not_appear_in_a_message() {
        let key = key("canary-4711");
        let text = "no canary\u{200b}-47\u{ad}11 here";
        assert_eq!(shortened(text, Some(&key)), "no [key] here");
        let shown = beginning(text.as_bytes(), QUOTATION, Some(&key));
        assert_eq!(shown, "no [key] here");
    }

    #[test]
    fn repetitions_that_overlap_are_both_redacted() {
        let key = key("abcab");
        assert_eq!(redact("xabcabcaby", Some(&key)), "x[key]y");
    }

    #[test]
    fn a_quotation_is_one_line_of_at_most_200_characters() {
        let quote = |text: &str| beginning(text.as_bytes(), QUOTATION, None);
        assert_eq!(quote(""), "");
        assert_eq!(quote(" \n"), "");
        assert_eq!(
            quote("<html>\r\n\t<b>\u{1b}[31mBad</b>"),
            "<html> <b> [31mBad</b>"
        );
        let text = "é ".repeat(1000);
        assert_eq!(quote(&text), format!("{}é…", "é ".repeat(99)));
        assert_eq!(quote(&"é".repeat(200)), "é".repeat(200));
        assert_eq!(quote(&"é".repeat(201)), format!("{}…", "é".repeat(199)));
    }
    #[test]
    fn a_short_string_stays_unchanged() {
        for text in ["", "/data/0", "ééé"] {
            assert_eq!(escaped(text, 7), text);
        }
    }

    #[test]
    fn a_long_string_loses_its_middle() {
        assert_eq!(escaped(&"é".repeat(8), 6), "ééé…ééé");
        assert_eq!(escaped("abcdefgh", 4), "ab…gh");
        let long = format!("a{}z", "é".repeat(20_000_000));
        assert_eq!(escaped(&long, 4), "aé…éz");
    }

    #[test]
    fn line_breaks_and_controls_are_escaped_and_count() {
        assert_eq!(escaped("a\nb\u{2028}c", 20), r"a\nb\u{2028}c");
        assert_eq!(
            escaped("\u{202e}\u{9b}\u{2066}\u{61c}", 40),
            r"\u{202e}\u{9b}\u{2066}\u{61c}"
        );
        assert_eq!(escaped(&"\u{1b}".repeat(3), 6), r"\u{…1b}");
        assert_eq!(escaped(&"\n".repeat(100), 8), r"\n\n…\n\n");
    }
}

//! Texts of the service's, as messages quote them: without the API key, on one line, and short. However long a text is, no more of it is read
//! than is quoted.

use crate::secret::key::ApiKey;
use crate::secret::spelling::{first_char, is_invisible};

/// Longest quotation in a message, in characters.
const EXCERPT: usize = 200;
/// What stands where the key stood.
const REDACTED: &str = "[key]";

/// Either the key or another character.
enum Piece {
    Key,
    Char(char),
}

/// A text from a place on, piece by piece, each with the place where it begins.
struct Pieces<'t> {
    text: &'t [u8],
    at: usize,
    key: Option<&'t ApiKey>,
}

impl Iterator for Pieces<'_> {
    type Item = (usize, Piece);

    fn next(&mut self) -> Option<(usize, Piece)> {
        let start = self.at;
        let end_at = |at| self.key.and_then(|key| key.end_at(self.text, at));
        if let Some(mut end) = end_at(start) {
            let mut inside = start + 1;
            // Another repetition may begin within this one.
            while inside < end {
                end = end.max(end_at(inside).unwrap_or_default());
                inside += 1;
            }
            self.at = end;
            return Some((start, Piece::Key));
        }
        let (c, length) = first_char(self.text.get(start..)?)?;
        self.at += length;
        Some((start, Piece::Char(c)))
    }
}

/// The whole text without the key.
pub(crate) fn redact(text: &str, key: Option<&ApiKey>) -> String {
    let Some(key) = key.filter(|key| key.is_in(text.as_bytes())) else {
        return text.to_owned();
    };
    let mut redacted = String::with_capacity(text.len());
    for (_, piece) in pieces(text.as_bytes(), 0, Some(key)) {
        match piece {
            Piece::Key => redacted.push_str(REDACTED),
            Piece::Char(c) => redacted.push(c),
        }
    }
    redacted
}

/// The beginning of a text on one line, with `…` if it goes on: at most so many characters.
pub(crate) fn beginning(text: &[u8], most: usize, key: Option<&ApiKey>) -> String {
    let line = line(pieces(text, 0, key), most);
    match line.char_indices().nth(most) {
        None => line,
        Some(_) => line
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}

/// `: ` and the beginning of a text that is free of the key; nothing for an empty one.
pub(crate) fn quote(text: &str) -> String {
    quote_body(text.as_bytes(), None)
}

/// `: ` and the beginning of a body; nothing for an empty one.
pub(crate) fn quote_body(body: &[u8], key: Option<&ApiKey>) -> String {
    match beginning(body, EXCERPT, key) {
        line if line.is_empty() => line,
        line => format!(": {line}"),
    }
}

/// A message on one line, without the middle if it is long: what was expected, and where, stands at its end.
pub(crate) fn shortened(message: &str, key: Option<&ApiKey>) -> String {
    let text = message.as_bytes();
    let start = line(pieces(text, 0, key), 2 * EXCERPT);
    if start.chars().count() <= 2 * EXCERPT {
        return start;
    }
    // From early enough to see a key that begins before what is quoted.
    let longest = key.map_or(0, ApiKey::longest);
    let from = boundary(message, text.len().saturating_sub(16 * EXCERPT));
    let ahead = boundary(message, from.saturating_sub(longest));
    let end = pieces(text, ahead, key).skip_while(|(at, _)| *at < from);
    let end = line(end, usize::MAX);
    let skipped = end.chars().count().saturating_sub(EXCERPT);
    let start = start.chars().take(EXCERPT);
    start
        .chain(['…'])
        .chain(end.chars().skip(skipped))
        .collect()
}

/// The last place up to this one at which a character begins.
fn boundary(text: &str, at: usize) -> usize {
    let mut places = (0..=at).rev();
    places
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or_default()
}

fn pieces<'t>(text: &'t [u8], at: usize, key: Option<&'t ApiKey>) -> Pieces<'t> {
    Pieces { text, at, key }
}

/// The pieces on one line: white space and control characters are one space, and what else is invisible is left out. It reads no further
/// than to the first character beyond `most`.
fn line(pieces: impl Iterator<Item = (usize, Piece)>, most: usize) -> String {
    let mut line = String::new();
    let (mut length, mut is_gap) = (0, false);
    let mut buffer = [0; 4];
    for (_, piece) in pieces {
        let text = match piece {
            Piece::Char(c) if c.is_whitespace() || c.is_control() => {
                is_gap = true;
                continue;
            }
            Piece::Char(c) if is_invisible(c) => continue,
            Piece::Char(c) => &*c.encode_utf8(&mut buffer),
            Piece::Key => REDACTED,
        };
        if is_gap && length > 0 {
            line.push(' ');
            length += 1;
        }
        is_gap = false;
        line.push_str(text);
        length += text.chars().count();
        if length > most {
            break;
        }
    }
    line
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
    fn a_key_that_is_cut_is_not_in_a_message() {
        let key = key("canary-4711");
        for before in [0, 1, 180, 190, 199, 200, 4000] {
            for after in [0, 1, 150, 189, 195, 199, 200, 205, 3000, 3199, 3205, 4000] {
                for spelling in ["canary-4711", "%63anary%2D4711", "canary\\u002d4711"] {
                    let message = format!("{}{spelling}{}", "x".repeat(before), "y".repeat(after));
                    for shown in [
                        shortened(&message, Some(&key)),
                        quote_body(message.as_bytes(), Some(&key)),
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
            // White space is one space, which brings what stands before it into view.
            let message = format!("{}canary-4711{}end", "x".repeat(1000), " ".repeat(gap));
            let shown = shortened(&message, Some(&key));
            assert!(shown.ends_with("end"), "{shown}");
            assert!(!shown.contains("711"), "{gap} {shown}");
        }
        let repeated = "canary-4711".repeat(100_000);
        let shown = shortened(&repeated, Some(&key));
        assert!(!shown.contains(['c', 'a', 'n', '4', '7', '1']), "{shown}");
        assert!(shown.chars().count() <= 401);
    }

    #[test]
    fn repetitions_that_overlap_are_both_redacted() {
        let key = key("abcab");
        assert_eq!(redact("xabcabcaby", Some(&key)), "x[key]y");
    }

    #[test]
    fn a_quotation_is_one_line_of_at_most_200_characters() {
        assert_eq!(quote(""), "");
        assert_eq!(quote(" \n"), "");
        assert_eq!(
            quote("<html>\r\n\t<b>\u{1b}[31mBad</b>"),
            ": <html> <b> [31mBad</b>"
        );
        let words = "é ".repeat(1000);
        assert_eq!(quote(&words), format!(": {}é…", "é ".repeat(99)));
        assert_eq!(quote(&"é".repeat(200)), format!(": {}", "é".repeat(200)));
        assert_eq!(quote(&"é".repeat(201)), format!(": {}…", "é".repeat(199)));
    }
}

//! What is quoted from a response: one line, and never much of it.

/// Longest JSON Pointer made from a response, in characters.
pub(crate) const POINTER: usize = 200;
/// Longest message made from a response, in characters.
pub(crate) const MESSAGE: usize = 400;

/// A text without line breaks and control characters; of one that is longer than `most`, the beginning and the end around a `…`.
pub(crate) fn excerpt(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        let line = escaped(text.chars());
        if line.chars().nth(most).is_none() {
            return line;
        }
        return around(line.chars(), line.chars().rev(), most);
    }
    // Escaping makes a text longer, never shorter: of a long one the ends are enough.
    let mut end: Vec<char> = text.chars().rev().take(most).collect();
    end.reverse();
    let (start, end) = (escaped(text.chars().take(most)), escaped(end.into_iter()));
    around(start.chars(), end.chars().rev(), most)
}

fn around(
    start: impl Iterator<Item = char>,
    from_the_end: impl Iterator<Item = char>,
    most: usize,
) -> String {
    let mut end: Vec<char> = from_the_end.take(most / 2).collect();
    end.reverse();
    start.take(most / 2).chain(['…']).chain(end).collect()
}

fn escaped(text: impl Iterator<Item = char>) -> String {
    let mut line = String::new();
    for c in text {
        match c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            true => line.extend(c.escape_default()),
            false => line.push(c),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_stays_as_it_is() {
        for text in ["", "/data/0", "ééé"] {
            assert_eq!(excerpt(text, 7), text);
        }
    }

    #[test]
    fn a_long_text_loses_its_middle() {
        assert_eq!(excerpt(&"é".repeat(8), 6), "ééé…ééé");
        assert_eq!(excerpt("abcdefgh", 4), "ab…gh");
        let long = format!("a{}z", "é".repeat(20_000_000));
        assert_eq!(excerpt(&long, 4), "aé…éz");
    }

    #[test]
    fn line_breaks_and_controls_are_written_out_and_count() {
        assert_eq!(excerpt("a\nb\u{2028}c", 20), r"a\nb\u{2028}c");
        assert_eq!(excerpt(&"\u{1b}".repeat(3), 6), r"\u{…1b}");
        assert_eq!(excerpt(&"\n".repeat(100), 8), r"\n\n…\n\n");
    }
}

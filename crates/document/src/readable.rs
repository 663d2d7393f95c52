//! Makes strings of a document safe for people and agents to read in findings, reports, comments and Markdown. A document may be from anyone,
//! so its characters must not control a terminal, change the direction of the text beside them, or say what nobody sees.

mod deceptive;
mod html;

use self::deceptive::marked;
pub use self::html::without_html;

/// Returns whether a string has only characters that a reader sees, on one line.
pub fn is_plain(text: &str) -> bool {
    marked(text.chars()).all(|(_, deceives)| !deceives)
}

/// Returns the greatest character boundary of at most this many bytes. The standard library has it from Rust 1.91 on.
pub fn boundary(text: &str, most: usize) -> usize {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// Returns a string of at most this many characters, with an ellipsis after them in place of the others.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// Returns a number with its noun, which has a regular plural: `1 warning`, `2 warnings`.
pub fn counted(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

/// Lists the first of these names, at most so many, and the number of the others.
pub fn listed(names: &[impl AsRef<str>], most: usize) -> String {
    let first: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(most) {
        0 => first.join(", "),
        left => format!("{} and {left} more", first.join(", ")),
    }
}

/// Makes a string readable on one line: what controls a terminal or ends a line becomes a space, and what nobody sees is left out. The
/// compiler refuses changes of direction in comments.
pub fn line(text: &str) -> String {
    let shown = marked(text.chars()).filter_map(|(c, deceives)| match c {
        '\t' => Some(c),
        '\u{2028}' | '\u{2029}' => Some(' '),
        c if c.is_control() => Some(' '),
        c => (!deceives).then_some(c),
    });
    shown.collect()
}

/// Escapes what nobody sees as string literals of Rust do; lines are kept.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (c, deceives) in marked(text.chars()) {
        match c {
            '\n' | '\t' => out.push(c),
            c if deceives => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// Makes a string readable and keeps its lines.
pub fn lines(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(line).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_left_out_and_what_scripts_and_emoji_need_is_kept() {
        let tags: String = ('\u{e0020}'..='\u{e007f}').collect();
        let selectors: String = ('\u{e0100}'..='\u{e01ef}').collect();
        for hidden in [
            "\u{ad}",
            "\u{34f}",
            "\u{61c}",
            "\u{115f}",
            "\u{17b4}",
            "\u{180e}",
            "\u{200b}",
            "\u{200c}",
            "\u{200d}",
            "\u{202e}",
            "\u{2062}",
            "\u{206f}",
            "\u{2800}",
            "\u{3164}",
            "\u{e000}",
            "\u{fdd0}",
            "\u{fe0f}",
            "\u{feff}",
            "\u{fff9}",
            "\u{ffff}",
            "\u{1bca0}",
            "\u{1d173}",
            "\u{e0001}",
            "\u{f0000}",
            "\u{10ffff}",
            &tags,
            &selectors,
        ] {
            let text = format!("a{hidden}b");
            assert!(!is_plain(&text), "{hidden:?}");
            assert_eq!(line(&text), "ab", "{hidden:?}");
        }
        for plain in [
            "plain é 中 ",
            "👩\u{200d}🚒 ❤\u{fe0f} 1\u{fe0f}\u{20e3} 🏳\u{fe0f}\u{200d}🌈",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
        ] {
            assert!(is_plain(plain), "{plain:?}");
            assert_eq!(line(plain), plain);
        }
        assert_eq!(line("❤\u{fe0f}\u{fe0f}\u{200d}x"), "❤\u{fe0f}x");
        assert_eq!(lines("a\u{1b}[31m\n\r\u{2028}b\u{7}"), "a [31m\n  b ");
    }
}

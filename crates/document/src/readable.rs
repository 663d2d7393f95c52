//! Makes strings of a document safe for people to read in findings, reports, comments and Markdown. A document may be from anyone, so its
//! characters must not control a terminal or change the direction of the text beside them.

/// Replaces a control character, or one that changes or hides the direction of text, with a space. The compiler refuses the latter in
/// comments.
pub fn printable(c: char) -> char {
    match c {
        '\t' => c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        c if c.is_control() => ' ',
        c => c,
    }
}

/// Returns the greatest character boundary of at most this many bytes. The standard library has it from Rust 1.91 on.
pub fn boundary(text: &str, most: usize) -> usize {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// Makes a string printable on one line.
pub fn line(text: &str) -> String {
    text.chars().map(printable).collect()
}

/// Makes a string printable and keeps its lines.
pub fn lines(text: &str) -> String {
    let printable = |c: char| if c == '\n' { c } else { printable(c) };
    text.chars().map(printable).collect()
}

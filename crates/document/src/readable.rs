//! Texts of a document where people read them: in findings, reports, comments and Markdown. A document may be from anyone, and none of its
//! characters moves a cursor, rings a bell or turns the direction of what stands beside it.

/// The character as people may read it: a space for a control character, and for one that turns or hides the direction of a text. The
/// compiler refuses these in comments.
pub fn printable(c: char) -> char {
    match c {
        '\t' => c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' => ' ',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        c if c.is_control() => ' ',
        c => c,
    }
}

/// The greatest end of a character that is not above a number of bytes. The standard library has it from Rust 1.91 on.
pub fn boundary(text: &str, most: usize) -> usize {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

/// A text as one line.
pub fn line(text: &str) -> String {
    text.chars().map(printable).collect()
}

/// A text with its lines.
pub fn lines(text: &str) -> String {
    let printable = |c: char| if c == '\n' { c } else { printable(c) };
    text.chars().map(printable).collect()
}

//! Characters of a text that deceive its reader: those that nobody sees, and those that change how others are shown. A person, a terminal or
//! an agent then reads something else than what is there. The generator links to this file, which therefore imports nothing of this
//! crate.

use std::iter::Peekable;

/// Returns whether a character is invisible, controls a terminal, changes the direction of text, or has no agreed form.
pub(crate) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            u32::from(c),
            // Soft hyphen, grapheme joiner, Arabic letter mark.
            0xad | 0x34f | 0x61c
                // Fillers of Hangul, inherent vowels of Khmer, selectors of Mongolian.
                | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f | 0x3164 | 0xffa0
                // Zero width, direction, separators of lines, invisible operators, deprecated format characters; a blank of Braille.
                | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0x2800
                // Private use, characters that are none, variation selectors, byte order mark, annotations.
                | 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xfe00..=0xfe0f | 0xfeff | 0xfff0..=0xfffb
                // Formats of hieroglyphs, shorthand and music; a filler of Khitan.
                | 0x1_3430..=0x1_345f | 0x1_6fe4 | 0x1_bca0..=0x1_bca3 | 0x1_d159 | 0x1_d173..=0x1_d17a
                // Tags, more variation selectors, and the planes of private use.
                | 0xe_0000..=0xe_0fff | 0xf_0000..=0x10_ffff
        )
        || u32::from(c) & 0xfffe == 0xfffe
}

/// Returns the characters of a text, each with whether it is [hidden](is_hidden) and without need at its place. Emoji keep one joiner or
/// selector between or after their parts, and letters of Arabic and Indic scripts one joiner. Emoji with tags are flags of regions, and
/// keep none: tags spell any text.
pub(crate) fn marked<I: Iterator<Item = char>>(
    text: I,
) -> impl Iterator<Item = (char, bool)> + use<I> {
    let (chars, before) = (text.peekable(), None);
    Marked { chars, before }
}

struct Marked<I: Iterator<Item = char>> {
    chars: Peekable<I>,
    before: Option<char>,
}

impl<I: Iterator<Item = char>> Iterator for Marked<I> {
    type Item = (char, bool);

    fn next(&mut self) -> Option<(char, bool)> {
        let c = self.chars.next()?;
        let before = self.before.replace(c);
        // Most characters are letters.
        if !is_hidden(c) {
            return Some((c, false));
        }
        let is_needed = before.is_some_and(|before| is_needed(before, c, self.chars.peek()));
        Some((c, !is_needed))
    }
}

fn is_needed(before: char, c: char, after: Option<&char>) -> bool {
    const EMOJI_STYLE: char = '\u{fe0f}';
    match c {
        EMOJI_STYLE if before.is_ascii_digit() || before == '#' || before == '*' => {
            after == Some(&'\u{20e3}')
        }
        EMOJI_STYLE | '\u{fe0e}' => is_pictograph(before),
        '\u{200d}' if is_pictograph(before) || before == EMOJI_STYLE => {
            after.is_some_and(|after| is_pictograph(*after))
        }
        '\u{200c}' | '\u{200d}' => is_joined(before),
        _ => false,
    }
}

/// Returns whether a character is one of the blocks that have emoji.
fn is_pictograph(c: char) -> bool {
    matches!(
        u32::from(c),
        0xa9 | 0xae | 0x203c | 0x2049 | 0x2122 | 0x2139 | 0x2190..=0x21ff | 0x2300..=0x23ff | 0x24c2
            | 0x25a0..=0x27bf | 0x2934 | 0x2935 | 0x2b00..=0x2bff | 0x3030 | 0x303d | 0x3297 | 0x3299
            | 0x1_f000..=0x1_faff
    )
}

/// Returns whether a character is of a script whose spelling needs joiners.
fn is_joined(c: char) -> bool {
    !is_hidden(c)
        && matches!(
            u32::from(c),
            0x620..=0x6ff | 0x710..=0x77f | 0x860..=0xdff | 0x1000..=0x109f | 0x1780..=0x17d3 | 0x1820..=0x18aa
        )
}

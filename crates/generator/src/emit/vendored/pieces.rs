//! A file of Rust as its code, its comments and its literals, in their order. It is not parsed, so that its formatting is kept.

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Code,
    Comment,
    /// A string of any kind, or a character.
    Literal,
}

/// Cuts a file into its pieces, which together are the file.
pub(super) fn pieces(text: &str) -> Vec<(Kind, &str)> {
    let mut pieces = Vec::new();
    let (mut rest, mut code) = (text, 0);
    let mut before = ' ';
    while let Some(next) = rest.get(code..).and_then(|text| text.chars().next()) {
        let here = rest.get(code..).unwrap_or_default();
        let Some((kind, length)) = other(here, before) else {
            code += next.len_utf8();
            before = next;
            continue;
        };
        let (head, tail) = rest.split_at(code);
        let (piece, tail) = tail.split_at(length.min(tail.len()));
        pieces.extend((!head.is_empty()).then_some((Kind::Code, head)));
        pieces.push((kind, piece));
        (rest, code, before) = (tail, 0, ' ');
    }
    pieces.extend((!rest.is_empty()).then_some((Kind::Code, rest)));
    pieces
}

/// Returns the source with spaces in place of comments and literals: every byte of code keeps its offset.
pub(super) fn code_only(text: &str) -> String {
    let shown = |(kind, piece): (Kind, &str)| match kind {
        Kind::Code => piece.to_owned(),
        Kind::Comment | Kind::Literal => {
            let bytes = piece.bytes();
            bytes
                .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
                .collect()
        }
    };
    pieces(text).into_iter().map(shown).collect()
}

/// Returns the comment or literal that begins here, with its length in bytes.
fn other(text: &str, before: char) -> Option<(Kind, usize)> {
    if text.starts_with("//") {
        return Some((Kind::Comment, text.find('\n').unwrap_or(text.len())));
    }
    if text.starts_with("/*") {
        return Some((Kind::Comment, block(text)));
    }
    if text.starts_with('"') {
        return Some((Kind::Literal, 1 + escaped(text.get(1..)?, '"')));
    }
    if let Some(rest) = text.strip_prefix('\'') {
        let mut next = rest.chars();
        let is_character =
            rest.starts_with('\\') || (next.next().is_some() && next.next() == Some('\''));
        // Anything else is a lifetime.
        return is_character.then(|| (Kind::Literal, 1 + escaped(rest, '\'')));
    }
    if before.is_alphanumeric() || before == '_' {
        return None;
    }
    let prefix = ["br", "cr", "r"]
        .into_iter()
        .find(|one| text.starts_with(one))?;
    let rest = text.get(prefix.len()..)?;
    let fences = rest.len() - rest.trim_start_matches('#').len();
    let inside = rest.get(fences..)?.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(fences));
    let length = inside.find(&end).map_or(inside.len(), |at| at + end.len());
    Some((Kind::Literal, prefix.len() + fences + 1 + length))
}

/// The length of a literal behind its first quote.
fn escaped(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, one) in text.char_indices() {
        match one {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            one if one == quote => return at + one.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The length of a comment that may hold others.
fn block(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if rest.starts_with("/*") {
            (at, depth) = (at + 2, depth + 1);
        } else if rest.starts_with("*/") {
            (at, depth) = (at + 2, depth.saturating_sub(1));
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_where_its_comments_and_literals_are() {
        let text = "fn f<'a>(a: &'a str) { /* \" /* */ */ g(\"\\\"//\", 'x', '\\'', br#\"a\"b\"#, r#type); } // it's\nb\"x\"";
        let all = pieces(text);
        let whole: String = all.iter().map(|(_, piece)| *piece).collect();
        assert_eq!(whole, text);
        let of = |kind| -> Vec<&str> {
            let wanted = all.iter().filter(|(one, _)| *one == kind);
            wanted.map(|(_, piece)| *piece).collect()
        };
        assert_eq!(of(Kind::Comment), ["/* \" /* */ */", "// it's"]);
        assert_eq!(
            of(Kind::Literal),
            ["\"\\\"//\"", "'x'", "'\\''", "br#\"a\"b\"#", "\"x\""]
        );
        assert_eq!(code_only(text).len(), text.len());
    }
}

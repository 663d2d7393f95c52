//! Escapes HTML in Markdown. Renderers of documentation run what is not escaped.

/// Escapes the HTML of a Markdown text, but not what is in code. A code span ends on its line, and in its cell of a table: where it does not,
/// its backticks are escaped, so that every renderer sees the same code. A fence is of backticks and begins its line, as the generator writes
/// it; tildes are escaped. Links in angle brackets and empty anchors are kept.
pub fn without_html(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let (mut fence, mut is_table): (Option<usize>, bool) = (None, false);
    let mut lines = markdown.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        // A row has no bar at its ends if its table has none.
        let begins = lines.peek().is_some_and(|next| is_delimiter(next));
        is_table = begins || is_table && !line.trim().is_empty();
        match fence {
            Some(open) => {
                if is_end(line, open) {
                    fence = None;
                }
                out.push_str(line);
            }
            None if opened(line).is_some() => {
                fence = opened(line);
                out.push_str(line);
            }
            None if is_table || line.trim().starts_with('|') => {
                cells(line).for_each(|cell| inline(cell, &mut out))
            }
            None => inline(line, &mut out),
        }
    }
    out
}

/// Returns the number of backticks that begin a fence.
fn opened(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches('`');
    let ticks = line.len() - rest.len();
    (ticks >= 3 && !rest.contains('`')).then_some(ticks)
}

/// Returns whether a line ends a fence of this many backticks. It may be indented by three spaces.
fn is_end(line: &str, open: usize) -> bool {
    let code = line.trim_start_matches(' ');
    let rest = code.trim_start_matches('`');
    let is_blank = rest.chars().all(|c| " \t\r\n".contains(c));
    line.len() - code.len() <= 3 && code.len() - rest.len() >= open && is_blank
}

/// Returns whether a line is the one below the head of a table.
fn is_delimiter(line: &str) -> bool {
    line.contains('-') && line.contains('|') && line.trim().chars().all(|c| "|:- \t".contains(c))
}

/// Splits a row of a table after each bar that is not escaped.
fn cells(row: &str) -> impl Iterator<Item = &str> {
    let mut is_escaped = false;
    row.split_inclusive(move |c| {
        let ends = c == '|' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    })
}

fn inline(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '`', '<', '~']) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let kept = match from.as_bytes() {
            [b'\\', next, ..] if next.is_ascii_punctuation() => 2,
            [b'`', ..] => code_span(from),
            [b'<', b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!' | b'?', ..] => link(from).unwrap_or(0),
            [b'~', b'~', b'~', ..] => 0,
            _ => 1,
        };
        let length = match (kept, from.as_bytes()) {
            (0, [b'`', ..]) => {
                let ticks = from.len() - from.trim_start_matches('`').len();
                out.push_str(&"\\`".repeat(ticks));
                ticks
            }
            (0, _) => {
                out.push('\\');
                out.push_str(from.get(..1).unwrap_or_default());
                1
            }
            (kept, _) => {
                out.push_str(from.get(..kept).unwrap_or_default());
                kept
            }
        };
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// Returns the length of the code span at the beginning; 0 if it does not end.
fn code_span(text: &str) -> usize {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let mut at = ticks;
    while let Some(next) = text.get(at..).and_then(|rest| rest.find('`')) {
        let rest = text.get(at + next..).unwrap_or_default();
        let closing = rest.len() - rest.trim_start_matches('`').len();
        at += next + closing;
        if closing == ticks {
            return at;
        }
    }
    0
}

/// Returns the length of a link in angle brackets, or of an empty anchor.
fn link(text: &str) -> Option<usize> {
    let end = text.find('>')?;
    let inside = text.get(1..end)?;
    let is_url = ["http://", "https://", "mailto:"]
        .iter()
        .any(|scheme| inside.starts_with(scheme));
    let mut characters = inside.chars();
    if is_url && !characters.any(|c| c.is_whitespace() || "<\"'`\\".contains(c)) {
        return Some(end + 1);
    }
    let id = inside.strip_prefix("a id=\"")?.strip_suffix('"')?;
    let is_id = id
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let is_empty = text.get(end + 1..)?.starts_with("</a>");
    (is_id && is_empty).then_some(end + 1 + "</a>".len())
}

#[cfg(test)]
mod tests {
    use super::without_html;

    #[test]
    fn html_is_escaped_and_code_is_kept() {
        for (markdown, expected) in [
            ("a <script>x</script> b", r"a \<script>x\</script> b"),
            ("<!-- c --> <?x?> 1 < 2 <3", r"\<!-- c --> \<?x?> 1 < 2 <3"),
            (
                "`Vec<T>` and ``a ` <b>`` <i>",
                r"`Vec<T>` and ``a ` <b>`` \<i>",
            ),
            (
                "<https://a.example/b> <mailto:a@b.example>",
                "<https://a.example/b> <mailto:a@b.example>",
            ),
            ("<https://a\" onclick=x>", "\\<https://a\" onclick=x>"),
            (
                "### <a id=\"an-id\"></a>Title",
                "### <a id=\"an-id\"></a>Title",
            ),
            (
                "<a id=\"x\" href=\"y\"></a>",
                "\\<a id=\"x\" href=\"y\">\\</a>",
            ),
            (r"\<b> \\<b> \`<b>`", r"\<b> \\\<b> \`\<b>\`"),
            // An open span takes in nothing that follows, on no line and in no cell.
            ("a ` b\nc ` <script> ` d", "a \\` b\nc ` <script> ` d"),
            ("a ``` b\n<script>\n```", "a \\`\\`\\` b\n\\<script>\n```"),
            ("| a ` <b> | ` c |", "| a \\` \\<b> | \\` c |"),
            (
                "a ` | <b> ` c\n-|-\n`a | <b>`",
                "a \\` | \\<b> \\` c\n-|-\n\\`a | \\<b>\\`",
            ),
            ("`a | <b>`", "`a | <b>`"),
            (r"| `a\|<b>` |", r"| `a\|<b>` |"),
            ("```text\n<b>\n``\n```\n<i>", "```text\n<b>\n``\n```\n\\<i>"),
            ("~~~\n<b>", "\\~~~\n\\<b>"),
            (
                "~~~\n```\n~~~\n<b>\n```\n<i>",
                "\\~~~\n```\n~~~\n<b>\n```\n\\<i>",
            ),
            ("> ~~~~\n<b>", "> \\~\\~~~\n\\<b>"),
            ("`~~~` ~~a~~", "`~~~` ~~a~~"),
            // Only what is a fence for every renderer begins code, and ends it.
            ("    ```\n<b>", "    \\`\\`\\`\n\\<b>"),
            ("- ```\n<b>", "- \\`\\`\\`\n\\<b>"),
            ("- a\n  ```\n<b>", "- a\n  \\`\\`\\`\n\\<b>"),
            (
                "```\n    ```\n<b>\n   ``` \n<i>",
                "```\n    ```\n<b>\n   ``` \n\\<i>",
            ),
            (
                "```\n```\u{a0}\n<b>\n```\n<i>",
                "```\n```\u{a0}\n<b>\n```\n\\<i>",
            ),
        ] {
            assert_eq!(without_html(markdown), expected, "{markdown}");
        }
    }
}

//! Finds the lines of Rust that begin within a string literal or a block comment.

/// Reads Rust line by line, to the extent that string literals and comments require.
#[derive(Default)]
pub(super) struct Literals {
    open: Option<Kind>,
}

#[derive(Clone, Copy)]
enum Kind {
    /// With escapes.
    Text,
    /// A raw string, with this many `#`.
    Raw(usize),
    /// The depth of a comment `/* */`.
    Comment(usize),
}

impl Literals {
    /// Returns whether the next line begins within a string literal or a comment.
    pub(super) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Reads a line.
    pub(super) fn read(&mut self, line: &str) {
        let mut rest = line;
        while !rest.is_empty() {
            rest = match self.open {
                None => self.code(rest),
                Some(kind) => self.inside(kind, rest),
            };
        }
    }

    /// Goes on behind the next character that could begin a literal or a comment.
    fn code<'t>(&mut self, rest: &'t str) -> &'t str {
        let Some(at) = rest.find(['"', '\'', '/']) else {
            return "";
        };
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
        if from.starts_with("//") {
            return "";
        }
        if let Some(comment) = from.strip_prefix("/*") {
            self.open = Some(Kind::Comment(1));
            return comment;
        }
        if let Some(text) = from.strip_prefix('"') {
            let hashes = before.len() - before.trim_end_matches('#').len();
            let is_raw = before.trim_end_matches('#').ends_with('r');
            self.open = Some(if is_raw {
                Kind::Raw(hashes)
            } else {
                Kind::Text
            });
            return text;
        }
        match from.strip_prefix('\'') {
            Some(character) => after_quote(character),
            None => from.strip_prefix('/').unwrap_or_default(),
        }
    }

    fn inside<'t>(&mut self, kind: Kind, rest: &'t str) -> &'t str {
        match kind {
            Kind::Text => match rest.split_once(['"', '\\']) {
                None => "",
                Some((before, after)) if is_quote(rest, before) => {
                    self.open = None;
                    after
                }
                Some((_, after)) => {
                    let mut escaped = after.chars();
                    escaped.next();
                    escaped.as_str()
                }
            },
            Kind::Raw(hashes) => match rest.split_once('"') {
                None => "",
                Some((_, after)) => {
                    let closing = after.len() - after.trim_start_matches('#').len();
                    if closing >= hashes {
                        self.open = None;
                    }
                    after
                }
            },
            Kind::Comment(depth) => {
                let (end, begin) = (rest.find("*/"), rest.find("/*"));
                match (end, begin) {
                    (Some(end), begin) if begin.is_none_or(|begin| end < begin) => {
                        self.open = (depth > 1).then(|| Kind::Comment(depth - 1));
                        rest.get(end + 2..).unwrap_or_default()
                    }
                    (_, Some(begin)) => {
                        self.open = Some(Kind::Comment(depth + 1));
                        rest.get(begin + 2..).unwrap_or_default()
                    }
                    _ => "",
                }
            }
        }
    }
}

/// Skips a character literal, or the quote of a lifetime.
fn after_quote(rest: &str) -> &str {
    if let Some(escaped) = rest.strip_prefix('\\') {
        let mut characters = escaped.chars();
        characters.next();
        return characters
            .as_str()
            .split_once('\'')
            .map_or("", |(_, after)| after);
    }
    let mut characters = rest.chars();
    characters.next();
    characters.as_str().strip_prefix('\'').unwrap_or(rest)
}

/// Returns whether a quote follows the prefix `before`.
fn is_quote(rest: &str, before: &str) -> bool {
    rest.get(before.len()..)
        .is_some_and(|from| from.starts_with('"'))
}

//! Parses a string to a JSON value. An ambiguity is an error with a position if read strictly, and otherwise a note.

use std::borrow::Cow;

use serde::de::DeserializeSeed;
use serde_json::Value;

use super::patch;
use super::value::{DUPLICATE, MERGED, Note, Notes, Reader};

/// A parsed value, and the format of its file.
pub(super) struct Parsed {
    pub(super) value: Value,
    pub(super) is_json: bool,
    /// Notes on ambiguities, and on values that JSON cannot represent.
    pub(super) notes: Vec<Note>,
}

/// The reason why a file does not parse.
pub(super) struct Problem {
    pub(super) rule: &'static str,
    /// Byte offset.
    pub(super) position: Option<usize>,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// Parses the content of a file. The file name decides the format, unless the content has the other one.
pub(super) fn parse(path: &str, text: &str, is_strict: bool) -> Result<Parsed, Problem> {
    let mut lines = text.lines().map(str::trim);
    if lines.all(|line| line.is_empty() || line == "---" || line.starts_with('#')) {
        return Err(Problem {
            rule: "syntax",
            position: None,
            message: "the file is empty".to_owned(),
            help: "check its name, or fill it",
        });
    }
    let named = match path.rsplit_once('.') {
        Some((_, "json")) => Some(true),
        Some((_, "yaml" | "yml")) => Some(false),
        _ => None,
    };
    let looks_like_json = text.trim_start().starts_with(['{', '[']);
    match (named, looks_like_json) {
        // Most such files are YAML in braces, and a few are JSON, whose parser fails quickly.
        (Some(false), true) => json(text, is_strict).or_else(|_| yaml(text, is_strict)),
        (Some(true), false) => yaml(text, is_strict).or_else(|_| json(text, is_strict)),
        (_, true) => json(text, is_strict),
        (_, false) => yaml(text, is_strict),
    }
}

/// JSON needs its own parser: YAML's does not read all of it, such as surrogate pairs in escapes.
fn json(text: &str, is_strict: bool) -> Result<Parsed, Problem> {
    let patched = patch::numbers(text);
    let notes = Notes::default();
    let reader = Reader::new(&notes, is_strict);
    let mut deserializer = serde_json::Deserializer::from_str(patched.as_deref().unwrap_or(text));
    let value = reader.deserialize(&mut deserializer);
    match value.and_then(|value| deserializer.end().map(|()| value)) {
        Ok(value) => Ok(Parsed {
            value,
            is_json: true,
            notes: notes.take(),
        }),
        Err(error) => {
            let at = offset(text, error.line(), error.column());
            Err(problem(text, error.to_string(), Some(at)))
        }
    }
}

fn yaml(text: &str, is_strict: bool) -> Result<Parsed, Problem> {
    let text = &*without_tabs(text);
    if let Some(at) = nested(text) {
        let message = "it is nested too deeply".to_owned();
        return Err(problem(text, message, Some(at)));
    }
    let notes = Notes::default();
    let reader = Reader::new(&notes, is_strict);
    match reader.deserialize(serde_yaml::Deserializer::from_str(text)) {
        Ok(value) => Ok(Parsed {
            value,
            is_json: false,
            notes: notes.take(),
        }),
        Err(error) => {
            let at = error.location().map(|at| at.index().min(text.len()));
            Err(problem(text, error.to_string(), at))
        }
    }
}

/// Returns a text of the same length without the tabs before a comment, which the libraries do not read. A line of a block of text begins with
/// a space, and one in quotes loses its blanks.
fn without_tabs(text: &str) -> Cow<'_, str> {
    if !text.contains("\n\t") {
        return text.into();
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let content = line.trim_start_matches([' ', '\t']);
        if line.starts_with('\t') && content.starts_with('#') {
            Cow::from(" ".repeat(line.len() - content.len()) + content)
        } else {
            line.into()
        }
    });
    Cow::Owned(lines.collect())
}

fn problem(text: &str, message: String, position: Option<usize>) -> Problem {
    let (rule, help) = if message.contains(MERGED) {
        ("merge-key", "write out what is merged")
    } else if message.contains(DUPLICATE) {
        (
            "duplicate-key",
            "keep one of the two: which one a parser takes is not defined",
        )
    } else {
        ("syntax", "correct the YAML or JSON at this place")
    };
    Problem {
        rule,
        // A position inside of a character cannot be shown.
        position: position.filter(|at| text.is_char_boundary(*at)),
        message,
        help,
    }
}

/// Maximum number of unmatched brackets. A file written by people leaves none open, even in prose.
const OPEN: usize = 2_000;

/// Returns the location of too many open brackets. The library takes quadratic time before it refuses them.
fn nested(text: &str) -> Option<usize> {
    let mut open: usize = 0;
    text.bytes().position(|byte| {
        match byte {
            b'{' | b'[' => open += 1,
            b'}' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
        open > OPEN
    })
}

/// Returns the byte of a line and column, both from one; columns of serde_json are bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    (start + column.saturating_sub(1)).min(text.len())
}

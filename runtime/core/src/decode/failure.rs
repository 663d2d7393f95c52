//! Why a value does not decode, and where.

use std::borrow::Cow;
use std::fmt;

use super::pointer::{Located, pointer_to};

/// The beginning of the message of a documented type that serde_json has asked for, with a pointer into it.
const AT: &str = "at `";

/// A value that does not match its type, or text that is not JSON. For generated code.
#[derive(Debug)]
pub struct Failure(Box<Problem>);

#[derive(Debug)]
struct Problem {
    /// The index of the byte where the value begins, or where the text is no JSON.
    at: usize,
    what: What,
}

#[derive(Debug)]
enum What {
    Text(Cow<'static, str>),
    Type {
        found: Found,
        expected: &'static str,
    },
    /// A member that an object lacks.
    Lacks(&'static str),
    /// The body takes more memory than it may.
    TooMuch,
}

/// The value that was found instead of the expected one. Strings are not shown: they may identify people or companies.
#[derive(Debug)]
pub(super) enum Found {
    Null,
    Boolean(bool),
    Number(Box<str>),
    String,
    Array,
    Object,
}

impl Failure {
    fn new(at: usize, what: What) -> Self {
        Self(Box::new(Problem { at, what }))
    }

    pub(super) fn text(at: usize, text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(at, What::Text(text.into()))
    }

    pub(super) fn of_type(at: usize, found: Found, expected: &'static str) -> Self {
        Self::new(at, What::Type { found, expected })
    }

    /// An object without a member that it needs, for generated code.
    #[cold]
    #[must_use]
    pub fn lacks(at: usize, member: &'static str) -> Self {
        Self::new(at, What::Lacks(member))
    }

    pub(super) fn too_much(at: usize) -> Self {
        Self::new(at, What::TooMuch)
    }

    /// Makes that of a type that serde_json reads. A string of another type is not quoted: it may identify people or companies.
    pub(super) fn of_serde(at: usize, error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let (why, _) = message.rsplit_once(" at line ").unwrap_or((&message, ""));
        let quoted = why.split_once(": string \"");
        let unquoted = quoted.and_then(|(problem, rest)| {
            let (_, expected) = rest.rsplit_once("\", expected ")?;
            Some(format!("{problem}: string, expected {expected}"))
        });
        let why = unquoted.unwrap_or_else(|| why.to_owned());
        // The place is behind a documented type, or in what is around it.
        let is_around = error.line() > 0 && why.starts_with(AT);
        Self::text(
            at,
            if is_around {
                format!("inside, {why}")
            } else {
                why
            },
        )
    }

    /// Returns whether another way to read the value fails too.
    pub(super) fn is_final(&self) -> bool {
        matches!(self.0.what, What::TooMuch)
    }

    /// Locates it in a part of the text that begins at this index.
    pub(super) fn within(&self, text: &str, start: usize) -> Located {
        let at = self.0.at.saturating_sub(start);
        let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let last = before.iter().rev().take_while(|byte| **byte != b'\n');
        let message = self.to_string();
        // The failure of a documented type.
        let inside = message.strip_prefix(AT);
        let inside = inside.and_then(|message| message.split_once("`: "));
        let (inside, why) = inside.unwrap_or(("", &message));
        Located {
            pointer: pointer_to(text, at) + inside,
            message: format!("{why} at line {line} column {}", last.count() + 1),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.what {
            What::Text(text) => f.write_str(text),
            What::Lacks(member) => write!(f, "missing field `{member}`"),
            What::TooMuch => f.write_str("too many elements"),
            What::Type { found, expected } => {
                let problem = match found {
                    Found::Number(_) if expected.ends_with(" within range") => "value",
                    _ => "type",
                };
                write!(f, "invalid {problem}: {found}, expected {expected}")
            }
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Boolean(value) => write!(f, "boolean `{value}`"),
            Self::Number(text)
                if text
                    .bytes()
                    .all(|byte| byte == b'-' || byte.is_ascii_digit()) =>
            {
                write!(f, "integer `{text}`")
            }
            Self::Number(text) => write!(f, "number `{text}`"),
            Self::String => f.write_str("string"),
            Self::Array => f.write_str("array"),
            Self::Object => f.write_str("object"),
        }
    }
}

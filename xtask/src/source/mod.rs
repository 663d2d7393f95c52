//! A YAML or JSON file as text and as a JSON value.
//! Refuses what the YAML library accepts silently: duplicate keys, and keys that are not text.

mod locate;
mod locate_json;
mod parse;

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::finding::{Excerpt, Finding, Stop};

/// One input file.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path relative to the workspace, with forward slashes: what messages show.
    pub path: String,
    /// The text as it stands in the file.
    pub text: String,
    /// What the text says.
    pub value: Value,
    pub(crate) places: Places,
}

/// Where everything stands in a text, found out when a message needs it first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Arc<OnceLock<HashMap<String, Range<usize>>>>);

impl Source {
    /// Reads `root/path`.
    pub fn read(root: &Path, path: &str) -> Result<Self, Stop> {
        let text = std::fs::read_to_string(root.join(path)).map_err(|error| {
            Stop::Unreadable(vec![Finding::about(
                "unreadable-file",
                path,
                format!("cannot read the file: {error}"),
                "check that it exists, may be read and is UTF-8 text",
            )])
        })?;
        Self::parse(path, text)
    }

    /// Parses text that is already here; `path` is for messages.
    pub fn parse(path: &str, text: String) -> Result<Self, Stop> {
        match parse::parse(&text, is_json(path, &text)) {
            Ok(value) => Ok(Self {
                path: path.to_owned(),
                text,
                value,
                places: Places::default(),
            }),
            Err(problem) => {
                let excerpt = problem.position.and_then(|at| {
                    let next = text.get(at..).and_then(|rest| rest.chars().next());
                    Excerpt::of(&text, at..at + next.map_or(0, char::len_utf8))
                });
                Err(Stop::Unreadable(vec![Finding {
                    excerpt,
                    ..Finding::about(problem.rule, path, problem.message, problem.help)
                }]))
            }
        }
    }

    /// Whether the text is JSON rather than YAML, by the file's name or, failing that, its first character.
    pub fn is_json(&self) -> bool {
        is_json(&self.path, &self.text)
    }

    /// The same file with another value: what its text became.
    #[must_use]
    pub fn with_value(&self, value: Value) -> Self {
        Self {
            value,
            ..self.clone()
        }
    }

    /// The bytes of a pointer in the text, or of the nearest place above it that the text has.
    pub fn place(&self, pointer: &str) -> Option<Range<usize>> {
        let places = self.places.0.get_or_init(|| locate::all(&self.text));
        let mut wanted = pointer;
        loop {
            if let Some(found) = places.get(wanted) {
                return Some(found.clone());
            }
            wanted = wanted.rsplit_once('/')?.0;
        }
    }

    /// Line and column, both from 1, of these pointers and of all above them, as far as the text has them.
    /// One pass over the text, however many they are.
    pub fn positions<'p>(
        &self,
        pointers: impl Iterator<Item = &'p str>,
    ) -> HashMap<String, (usize, usize)> {
        locate::positions(&self.text, self.is_json(), pointers)
    }

    /// A finding at a place in this file.
    pub fn finding(
        &self,
        rule: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Finding {
        let pointer = pointer.into();
        Finding {
            // Of a document that overrides changed, the nearest place that the published text has.
            excerpt: self
                .place(&pointer)
                .and_then(|span| Excerpt::of(&self.text, span)),
            pointer,
            ..Finding::about(rule, &self.path, message, help)
        }
    }
}

fn is_json(path: &str, text: &str) -> bool {
    match path.rsplit_once('.') {
        Some((_, "json")) => true,
        Some((_, "yaml" | "yml")) => false,
        _ => text.trim_start().starts_with(['{', '[']),
    }
}

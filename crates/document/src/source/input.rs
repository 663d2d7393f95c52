//! One input file: its content, its value, and the location of every value.

use std::collections::{BTreeMap, HashMap};
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::files::string;
use super::{locate, parse};
use crate::excerpt::{Excerpt, Lines};
use crate::finding::{DocumentError, Finding, keep};

/// Treatment of ambiguities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It is an error.
    Strict,
    /// It is read as other tools do, with a warning.
    Tolerant,
}

/// One input: a file, or a document with all the files that it refers to.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path relative to the workspace with forward slashes, as in messages.
    pub path: String,
    /// Content of the file.
    pub text: String,
    /// Parsed value.
    pub value: Value,
    /// Warnings about ambiguities.
    pub warnings: Vec<Finding>,
    places: Places,
    is_json: bool,
    /// Other files of the document, by their pointers in it.
    files: BTreeMap<String, Arc<Source>>,
    /// Original locations of copied values, by the location of the copy.
    moved: Arc<BTreeMap<String, String>>,
}

/// Maximum number of findings per file that show their location. A file may have a hundred thousand.
const MOST_SHOWN: usize = 5_000;

/// Locations of all values and of the lines in a file, computed for the first message that needs one, and the number of findings that showed
/// theirs.
#[derive(Clone, Debug, Default)]
struct Places {
    all: Arc<OnceLock<HashMap<String, Range<usize>>>>,
    lines: Arc<OnceLock<Lines>>,
    shown: Arc<AtomicUsize>,
}

impl Source {
    /// Reads `root/path`, strictly.
    pub fn read(root: &Path, path: &str) -> Result<Self, DocumentError> {
        Self::parse(path, text(root, path)?)
    }

    /// Parses a string strictly; `path` is for messages.
    pub fn parse(path: &str, text: String) -> Result<Self, DocumentError> {
        Self::parse_as(path, text, Reading::Strict)
    }

    /// Parses a string; `path` is for messages.
    pub(super) fn parse_as(
        path: &str,
        text: String,
        reading: Reading,
    ) -> Result<Self, DocumentError> {
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        match parse::parse(path, &text, reading == Reading::Strict) {
            Ok(parsed) => {
                let mut source = Self {
                    path: path.to_owned(),
                    text,
                    value: parsed.value,
                    warnings: Vec::new(),
                    places: Places::default(),
                    is_json: parsed.is_json,
                    files: BTreeMap::new(),
                    moved: Arc::default(),
                };
                let mut warnings = Vec::new();
                for note in parsed.notes {
                    let help = "write it in a form that has one meaning";
                    let warning = source.finding(note.rule, note.pointer, note.message, help);
                    keep(&mut warnings, warning.warning());
                }
                source.warnings = warnings;
                Ok(source)
            }
            Err(problem) => {
                let excerpt = problem.position.and_then(|at| {
                    let next = text.get(at..).and_then(|rest| rest.chars().next());
                    Excerpt::of(&text, at..at + next.map_or(0, char::len_utf8))
                });
                Err(DocumentError::Unreadable(vec![Finding {
                    excerpt,
                    ..Finding::about(problem.rule, path, problem.message, problem.help)
                }]))
            }
        }
    }

    /// Returns whether the file is JSON rather than YAML.
    pub fn is_json(&self) -> bool {
        self.is_json
    }

    /// Returns this file and the others of the document, by path.
    pub fn files(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.files.values().map(Arc::as_ref))
    }

    /// Adds another file of the document, at a pointer of its value.
    pub(super) fn add_file(&mut self, at: &str, file: Self) {
        self.files.insert(at.to_owned(), Arc::new(file));
    }

    /// Changes the path in messages.
    #[must_use]
    pub fn named(self, path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..self
        }
    }

    /// Records copied values: the location of each copy, and that of its original.
    #[must_use]
    pub fn with_moved(self, moved: BTreeMap<String, String>) -> Self {
        Self {
            moved: Arc::new(moved),
            ..self
        }
    }

    /// Returns the other file that a pointer leads into, with the pointer there.
    fn other<'p>(&self, pointer: &'p str) -> Option<(&Self, &'p str)> {
        self.files.iter().find_map(|(at, file)| {
            let rest = pointer.strip_prefix(at.as_str())?;
            let is_within = rest.is_empty() || rest.starts_with('/');
            is_within.then_some((file.as_ref(), rest))
        })
    }

    /// Returns the same file with a changed value.
    #[must_use]
    pub fn with_value(&self, value: Value) -> Self {
        Self {
            value,
            ..self.clone()
        }
    }

    /// Returns the bytes of a value in the file, or of its nearest ancestor there.
    pub fn place(&self, pointer: &str) -> Option<Range<usize>> {
        let places = self.all_places();
        let mut wanted = pointer;
        loop {
            if let Some(found) = places.get(wanted) {
                return Some(found.clone());
            }
            wanted = wanted.rsplit_once('/')?.0;
        }
    }

    /// Returns line and column, both from 1, of a value, or of its nearest ancestor that its file has.
    pub fn position(&self, pointer: &str) -> Option<(usize, usize)> {
        let (file, inner) = match self.other(pointer) {
            // The root of another file is at its beginning, whatever is above its first value.
            Some((_, "")) => return Some((1, 1)),
            found => found.unwrap_or((self, pointer)),
        };
        let start = file.place(inner)?.start;
        Some(file.lines().position(&file.text, start))
    }

    /// Returns a scalar as written in its file.
    pub fn scalar(&self, pointer: &str) -> Option<&str> {
        let (file, inner) = self.other(pointer).unwrap_or((self, pointer));
        let bytes = file.all_places().get(inner)?.clone();
        file.text.get(bytes).map(str::trim_end)
    }

    fn all_places(&self) -> &HashMap<String, Range<usize>> {
        let all = &self.places.all;
        all.get_or_init(|| locate::all(&self.text, self.is_json))
    }

    fn lines(&self) -> &Lines {
        self.places.lines.get_or_init(|| Lines::of(&self.text))
    }

    /// Returns the path of the file that has the value at a pointer, if it is not the first.
    pub fn file_of(&self, pointer: &str) -> Option<&str> {
        self.other(pointer).map(|(file, _)| file.path.as_str())
    }

    /// Creates a finding at a location in this file.
    pub fn finding(
        &self,
        rule: &'static str,
        pointer: impl Into<String>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Finding {
        let pointer = pointer.into();
        let pointer = original(&self.moved, &pointer).unwrap_or(pointer);
        let (file, inner) = self.other(&pointer).unwrap_or((self, &pointer));
        let is_shown = file.places.shown.fetch_add(1, Ordering::Relaxed) < MOST_SHOWN;
        let place = is_shown.then(|| file.place(inner)).flatten();
        Finding {
            // If overrides changed the document, this is the nearest location in the published file.
            excerpt: place.and_then(|span| Excerpt::at(&file.text, file.lines(), span)),
            pointer: inner.to_owned(),
            ..Finding::about(rule, &file.path, message, help)
        }
    }
}

/// Returns the original location of a value, if it is within a copy.
pub fn original(moved: &BTreeMap<String, String>, pointer: &str) -> Option<String> {
    let mut at = pointer;
    loop {
        if let Some(original) = moved.get(at) {
            let rest = pointer.get(at.len()..).unwrap_or_default();
            return Some(format!("{original}{rest}"));
        }
        at = at.rsplit_once('/')?.0;
    }
}

/// Reads a file.
pub(super) fn text(root: &Path, path: &str) -> Result<String, DocumentError> {
    string(&root.join(path)).map_err(|error| {
        let help = match error.kind() {
            ErrorKind::InvalidInput => "give a regular file, or pipe the content into `-`",
            ErrorKind::FileTooLarge => "give a smaller file, such as one part of it",
            _ => "check that it exists, may be read and is valid UTF-8",
        };
        let message = format!("cannot read the file: {error}");
        DocumentError::unreadable(path, message, help)
    })
}

//! One input: its text, what that says, and where everything stands in it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::{locate, parse, value};
use crate::finding::{Excerpt, Finding, Stop, keep};

/// How a text is read that could mean two things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It is refused.
    Strict,
    /// It is read as is usual, with a warning.
    Tolerant,
}

/// One input: a file, or a document with all the files that it leads to.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path relative to the workspace, with forward slashes: what messages show.
    pub path: String,
    /// The text as it stands in the file.
    pub text: String,
    /// What the text says.
    pub value: Value,
    /// What the text could have meant too.
    pub warnings: Vec<Finding>,
    places: Places,
    is_json: bool,
    /// Other files of the document, by the pointers at which they stand in it.
    files: BTreeMap<String, Arc<Source>>,
    /// Where a value stands that is a copy, and where its author has it.
    moved: Arc<BTreeMap<String, String>>,
}

/// Findings of one text that show their place. A text may have a hundred thousand, and nobody reads so many.
const MOST_SHOWN: usize = 5_000;

/// Where everything stands in a text, found out when a message needs it first, and how many findings showed their places.
#[derive(Clone, Debug, Default)]
struct Places(
    Arc<OnceLock<HashMap<String, Range<usize>>>>,
    Arc<AtomicUsize>,
);

impl Source {
    /// Reads `root/path`, strictly.
    pub fn read(root: &Path, path: &str) -> Result<Self, Stop> {
        Self::parse(path, text(root, path)?)
    }

    /// Parses text that is already here, strictly; `path` is for messages.
    pub fn parse(path: &str, text: String) -> Result<Self, Stop> {
        Self::parse_as(path, text, Reading::Strict)
    }

    /// Parses a text; `path` is for messages.
    pub(super) fn parse_as(path: &str, text: String, reading: Reading) -> Result<Self, Stop> {
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
                let warning = |note: value::Note| {
                    let help = "write it in a form that has one meaning";
                    source
                        .finding(note.rule, note.pointer, note.message, help)
                        .warning()
                };
                let mut warnings = Vec::new();
                for note in parsed.notes {
                    keep(&mut warnings, warning(note));
                }
                source.warnings = warnings;
                Ok(source)
            }
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

    /// Whether the text is JSON rather than YAML.
    pub fn is_json(&self) -> bool {
        self.is_json
    }

    /// This file and the others of the document, by path.
    pub fn files(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.files.values().map(Arc::as_ref))
    }

    /// Adds another file of the document, which stands at a pointer of its value.
    pub(super) fn add_file(&mut self, at: &str, file: Self) {
        self.files.insert(at.to_owned(), Arc::new(file));
    }

    /// The same document under another path in messages.
    #[must_use]
    pub fn named(self, path: &str) -> Self {
        Self {
            path: path.to_owned(),
            ..self
        }
    }

    /// The same document with copies of values: where each stands, and where its author has it.
    #[must_use]
    pub fn with_moved(self, moved: BTreeMap<String, String>) -> Self {
        Self {
            moved: Arc::new(moved),
            ..self
        }
    }

    /// The other file that a pointer leads into, with the pointer there.
    fn other<'p>(&self, pointer: &'p str) -> Option<(&Self, &'p str)> {
        self.within(pointer).map(|(_, file, inner)| (file, inner))
    }

    /// As `other`, with the place of the file in the value of the first.
    fn within<'p>(&self, pointer: &'p str) -> Option<(&str, &Self, &'p str)> {
        self.files.iter().find_map(|(at, file)| {
            let rest = pointer.strip_prefix(at.as_str())?;
            let is_within = rest.is_empty() || rest.starts_with('/');
            is_within.then_some((at.as_str(), file.as_ref(), rest))
        })
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
        let places = self
            .places
            .0
            .get_or_init(|| locate::all(&self.text, self.is_json));
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
        let (own, others) = self.by_file(pointers);
        let mut found = locate::positions(&self.text, self.is_json, own.into_iter());
        for (at, inner) in others {
            let Some(file) = self.files.get(at) else {
                continue;
            };
            let places = locate::positions(&file.text, file.is_json, inner.into_iter());
            // A file begins where it begins, whatever stands there first.
            found.insert(at.to_owned(), (1, 1));
            found.extend(
                places
                    .into_iter()
                    .map(|(inner, place)| (format!("{at}{inner}"), place)),
            );
        }
        found
    }

    /// The text of each of these values that is a plain one, as it is written. One pass over the text, however many they are.
    pub fn scalars<'p>(&self, pointers: impl Iterator<Item = &'p str>) -> HashMap<String, String> {
        let (own, others) = self.by_file(pointers);
        let of = |file: &Self, wanted: Vec<&'p str>| {
            let wanted: HashSet<&str> = wanted.into_iter().collect();
            match wanted.is_empty() {
                true => HashMap::new(),
                false => locate::scalars(&file.text, file.is_json, &wanted),
            }
        };
        let mut found = of(self, own);
        for (at, inner) in others {
            let file = self.files.get(at).map(Arc::as_ref);
            let scalars = file.map(|file| of(file, inner)).into_iter().flatten();
            found.extend(scalars.map(|(inner, text)| (format!("{at}{inner}"), text)));
        }
        found
    }

    /// The pointers that lead into this file, and those within each other file, by where that stands.
    fn by_file<'p>(
        &self,
        pointers: impl Iterator<Item = &'p str>,
    ) -> (Vec<&'p str>, BTreeMap<&str, Vec<&'p str>>) {
        let mut own = Vec::new();
        let mut others: BTreeMap<&str, Vec<&'p str>> = BTreeMap::new();
        for pointer in pointers {
            match self.within(pointer) {
                Some((at, _, inner)) => others.entry(at).or_default().push(inner),
                None => own.push(pointer),
            }
        }
        (own, others)
    }

    /// The path of the file that has what stands at a pointer, where it is not the first.
    pub fn file_of(&self, pointer: &str) -> Option<&str> {
        self.within(pointer).map(|(_, file, _)| file.path.as_str())
    }

    /// The file in which a place stands, and its pointer there, as [`Source::finding`] names both.
    pub fn written(&self, pointer: &str) -> (&str, String) {
        let pointer = original(&self.moved, pointer).unwrap_or_else(|| pointer.to_owned());
        match self.other(&pointer) {
            Some((file, inner)) => (&file.path, inner.to_owned()),
            None => (&self.path, pointer),
        }
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
        let pointer = original(&self.moved, &pointer).unwrap_or(pointer);
        let (file, inner) = self.other(&pointer).unwrap_or((self, &pointer));
        let is_shown = file.places.1.fetch_add(1, Ordering::Relaxed) < MOST_SHOWN;
        let place = is_shown.then(|| file.place(inner)).flatten();
        Finding {
            // Of a document that overrides changed, the nearest place that the published text has.
            excerpt: place.and_then(|span| Excerpt::of(&file.text, span)),
            pointer: inner.to_owned(),
            ..Finding::about(rule, &file.path, message, help)
        }
    }
}

/// Where the author has what stands at a pointer, if it is within a copy.
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

/// The text of a file.
pub(super) fn text(root: &Path, path: &str) -> Result<String, Stop> {
    std::fs::read_to_string(root.join(path)).map_err(|error| {
        Stop::Unreadable(vec![Finding::about(
            "unreadable-file",
            path,
            format!("cannot read the file: {error}"),
            "check that it exists, may be read and is UTF-8 text",
        )])
    })
}

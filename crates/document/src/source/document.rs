//! Documents of several files: the target files of relative `$ref`s are read too, and placed below one key of the first file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value};

use super::files::{Fetch, LARGEST_SUM, Refused, Root, below, first};
use super::input::{Reading, Source};
use super::references::BUNDLED;
use crate::finding::DocumentError;
use crate::keywords::{is_data, is_map_of_names};
use crate::pointer;

/// Reads the document `folder/path`, and the files below `root` that its relative references lead to. These become plain pointers; a
/// reference without a file stays unchanged.
///
/// # Errors
///
/// A file is not UTF-8, YAML or JSON; with [`Reading::Strict`] also if it is ambiguous. A reference leads to a file that
/// is refused.
pub fn document(
    folder: &Path,
    path: &str,
    reading: Reading,
    root: &Root,
) -> Result<Source, DocumentError> {
    let (text, folder) = first(folder, path)?;
    bundled(path, text, reading, root, &|path| match &folder {
        Some(folder) => below(folder, root, path),
        None => Ok(None),
    })
}

/// Reads a document like `document`, but its first file is given; `path` is its name in messages. `fetch` returns the content of another
/// file, and `root` provides the advice for a refused one.
///
/// # Errors
///
/// Those of `document`.
pub fn bundled(
    path: &str,
    text: String,
    reading: Reading,
    root: &Root,
    fetch: &Fetch<'_>,
) -> Result<Source, DocumentError> {
    let first = Source::parse_as(path, text, reading)?;
    let mut bundle = Bundle {
        folder: first
            .path
            .rsplit_once('/')
            .map(|(folder, _)| folder.to_owned()),
        name: first.path.rsplit('/').next().unwrap_or_default().to_owned(),
        reading,
        fetch,
        root,
        size: 0,
        files: BTreeMap::new(),
        missing: BTreeSet::new(),
        waiting: Vec::new(),
        at: String::new(),
    };
    let mut source = first;
    let mut value = std::mem::take(&mut source.value);
    let rewritten = bundle.rewrite(&mut value, "", false);
    rewritten.map_err(|failed| failed.in_file(&source))?;
    let mut others = BTreeMap::new();
    while let Some(path) = bundle.waiting.pop() {
        let Some(file) = bundle.files.get_mut(&path) else {
            continue;
        };
        let mut value = std::mem::take(&mut file.value);
        bundle.at.clear();
        if let Err(failed) = bundle.rewrite(&mut value, &path, false) {
            return Err(failed.in_file(bundle.files.get(&path).unwrap_or(&source)));
        }
        others.insert(path, value);
    }
    if let Value::Object(map) = &mut value
        && !others.is_empty()
    {
        let others: Map<String, Value> = others.into_iter().collect();
        map.insert(BUNDLED.to_owned(), Value::Object(others));
    }
    source.value = value;
    for (path, file) in bundle.files {
        source.warnings.extend(file.warnings.iter().cloned());
        source.add_file(&pointer::join(&pointer::join("", BUNDLED), &path), file);
    }
    Ok(source)
}

struct Bundle<'f> {
    /// Folder of the first file, as in messages.
    folder: Option<String>,
    /// First file, relative to its folder.
    name: String,
    reading: Reading,
    fetch: &'f Fetch<'f>,
    root: &'f Root,
    /// Bytes of all other files.
    size: u64,
    files: BTreeMap<String, Source>,
    missing: BTreeSet<String>,
    waiting: Vec<String>,
    /// Pointer of the rewritten value, in its file.
    at: String,
}

/// The reason why the other files of a document are not read.
enum Failed {
    /// A file is invalid.
    File(DocumentError),
    /// The reference at this pointer leads to a refused file.
    Reference {
        at: String,
        message: String,
        help: &'static str,
    },
}

impl Failed {
    /// Returns the error to report, for a reference in this file.
    fn in_file(self, file: &Source) -> DocumentError {
        match self {
            Self::File(stop) => stop,
            Self::Reference { at, message, help } => {
                DocumentError::Unreadable(vec![file.finding("refused-file", at, message, help)])
            }
        }
    }
}

impl Bundle<'_> {
    /// Rewrites the references of a file. If `names`, the keys of this map are names.
    fn rewrite(&mut self, value: &mut Value, file: &str, names: bool) -> Result<(), Failed> {
        let above = self.at.len();
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.at.push_str(&format!("/{index}"));
                    self.rewrite(item, file, false)?;
                    self.at.truncate(above);
                }
            }
            Value::Object(map) => {
                for (key, value) in map.iter_mut() {
                    let key = key.as_str();
                    pointer::push(&mut self.at, key);
                    // A named value is never a string, so a string here is a reference, even in a map of names.
                    if let ("$ref" | "operationRef", Value::String(reference)) = (key, &mut *value)
                    {
                        if let Some(plain) = self.plain(reference, file)? {
                            *reference = plain;
                        }
                    } else if names {
                        self.rewrite(value, file, false)?;
                    } else if key == "mapping" {
                        self.mapping(value, file)?;
                    } else if !is_data(key) {
                        self.rewrite(value, file, is_map_of_names(key))?;
                    }
                    self.at.truncate(above);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Rewrites the targets of a discriminator. A bare name refers to a component.
    fn mapping(&mut self, value: &mut Value, file: &str) -> Result<(), Failed> {
        let above = self.at.len();
        for (tag, target) in value.as_object_mut().into_iter().flatten() {
            pointer::push(&mut self.at, tag);
            if let Value::String(reference) = target
                && reference.contains(['#', '/', '.'])
                && let Some(plain) = self.plain(reference, file)?
            {
                *reference = plain;
            }
            self.at.truncate(above);
        }
        Ok(())
    }

    /// Rewrites a reference in a file as one within the bundled document; `None` if it stays unchanged.
    fn plain(&mut self, reference: &str, file: &str) -> Result<Option<String>, Failed> {
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let target = if path.is_empty() {
            file.to_owned()
        } else if path.contains(':') || path.starts_with('/') {
            // A URL, or an absolute path.
            return Ok(None);
        } else {
            joined(file, &pointer::percent_decoded(path))
        };
        let is_there = self.load(&target, reference)?;
        // An anchor is looked up by name, in any file.
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return Ok(Some(format!("#{fragment}")));
        }
        if target.is_empty() || target == self.name {
            return Ok(Some(format!("#{fragment}")));
        }
        if !is_there {
            return Ok(None);
        }
        let at = pointer::join(&pointer::join("", BUNDLED), &target);
        Ok(Some(format!("#{at}{fragment}")))
    }

    /// Reads the file that a reference leads to, once. Returns whether it exists.
    fn load(&mut self, path: &str, reference: &str) -> Result<bool, Failed> {
        if path.is_empty() || path == self.name || self.files.contains_key(path) {
            return Ok(true);
        }
        if self.missing.contains(path) {
            return Ok(false);
        }
        let fetched = (self.fetch)(path).and_then(|text| {
            self.size += text.as_ref().map_or(0, |text| text.len() as u64);
            if self.size > LARGEST_SUM {
                Err(Refused::because(
                    path,
                    format!(
                        "would exceed the {} MiB for all files together",
                        LARGEST_SUM >> 20
                    ),
                ))
            } else {
                Ok(text)
            }
        });
        let text = match fetched {
            Ok(Some(text)) => text,
            Ok(None) => {
                self.missing.insert(path.to_owned());
                return Ok(false);
            }
            Err(refused) => return Err(self.refused(refused, reference)),
        };
        let shown = match &self.folder {
            Some(folder) => format!("{folder}/{path}"),
            None => path.to_owned(),
        };
        let source = Source::parse_as(&shown, text, self.reading).map_err(Failed::File)?;
        self.files.insert(path.to_owned(), source);
        self.waiting.push(path.to_owned());
        Ok(true)
    }

    /// Returns the error for a refused file and the reference to it.
    fn refused(&self, refused: Refused, reference: &str) -> Failed {
        let Refused { file, reason, .. } = refused;
        Failed::Reference {
            at: self.at.clone(),
            message: format!("`{reference}` leads to {file}, which {reason}"),
            help: if refused.is_outside {
                self.root.help()
            } else {
                "refer to a smaller regular file, or bundle the document into one file"
            },
        }
    }
}

/// Resolves a path in a file relative to the folder of the first file, without `..`.
pub fn joined(file: &str, path: &str) -> String {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut steps: Vec<&str> = Vec::new();
    for step in folder.split('/').chain(path.split('/')) {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

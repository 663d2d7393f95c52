//! Documents of several files: what a relative `$ref` names is read too, and stands below one key of the first file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value};

use super::input::{Reading, Source, text};
use super::references::{BUNDLED, is_data, is_map_of_names};
use crate::finding::Stop;
use crate::pointer;

/// Reads the document `root/path`, and the files that it leads to by relative references. These become plain pointers; a reference that
/// names no file stays as it is.
///
/// # Errors
///
/// A file that is not UTF-8 text, YAML or JSON; with [`Reading::Strict`] also one that could mean two things.
pub fn document(root: &Path, path: &str, reading: Reading) -> Result<Source, Stop> {
    let first = Source::parse_as(path, text(root, path)?, reading)?;
    let file = root.join(path);
    let folder = file.parent().unwrap_or(Path::new(""));
    bundle(first, reading, &|path| text(folder, path).ok())
}

/// Reads a document whose first file is here already, as `document` does; `path` is what messages call it. `fetch` returns the text of another
/// file by its path from the folder of the first, or `None` where there is none.
///
/// # Errors
///
/// A text that is no YAML or JSON; with [`Reading::Strict`] also one that could mean two things.
pub fn bundled(
    path: &str,
    text: String,
    reading: Reading,
    fetch: &dyn Fn(&str) -> Option<String>,
) -> Result<Source, Stop> {
    bundle(Source::parse_as(path, text, reading)?, reading, fetch)
}

/// Reads one file by its path from the folder of the first; `None` when there is none.
type Fetch<'f> = dyn Fn(&str) -> Option<String> + 'f;

/// Reads the other files of a document.
fn bundle(first: Source, reading: Reading, fetch: &Fetch<'_>) -> Result<Source, Stop> {
    let mut bundle = Bundle {
        folder: first
            .path
            .rsplit_once('/')
            .map(|(folder, _)| folder.to_owned()),
        name: first.path.rsplit('/').next().unwrap_or_default().to_owned(),
        reading,
        fetch,
        files: BTreeMap::new(),
        missing: BTreeSet::new(),
        waiting: Vec::new(),
    };
    let mut source = first;
    let mut value = std::mem::take(&mut source.value);
    bundle.rewrite(&mut value, "", false)?;
    let mut others = BTreeMap::new();
    while let Some(path) = bundle.waiting.pop() {
        let Some(file) = bundle.files.get_mut(&path) else {
            continue;
        };
        let mut value = std::mem::take(&mut file.value);
        bundle.rewrite(&mut value, &path, false)?;
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
    /// The folder of the first file, as messages call it.
    folder: Option<String>,
    /// The first file, from its folder.
    name: String,
    reading: Reading,
    fetch: &'f Fetch<'f>,
    files: BTreeMap<String, Source>,
    missing: BTreeSet<String>,
    waiting: Vec<String>,
}

impl Bundle<'_> {
    /// Rewrites the references of a file. `names` says that the keys of this map are names.
    fn rewrite(&mut self, value: &mut Value, file: &str, names: bool) -> Result<(), Stop> {
        match value {
            Value::Array(items) => {
                for item in items {
                    self.rewrite(item, file, false)?;
                }
            }
            Value::Object(map) => {
                for (key, value) in map.iter_mut() {
                    let key = key.as_str();
                    // What has a name is never a text: this is a reference in place of all of them.
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
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Rewrites the targets of a discriminator. A bare name is that of a component.
    fn mapping(&mut self, value: &mut Value, file: &str) -> Result<(), Stop> {
        for (_, target) in value.as_object_mut().into_iter().flatten() {
            if let Value::String(reference) = target
                && reference.contains(['#', '/', '.'])
                && let Some(plain) = self.plain(reference, file)?
            {
                *reference = plain;
            }
        }
        Ok(())
    }

    /// A reference in a file as one within the bundled document; `None` when it stays as it is.
    fn plain(&mut self, reference: &str, file: &str) -> Result<Option<String>, Stop> {
        let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let target = if path.is_empty() {
            file.to_owned()
        } else if path.contains(':') || path.starts_with('/') {
            // A URL, or a place of one machine only.
            return Ok(None);
        } else {
            joined(file, path)
        };
        // An anchor is looked up by its name, in whatever file.
        if !fragment.is_empty() && !fragment.starts_with('/') {
            self.load(&target)?;
            return Ok(Some(format!("#{fragment}")));
        }
        if target.is_empty() || target == self.name {
            return Ok(Some(format!("#{fragment}")));
        }
        if !self.load(&target)? {
            return Ok(None);
        }
        let at = pointer::join(&pointer::join("", BUNDLED), &target);
        Ok(Some(format!("#{at}{fragment}")))
    }

    /// Reads a file, once. Returns whether it is there.
    fn load(&mut self, path: &str) -> Result<bool, Stop> {
        if path.is_empty() || path == self.name || self.files.contains_key(path) {
            return Ok(true);
        }
        if self.missing.contains(path) {
            return Ok(false);
        }
        let text = match (self.fetch)(path) {
            Some(text) => text,
            None => {
                self.missing.insert(path.to_owned());
                return Ok(false);
            }
        };
        let shown = match &self.folder {
            Some(folder) => format!("{folder}/{path}"),
            None => path.to_owned(),
        };
        let source = Source::parse_as(&shown, text, self.reading)?;
        self.files.insert(path.to_owned(), source);
        self.waiting.push(path.to_owned());
        Ok(true)
    }
}

/// A path in a file as one from the folder of the first file, without steps that lead back.
pub fn joined(file: &str, path: &str) -> String {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let decoded = path.replace("%20", " ");
    let mut steps: Vec<&str> = Vec::new();
    for step in folder.split('/').chain(decoded.split('/')) {
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

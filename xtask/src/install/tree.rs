//! A generated tree beside the folder that it belongs in: how they differ, and the changes that make the folder the tree. Writes nothing.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use super::Changes;
use crate::emit::{FileTree, is_ours};

/// What a file on disk is, compared with the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// As it should be.
    Fresh,
    /// Different.
    Stale,
    /// Not there.
    Missing,
    /// There, ours, and not in the tree.
    Stray,
    /// There, not in the tree, and without our header: never touched.
    Foreign,
}

/// Compares a tree with a folder; every file of either is in the result.
pub fn compare(tree: &FileTree, folder: &Path) -> Result<BTreeMap<String, State>> {
    let mut states = BTreeMap::new();
    for (path, content) in tree.iter() {
        let state = match std::fs::read(folder.join(path)) {
            Ok(bytes) if bytes == content.as_bytes() => State::Fresh,
            Ok(_) => State::Stale,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => State::Missing,
            Err(error) => {
                return Err(error)
                    .with_context(|| format!("reading {}", folder.join(path).display()));
            }
        };
        states.insert(path.to_owned(), state);
    }
    for path in files_below(folder, "")? {
        if tree.get(&path).is_none() {
            let content = std::fs::read(folder.join(&path))
                .with_context(|| format!("reading {}", folder.join(&path).display()))?;
            let state = if is_ours(&content) {
                State::Stray
            } else {
                State::Foreign
            };
            states.insert(path, state);
        }
    }
    Ok(states)
}

/// The changes that bring a folder of the workspace to the state of the tree. Deletions come last, so that cargo can load the workspace at
/// every moment.
pub fn changes(tree: &FileTree, states: &BTreeMap<String, State>, folder: &str) -> Changes {
    let (mut changes, mut deletions) = (Changes::new(), Changes::new());
    for (path, state) in states {
        let there = format!("{folder}/{path}");
        match state {
            State::Fresh | State::Foreign => {}
            State::Stale | State::Missing => {
                changes.push((there, tree.get(path).map(str::to_owned)));
            }
            State::Stray => deletions.push((there, None)),
        }
    }
    changes.append(&mut deletions);
    changes
}

/// All files below a folder, relative to it, with forward slashes. Cargo's own `target` does not count.
fn files_below(folder: &Path, prefix: &str) -> Result<Vec<String>> {
    let here = folder.join(prefix);
    let entries = match std::fs::read_dir(&here) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error).with_context(|| format!("listing {}", here.display())),
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("listing {}", here.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if prefix.is_empty() {
            name.clone()
        } else {
            format!("{prefix}/{name}")
        };
        let kind = entry
            .file_type()
            .with_context(|| format!("looking at {}", entry.path().display()))?;
        if kind.is_dir() {
            if !(prefix.is_empty() && name == "target") {
                files.extend(files_below(folder, &path)?);
            }
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

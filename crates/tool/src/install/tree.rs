//! Compares a generated tree with its folder, and returns the changes that make them equal. Writes nothing.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use client_generator::emit::{FileTree, is_ours};
use openapi_document::source;

use super::{Changes, STAGING};

/// The state of a file on disk, compared with the tree.
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
        let state = match source::bytes(&folder.join(path)) {
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
            let content = source::bytes(&folder.join(&path))
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

/// The files in the folder that a tree would replace although this tool did not write them.
pub fn in_the_way(tree: &FileTree, folder: &Path) -> Vec<String> {
    tree.iter()
        .filter(|(path, _)| {
            source::bytes(&folder.join(path)).is_ok_and(|content| !is_ours(&content))
        })
        .map(|(path, _)| path.to_owned())
        .collect()
}

/// Returns the changes that bring a folder of the workspace to the state of the tree; an empty `folder` is the root. Deletions come last,
/// so that cargo can load the workspace at every moment.
pub fn changes(tree: &FileTree, states: &BTreeMap<String, State>, folder: &str) -> Changes {
    let (mut changes, mut deletions) = (Changes::new(), Changes::new());
    for (path, state) in states {
        let there = match folder {
            "" => path.clone(),
            folder => format!("{folder}/{path}"),
        };
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

/// Cargo's folder in a standalone crate.
const TARGET: &str = "target";
/// Git's folder in a crate that is a repository.
const GIT: &str = ".git";
/// How the names of files begin that every crate may have beside what is generated.
const BESIDE: [&str; 4] = [".gitignore", "CHANGELOG.md", "Cargo.lock", "LICENSE"];

/// All files below a folder, relative to it, with forward slashes, except those of `BESIDE`, those in the folders of git, cargo and `change`, and
/// those of another crate.
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
        if kind.is_symlink() {
            // A person's: what is generated is a file.
            continue;
        }
        if kind.is_dir() {
            let is_beside = prefix.is_empty() && [GIT, TARGET, STAGING].contains(&name.as_str());
            let is_crate = folder.join(&path).join("Cargo.toml").exists();
            if !is_beside && !is_crate {
                files.extend(files_below(folder, &path)?);
            }
        } else if !(prefix.is_empty() && BESIDE.iter().any(|one| name.starts_with(one))) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

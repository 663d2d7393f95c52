//! A tree goes to disk so that cargo can load the workspace at every moment: staged beside the target, renamed file by file, deleted last.
//! An interrupted run is completed by the next.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

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

/// Brings a folder to the state of the tree, and tells what it found there before.
pub fn install(tree: &FileTree, folder: &Path) -> Result<BTreeMap<String, State>> {
    let states = compare(tree, folder)?;
    let staging = staging(folder)?;
    let changed: Vec<&String> = states
        .iter()
        .filter(|(_, state)| matches!(state, State::Stale | State::Missing))
        .map(|(path, _)| path)
        .collect();
    for path in &changed {
        let staged = staging.join(path);
        create_parent(&staged)?;
        let content = tree.get(path).unwrap_or_default();
        std::fs::write(&staged, content)
            .with_context(|| format!("writing {}", staged.display()))?;
    }
    for path in &changed {
        let target = folder.join(path);
        create_parent(&target)?;
        std::fs::rename(staging.join(path), &target)
            .with_context(|| format!("replacing {}", target.display()))?;
    }
    for (path, _) in states.iter().filter(|(_, state)| **state == State::Stray) {
        let target = folder.join(path);
        std::fs::remove_file(&target).with_context(|| format!("deleting {}", target.display()))?;
    }
    if staging.exists() {
        std::fs::remove_dir_all(&staging)
            .with_context(|| format!("deleting {}", staging.display()))?;
    }
    Ok(states)
}

/// Writes one file that belongs to a person, such as an override: whole, or not at all.
pub fn write_file(path: &Path, content: &str) -> Result<()> {
    create_parent(path)?;
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        bail!("{} is no file that can be written", path.display());
    };
    let staged = path.with_file_name(format!(".{name}.staging"));
    std::fs::write(&staged, content).with_context(|| format!("writing {}", staged.display()))?;
    std::fs::rename(&staged, path).with_context(|| format!("replacing {}", path.display()))
}

fn staging(folder: &Path) -> Result<PathBuf> {
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
        bail!("{} is no folder that can be written to", folder.display());
    };
    // Beside the target: a rename must not cross file systems.
    let staging = folder.with_file_name(format!(".{name}.staging"));
    if staging.exists() {
        std::fs::remove_dir_all(&staging)
            .with_context(|| format!("deleting {}", staging.display()))?;
    }
    Ok(staging)
}

pub(super) fn create_parent(path: &Path) -> Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)
            .with_context(|| format!("creating {}", parent.display()))?;
    }
    Ok(())
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

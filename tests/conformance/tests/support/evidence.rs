//! The evidence files of the overrides.

use std::path::{Path, PathBuf};

/// Returns the files, sorted.
pub(crate) fn evidence() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../overrides/evidence");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

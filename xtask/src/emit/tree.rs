//! The files of a crate by path, before they are on the disk.

use std::collections::BTreeMap;

use super::header::with_header;

/// Files by their path relative to the crate, sorted, each with its header.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTree {
    files: BTreeMap<String, String>,
}

impl FileTree {
    pub(super) fn insert(&mut self, path: &str, content: String) {
        self.files
            .insert(path.to_owned(), with_header(path, &content));
    }

    /// Paths and contents, by path.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .map(|(path, content)| (path.as_str(), content.as_str()))
    }

    /// The content of one file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }
}

//! The files of a crate by path, before they are on the disk.

use std::collections::BTreeMap;

use super::header::{mark, with_header};

/// Files by their path relative to the crate, sorted, each with its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTree {
    /// The header line of each file.
    mark: String,
    files: BTreeMap<String, String>,
}

impl FileTree {
    pub(super) fn new(command: &str) -> Self {
        Self {
            mark: mark(command),
            files: BTreeMap::new(),
        }
    }

    pub(super) fn insert(&mut self, path: &str, content: String) {
        let content = with_header(&self.mark, path, &content);
        self.files.insert(path.to_owned(), content);
    }

    /// Changes the content of each file.
    pub(super) fn map(&mut self, change: impl Fn(&str, &str) -> Option<String>) {
        for (path, content) in &mut self.files {
            if let Some(changed) = change(path, content) {
                *content = changed;
            }
        }
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

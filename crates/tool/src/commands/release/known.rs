//! A generated crate as far as callers know it: its code, its README and its document.

use std::collections::BTreeMap;

use client_generator::emit::{DOCUMENT, FileTree};
use openapi_document::finding::DocumentError;
use openapi_document::git::git;
use openapi_document::source::{self, Source};
use serde_json::Value;

use crate::layout::Layout;

/// A crate by its files, with the document that it was generated from.
pub(super) struct Known {
    pub(super) files: BTreeMap<String, String>,
    pub(super) document: Source,
}

impl Known {
    /// The crate that was generated just now.
    ///
    /// # Errors
    ///
    /// A document that is not YAML, which no generator writes.
    pub(super) fn generated(layout: &Layout, tree: &FileTree) -> Result<Self, DocumentError> {
        let files = tree.iter().filter(|(path, _)| is_read(path));
        Self::of(
            layout,
            files
                .map(|(path, text)| (path.to_owned(), text.to_owned()))
                .collect(),
        )
    }

    /// Reads the crate on disk.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub(super) fn committed(layout: &Layout) -> Result<Self, DocumentError> {
        let listed = git(
            &layout.root,
            &[
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
                "--",
                &layout.generated,
            ],
        );
        let listed = String::from_utf8_lossy(&listed.unwrap_or_default()).into_owned();
        let folder = format!("{}/", layout.generated);
        let files = listed.split('\0').filter_map(|path| {
            let inner = path.strip_prefix(&folder).filter(|path| is_read(path))?;
            let text = source::string(&layout.root.join(path)).ok()?;
            Some((inner.to_owned(), text))
        });
        Self::of(layout, files.collect())
    }

    fn of(layout: &Layout, files: BTreeMap<String, String>) -> Result<Self, DocumentError> {
        let text = files.get(DOCUMENT).cloned().unwrap_or_default();
        let document = Source::parse(&format!("{}/{DOCUMENT}", layout.generated), text)?;
        Ok(Self { files, document })
    }

    /// The version of the package.
    pub(super) fn version(&self) -> String {
        let version = self.document.value.pointer("/info/x-rust-package/version");
        version
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    }

    /// The version of the interface.
    pub(super) fn interface(&self) -> Option<&str> {
        self.document.value.pointer("/info/version")?.as_str()
    }
}

/// Returns whether a file determines the public items of a crate.
pub(super) fn is_read(path: &str) -> bool {
    path.ends_with(".rs") || path == DOCUMENT || path == "README.md"
}

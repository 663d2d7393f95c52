//! A crate that commands work on: where its files are, and how it is made.

use std::ops::Range;
use std::path::{Path, PathBuf};

use client_generator::emit::Packaging;
use client_generator::generate::Task;
use openapi_document::finding::DocumentError;
use openapi_document::source::Root;
use openapi_overrides::OverrideSet;
use serde_json::{Map, Value};

/// A crate that commands work on. Paths are relative to the root.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The folder of the file; empty without a file, and then paths start in the current folder.
    pub root: PathBuf,
    /// The published document.
    pub document: String,
    /// The folder that contains the other files of the document.
    pub files: Root,
    /// The overrides folder.
    pub overrides: String,
    /// Overlays of any tool, which apply before the overrides.
    pub overlays: Vec<String>,
    /// The folder of the generated crate.
    pub generated: String,
    /// The changelog of the generated crate.
    pub changelog: String,
    /// The lock file that has the version of the crate.
    pub lock: String,
    /// The command that writes the crate, and its runtime.
    pub packaging: Packaging,
    /// True if a warning stops, and a file in the folder of the crate that was not generated.
    pub strict: bool,
    /// Members of `x-rust-package` that override those of the document.
    pub package: Map<String, Value>,
    /// The name of the file in messages.
    pub package_file: String,
    /// The bytes of that file that are the version of the package, in quotes, if it has one.
    pub version: Option<Range<usize>>,
}

impl Layout {
    /// Returns the name of the crate; empty if only the document has it.
    pub fn name(&self) -> &str {
        self.package
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// Returns the input of the crate.
    pub fn task(&self) -> Task {
        Task {
            root: self.root.clone(),
            document: self.document.clone(),
            files: self.files.clone(),
            overrides: Some(self.overrides.clone()).filter(|folder| !folder.is_empty()),
            overlays: self.overlays.clone(),
            package: self.package.clone(),
            package_file: self.package_file.clone(),
            strict: self.strict,
            packaging: self.packaging.clone(),
        }
    }

    /// The overrides, with the Overlays around them.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that is no override.
    pub fn set(&self) -> Result<OverrideSet, DocumentError> {
        self.task().set()
    }
}

/// Returns a path with forward slashes.
pub(crate) fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

//! A crate that commands work on: where its files are, and how it is made.

use std::ops::Range;
use std::path::PathBuf;

use client_generator::emit::Packaging;
use client_generator::generate::Task;
use openapi_document::finding::Stop;
use openapi_document::source::Root;
use openapi_overrides::OverrideSet;
use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

/// A crate that commands work on. Paths are relative to the root.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The folder of the file that says all of this; empty where arguments do, and then paths start in the current folder.
    pub root: PathBuf,
    /// The published document.
    pub document: String,
    /// Where the document is published.
    pub address: Option<String>,
    /// Where the other files of the document may be.
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
    /// Whether a warning stops, and a file in the folder of the crate that was not generated.
    pub strict: bool,
    /// Members of `x-rust-package` that stand above those of the document.
    pub package: Map<String, Value>,
    /// The file that says all of this, as messages call it.
    pub said_in: String,
    /// The bytes of that file that are the version of the package, in quotes, if it has one.
    pub version: Option<Range<usize>>,
    /// What tags of its releases begin with, before the version.
    pub tag: String,
    /// Files that are named after an override and go with it, with `*` for its id.
    pub beside_overrides: Vec<String>,
    /// What a person has to read after an update.
    pub review: Option<Review>,
}

/// The files that a person has to read, and the tests that write what changed in them beside them, with `.new` at the end of its name.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Review {
    /// The folder that they are in, below that of the file.
    pub folder: Spanned<String>,
    /// The arguments of each `cargo test` that writes them.
    pub tests: Vec<String>,
}

impl Layout {
    /// The name of the crate; empty where only the document says it.
    pub fn name(&self) -> &str {
        self.package
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// What the crate is made from.
    pub fn task(&self) -> Task {
        Task {
            root: self.root.clone(),
            document: self.document.clone(),
            files: self.files.clone(),
            overrides: Some(self.overrides.clone()).filter(|folder| !folder.is_empty()),
            overlays: self.overlays.clone(),
            package: self.package.clone(),
            said_in: self.said_in.clone(),
            strict: self.strict,
            packaging: self.packaging.clone(),
        }
    }

    /// The overrides, with the Overlays around them.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that is no override.
    pub fn set(&self) -> Result<OverrideSet, Stop> {
        self.task().set()
    }
}

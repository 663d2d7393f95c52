//! Where things are in a workspace.

use std::path::{Path, PathBuf};

use client_generator::emit::Packaging;
use client_generator::generate::Task;
use openapi_document::source::Root;
use openapi_model::extensions::Types;

/// Cargo has one for all packages of a workspace.
const LOCK: &str = "Cargo.lock";

/// The files that every workspace has.
pub const MARKS: [&str; 2] = ["Cargo.toml", "spec/openapi.yaml"];

/// Where things are in a workspace.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The workspace.
    pub root: PathBuf,
    /// The published document, relative to the root.
    pub document: String,
    /// The overrides folder, relative to the root.
    pub overrides: String,
    /// The generated crate, relative to the root.
    pub generated: String,
    /// The changelog of the generated crate, relative to the root.
    pub changelog: String,
    /// The lock file of the workspace, relative to the root.
    pub lock: String,
}

impl Layout {
    /// The layout of a workspace at `root`.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            document: "spec/openapi.yaml".to_owned(),
            overrides: "overrides".to_owned(),
            generated: "generated".to_owned(),
            changelog: "CHANGELOG.md".to_owned(),
            lock: LOCK.to_owned(),
        }
    }

    /// The layout of the workspace that a folder is in: of the nearest one above it, as cargo looks for its own.
    pub fn around(folder: &Path) -> Option<Self> {
        let is_workspace = |root: &&Path| MARKS.iter().all(|mark| root.join(mark).is_file());
        folder.ancestors().find(is_workspace).map(Self::at)
    }

    /// What the crate of the workspace is made from.
    pub fn task(&self) -> Task {
        Task {
            root: self.root.clone(),
            document: self.document.clone(),
            files: Root::Own,
            overrides: Some(self.overrides.clone()),
            types: Types::default(),
            name: None,
            strict: true,
            packaging: Packaging::default(),
        }
    }

    /// The layout of a document that tests are written against. `folder`, relative to the root, has the document, its overrides if it has
    /// any, and the generated crate `client`.
    pub fn of_test_document(root: impl Into<PathBuf>, folder: &str) -> Self {
        Self {
            root: root.into(),
            document: format!("{folder}/openapi.yaml"),
            overrides: format!("{folder}/overrides"),
            generated: format!("{folder}/client"),
            changelog: format!("{folder}/CHANGELOG.md"),
            lock: LOCK.to_owned(),
        }
    }
}

//! The form of the file that lists the crates.

use std::collections::BTreeMap;

use client_generator::emit::Runtime;
use openapi_document::finding::DocumentError;
#[cfg(not(feature = "vendored"))]
use openapi_document::finding::Finding;
use serde::Deserialize;
use toml::Spanned;

/// The name of the file.
pub const FILE: &str = "openapi-crate.toml";

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct File {
    /// The command that the headers of files name.
    pub(super) command: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) crates: BTreeMap<Spanned<String>, Entry>,
}

/// A crate. Paths are relative to the folder of the file, and have forward slashes.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) document: Spanned<String>,
    /// The folder below which references to other files are followed, if not that of the document.
    pub(super) root: Option<String>,
    pub(super) overrides: Option<Spanned<String>>,
    #[serde(default)]
    pub(super) overlays: Vec<Spanned<String>>,
    pub(super) output: Spanned<String>,
    pub(super) changelog: Option<Spanned<String>>,
    pub(super) runtime: Option<Spanned<RuntimeEntry>>,
    #[serde(default)]
    pub(super) strict: bool,
    /// The members of `x-rust-package`.
    #[serde(default)]
    pub(super) package: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
}

/// The source of the emitted crate's runtime.
#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "`runtime` is \"registry\", \"vendored\", \"workspace\", { path = \"…\" } or { git = \"…\", tag = \"…\" }"
)]
pub(super) enum RuntimeEntry {
    Named(RuntimeName),
    #[serde(rename_all = "kebab-case")]
    Path {
        path: String,
    },
    Git {
        git: String,
        tag: String,
    },
}

/// The source of the emitted crate's runtime, as one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum RuntimeName {
    /// The registry, by version.
    Registry,
    /// From the crate itself: its sources are written into the output.
    #[default]
    Vendored,
    /// The workspace that the crate is a member of, which also provides edition, licence and lints.
    Workspace,
}

impl Default for RuntimeEntry {
    fn default() -> Self {
        Self::Named(RuntimeName::default())
    }
}

impl RuntimeName {
    /// The runtime as the generator takes it.
    ///
    /// # Errors
    ///
    /// The sources of the runtime, in a program that was built without them.
    pub fn runtime(self) -> Result<Runtime, DocumentError> {
        match self {
            Self::Registry => Ok(Runtime::Version),
            Self::Workspace => Ok(Runtime::Workspace),
            Self::Vendored => vendored(),
        }
    }
}

/// The sources of the runtime that this program was built with.
fn vendored() -> Result<Runtime, DocumentError> {
    #[cfg(feature = "vendored")]
    return Ok(Runtime::Vendored(openapi_runtime_sources::SOURCES));
    #[cfg(not(feature = "vendored"))]
    Err(DocumentError::Unreadable(vec![Finding::about(
        "no-runtime",
        FILE,
        "this program was built without the sources of the runtime",
        "build it with the feature `vendored`, or choose another runtime",
    )]))
}

//! The commands as tests call them: on their folders, with the layout of this repository.

use std::io::Write;
use std::path::{Path, PathBuf};

use annotate_snippets::Renderer;
use client_generator::emit::{FileTree, Packaging, emit};
use client_generator::generate::{Layout, code};
use openapi_crate::arguments::Made;
use openapi_crate::commands::generate;
use openapi_crate::config::{Config, RuntimeName};
use openapi_crate::described;
use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, ReconciledDocument, reconcile};
use serde_json::Map;

use super::Workspace;

/// The configuration file of this repository.
const FILE: &str = include_str!("../../../../../openapi-crate.toml");

/// Returns the layout of this repository in another folder. The package's name is only in its document.
pub(crate) fn layout(root: impl AsRef<Path>) -> Layout {
    // Not every folder has overrides.
    let text = FILE.replace("overrides = \"overrides\"\n", "");
    let config = Config::parse(root.as_ref(), openapi_crate::config::FILE, &text).unwrap();
    Layout {
        package: Map::new(),
        ..config.one(&[]).unwrap()
    }
}

/// Generates the crate of a layout, or compares it.
pub(crate) fn regen(layout: &Layout, check: bool, out: &mut dyn Write) -> anyhow::Result<bool> {
    let options = generate::Options {
        check,
        verbose: true,
    };
    let report = generate::generate(layout, options, &Renderer::plain(), out, &mut Vec::new())?;
    Ok(report.fresh)
}

/// Options for a crate without a configuration file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) document: String,
    pub(crate) root: Option<PathBuf>,
    pub(crate) output: PathBuf,
    pub(crate) name: Option<String>,
    pub(crate) runtime: Option<PathBuf>,
    pub(crate) strict: bool,
    pub(crate) verbose: bool,
}

impl Options {
    /// Returns the options for a document of a workspace, whose crate is written to a folder there.
    pub(crate) fn of(workspace: &Workspace, document: &str, output: &str) -> Self {
        let path = |name: &str| workspace.root().join(name);
        Self {
            document: path(document).to_string_lossy().into_owned(),
            output: path(output),
            ..Self::default()
        }
    }
}

/// Generates such a crate; returns the result, standard output and standard error.
pub(crate) fn run(options: &Options) -> (anyhow::Result<()>, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let result = generate(options, &mut out, &mut err);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (result, text(out), text(err))
}

/// Generates such a crate; returns what is said of its document, or why it is refused.
pub(crate) fn warned(options: &Options) -> Result<String, DocumentError> {
    let (result, _, shown) = run(options);
    result.map_err(|error| error.downcast().unwrap())?;
    Ok(shown)
}

fn generate(options: &Options, out: &mut dyn Write, err: &mut dyn Write) -> anyhow::Result<()> {
    let all = options.clone();
    let made = Made {
        root: all.root,
        output: Some(all.output),
        name: all.name,
        runtime: Some(RuntimeName::Registry),
        runtime_path: all.runtime,
        strict: all.strict,
        verbose: all.verbose,
        ..Made::default()
    };
    let how = generate::Options {
        check: false,
        verbose: all.verbose,
    };
    generate::generate(
        &described(all.document, &made)?,
        how,
        &Renderer::plain(),
        out,
        err,
    )?;
    Ok(())
}

/// Returns the files of a document without overrides.
pub(crate) fn tree_of(document: &str) -> FileTree {
    let published = Source::parse("openapi.yaml", document.to_owned()).unwrap();
    let overrides = OverrideSet::default();
    let reconciled = reconcile(&published, &overrides).unwrap();
    tree(&reconciled).unwrap()
}

/// Returns the files of a reconciled document.
pub(crate) fn tree(reconciled: &ReconciledDocument) -> Result<FileTree, DocumentError> {
    let code = code(&reconciled.source, &reconciled.report)?;
    emit(reconciled, &code, &Packaging::default())
}

//! The pipeline, as the picture in ARCHITECTURE.md has it, one line a step.
//! Loads the document and the overrides; from there on nothing touches the disk, and the same inputs give the same bytes.

use crate::emit::{self, Code, FileTree};
use crate::finding::Stop;
use crate::layout::Layout;
use crate::overrides::{self, OverrideReport, OverrideSet, ReconciledDocument, reconcile};
use crate::source::Source;
use crate::{lint, openapi, operations, types};

/// Everything that one run makes, before anything of it is on the disk.
pub struct Generated {
    /// The published document.
    pub published: Source,
    /// What is known better than it.
    pub overrides: OverrideSet,
    /// The document after all overrides.
    pub reconciled: ReconciledDocument,
    /// The files of the crate.
    pub tree: FileTree,
}

/// Loads the inputs and generates in memory.
///
/// # Errors
///
/// An input that cannot be read, or the findings of the first step that has any.
pub fn generate(layout: &Layout) -> Result<Generated, Stop> {
    let published = Source::read(&layout.root, &layout.document)?;
    let overrides = OverrideSet::load(&layout.root, &layout.overrides)?;
    let reconciled = reconcile(&published, &overrides)?;
    let tree =
        tree(&published, &overrides, &reconciled).map_err(|stop| reconciled.attribute(stop))?;
    // Last: what an override owes to people is worth reading once the document is in order.
    Stop::unless_empty(overrides::lint(&overrides))?;
    Ok(Generated {
        published,
        overrides,
        reconciled,
        tree,
    })
}

/// Generates the files of a reconciled document. The inputs are for the list of them.
pub fn tree(
    published: &Source,
    overrides: &OverrideSet,
    reconciled: &ReconciledDocument,
) -> Result<FileTree, Stop> {
    let code = code(&reconciled.source, &reconciled.report)?;
    emit::emit(published, overrides, reconciled, &code)
}

/// Generates the Rust of a document, one step short of files. `report` lists the overrides that changed the document, for documentation.
pub fn code(document: &Source, report: &OverrideReport) -> Result<Code, Stop> {
    lint::document(document)?;
    let model = openapi::read(document)?;
    lint::model(document, &model)?;
    let types = types::types(document, &model, report)?;
    let operations = operations::operations(&model, report)?;
    let client = operations::client(&model, report)?;
    let shapes = operations::shapes(&model)?;
    Ok(Code {
        model,
        types,
        operations,
        client,
        shapes,
    })
}

//! The pipeline, as the picture in ARCHITECTURE.md has it, one line a step.
//! Loads the document and the overrides; from there on nothing touches the disk, and the same inputs give the same bytes.

use std::path::PathBuf;

use openapi_document::finding::{Finding, Stop};
use openapi_document::source::{self, Reading, Root, Source};
use openapi_model::Model;
use openapi_overrides::{OverrideReport, OverrideSet, ReconciledDocument, reconcile};
use openapi_schemas::Normal;

use crate::emit::{self, Code, FileTree, Packaging};
use crate::lint;
use crate::operations;
use crate::types;

/// Bytes of the stack on which code is generated. A document may be as deep as the lint of size allows, and the engine goes down it by
/// recursion.
const STACK: usize = 256 << 20;

/// What one run makes a crate from.
#[derive(Clone, Debug)]
pub struct Task {
    /// The folder that the other paths start from.
    pub root: PathBuf,
    /// The published document.
    pub document: String,
    /// Where the other files of the document may be.
    pub files: Root,
    /// The overrides folder; `None` when there are no overrides.
    pub overrides: Option<String>,
    /// The name of the package, if it is not the document's or that of its title.
    pub name: Option<String>,
    /// What else the files depend on.
    pub packaging: Packaging,
}

impl Task {
    /// What is released is made from a document that has one meaning.
    fn reading(&self) -> Reading {
        match self.packaging {
            Packaging::Workspace => Reading::Strict,
            Packaging::Standalone(_) => Reading::Tolerant,
        }
    }
}

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
    /// The name of the package.
    pub package: String,
    /// How many operations the crate has.
    pub operations: usize,
    /// How many operations of the document the crate does not have.
    pub left_out: usize,
    /// What the crate leaves out of the document, or types less than it. A strict command makes errors of them.
    pub warnings: Vec<Finding>,
}

impl Generated {
    /// Makes errors of the warnings: what is left out, or less typed than the document, has to be looked at first.
    ///
    /// # Errors
    ///
    /// The warnings, if there are any.
    pub fn strict(&self) -> Result<(), Stop> {
        strict(&self.warnings)
    }
}

fn strict(warnings: &[Finding]) -> Result<(), Stop> {
    Stop::unless_empty(warnings.iter().cloned().map(Finding::error).collect())
}

/// Loads the inputs and generates in memory.
///
/// # Errors
///
/// An input that cannot be read, or the findings of the first step that has any.
pub fn generate(task: &Task) -> Result<Generated, Stop> {
    let made = in_memory(task);
    match task.reading() {
        Reading::Strict => made.map_err(|stop| stop.map(Finding::error)),
        Reading::Tolerant => made,
    }
}

fn in_memory(task: &Task) -> Result<Generated, Stop> {
    let published = source::document(&task.root, &task.document, task.reading(), &task.files)?;
    let overrides = match &task.overrides {
        Some(folder) => OverrideSet::load(&task.root, folder)?,
        None => OverrideSet::default(),
    };
    let reconciled = reconcile(&published, &overrides)?;
    let code = named_code(&reconciled.source, &reconciled.report, task.name.as_deref())
        .map_err(|stop| reconciled.attribute(stop.after(&published.warnings)))?;
    let all = published.warnings.iter().chain(&code.warnings);
    let warnings: Vec<Finding> = all.cloned().map(|one| reconciled.attributed(one)).collect();
    if task.reading() == Reading::Strict {
        strict(&warnings)?;
    }
    let tree = emit::emit(&published, &overrides, &reconciled, &code, &task.packaging)?;
    // Last: what an override owes to people is worth reading once the document is in order.
    let mut owed = openapi_overrides::lint(&overrides);
    owed.extend(openapi_overrides::shown(
        &published,
        &reconciled.source,
        &overrides,
    ));
    owed.extend(openapi_overrides::required(&reconciled.source, &overrides));
    Stop::unless_empty(owed)?;
    Ok(Generated {
        published,
        overrides,
        package: code.model.package.name,
        operations: code.model.operations.len(),
        left_out: code.model.left_out.len(),
        warnings,
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
    emitted(published, overrides, reconciled, &code)
}

/// The same where a warning is an error.
pub fn strict_tree(
    published: &Source,
    overrides: &OverrideSet,
    reconciled: &ReconciledDocument,
) -> Result<FileTree, Stop> {
    let code = code(&reconciled.source, &reconciled.report)?;
    strict(&code.warnings)?;
    emitted(published, overrides, reconciled, &code)
}

fn emitted(
    published: &Source,
    overrides: &OverrideSet,
    reconciled: &ReconciledDocument,
    code: &Code,
) -> Result<FileTree, Stop> {
    emit::emit(
        published,
        overrides,
        reconciled,
        code,
        &Packaging::Workspace,
    )
}

/// Generates the Rust of a document, one step short of files. `report` lists the overrides that changed the document, for documentation.
pub fn code(document: &Source, report: &OverrideReport) -> Result<Code, Stop> {
    named_code(document, report, None)
}

/// The same with another name of the package.
fn named_code(
    document: &Source,
    report: &OverrideReport,
    name: Option<&str>,
) -> Result<Code, Stop> {
    read_as(document, name)?.code(report)
}

/// A document, read and checked, from which Rust can be generated.
pub struct Read {
    /// The document in the one vocabulary.
    document: Source,
    /// What the emitters read.
    pub model: Model,
    /// What may have led to what stops the command later.
    warnings: Vec<Finding>,
}

/// Reads and checks a document.
pub fn read(document: &Source) -> Result<Read, Stop> {
    read_as(document, None)
}

fn read_as(document: &Source, name: Option<&str>) -> Result<Read, Stop> {
    let mut normal = openapi_schemas::normal(document)?;
    let mut warnings = stacker::grow(STACK, || lint::form(document, normal.version));
    warnings.append(&mut normal.warnings);
    // What stops the command stands below what may have led to it.
    let model =
        stacker::grow(STACK, || model(&normal, name)).map_err(|stop| stop.after(&warnings))?;
    Ok(Read {
        document: normal.source,
        model,
        warnings,
    })
}

/// Reads the model of a document in the one vocabulary.
fn model(normal: &Normal, name: Option<&str>) -> Result<Model, Stop> {
    let document = &normal.source;
    lint::document(document)?;
    let mut model = openapi_model::read(document)?;
    model.left_out.splice(..0, normal.left_out.iter().cloned());
    if let Some(name) = name {
        model.package.rename(name);
    }
    lint::model(document, &model)?;
    Ok(model)
}

impl Read {
    /// Generates the Rust.
    fn code(self, report: &OverrideReport) -> Result<Code, Stop> {
        let mut made = of_model(&self.document, self.model, report)
            .map_err(|stop| stop.after(&self.warnings))?;
        made.warnings.splice(..0, self.warnings);
        Ok(made)
    }

    /// Generates the Rust of a part of the model.
    pub(crate) fn part(&self, model: Model, report: &OverrideReport) -> Result<Code, Stop> {
        of_model(&self.document, model, report).map_err(|stop| stop.after(&self.warnings))
    }
}

/// Generates the Rust of what a document was read as.
fn of_model(document: &Source, mut model: Model, report: &OverrideReport) -> Result<Code, Stop> {
    stacker::grow(STACK, || {
        let types = types::types(document, &model, report)?;
        let operations = operations::operations(&model, report)?;
        let client = operations::client(&model, report)?;
        let commands = operations::commands(&model)?;
        let shapes = operations::shapes(&model)?;
        Ok(Code {
            warnings: std::mem::take(&mut model.warnings),
            model,
            types,
            operations,
            client,
            commands,
            shapes,
        })
    })
}

//! The pipeline, as the picture in ARCHITECTURE.md has it, one line a step.
//! Loads the document and the overrides; from there on nothing touches the disk, and the same inputs give the same bytes.

use std::collections::BTreeSet;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_model::Model;
use openapi_overrides::{OverrideReport, OverrideSet, ReconciledDocument, reconcile};
use openapi_schemas::Normal;
use serde_json::Value;

use crate::emit::{self, Calls, Code, FileTree, Packaging};
pub use crate::task::{Generated, Layout, strict};
use crate::task::{with_severity, without_overrides};
use crate::{lint, operations, types};

/// Bytes of the stack on which code is generated. Steps recurse into a document, which may be as deep as the lint of
/// size allows.
const STACK: usize = 256 << 20;

/// Loads the inputs and generates in memory.
///
/// # Errors
///
/// An input that cannot be read, or the findings of the first step that has any.
pub fn generate(layout: &Layout) -> Result<Generated, DocumentError> {
    let made = in_memory(layout).map_err(|stop| {
        if layout.strict {
            stop.map(Finding::error)
        } else {
            stop
        }
    });
    if !layout.overrides.is_empty() {
        return made;
    }
    let mut made = made.map_err(|stop| stop.map(without_overrides))?;
    made.warnings = made.warnings.into_iter().map(without_overrides).collect();
    Ok(made)
}

fn in_memory(layout: &Layout) -> Result<Generated, DocumentError> {
    let (published, overrides) = layout.load()?;
    let reconciled = reconcile(&published, &overrides)?;
    let code = read(&reconciled.source)
        .and_then(|read| read.code(&reconciled.report))
        .map_err(|stop| reconciled.attribute(stop.after(&published.warnings)))?;
    let all = published.warnings.iter().chain(&code.warnings);
    let all = all.chain(reconciled.report.dead_targets());
    let warnings: Vec<Finding> = { all.cloned().map(with_severity) }
        .map(|one| reconciled.attributed(one))
        .collect();
    if layout.strict {
        strict(&warnings)?;
    }
    let tree = files(
        &published,
        &overrides,
        &reconciled,
        &code,
        &layout.packaging,
    )?;
    Ok(Generated {
        package: code.model.package.name,
        operations: code.model.operations.len(),
        left_out: code.model.left_out.len(),
        detections: code.model.detections.clone(),
        warnings,
        reconciled,
        tree,
    })
}

/// Loads the inputs, and writes the calls of the client that [`generate`] makes of them.
///
/// # Errors
///
/// Those of [`generate`], up to the types.
pub fn calls(layout: &Layout) -> Result<Calls, DocumentError> {
    let (published, overrides) = layout.load()?;
    let reconciled = reconcile(&published, &overrides)?;
    let read = read(&reconciled.source)?;
    stacker::grow(STACK, || Calls::of(&read.model))
}

/// Loads the inputs, and returns the reconciled document with the paging of its lists, for a service.
///
/// # Errors
///
/// Those of [`generate`], up to the types.
pub fn served(layout: &Layout) -> Result<Value, DocumentError> {
    let (published, overrides) = layout.load()?;
    let mut reconciled = reconcile(&published, &overrides)?;
    let read = read(&reconciled.source)?;
    operations::with_statements(&read.model, &mut reconciled.source.value);
    Ok(reconciled.source.value)
}

/// A document, read and checked, from which Rust can be generated.
pub struct Read {
    /// The document in the one vocabulary.
    document: Source,
    /// The input of the emitters.
    pub model: Model,
    /// Warnings that may explain an error of a later step.
    warnings: Vec<Finding>,
}

/// Reads and checks a document.
pub fn read(document: &Source) -> Result<Read, DocumentError> {
    let mut normal = openapi_schemas::normal(document)?;
    openapi_model::with_any_webhook(&mut normal.source);
    let mut warnings = stacker::grow(STACK, || lint::form(document));
    warnings.append(&mut normal.warnings);
    // An error is shown below the warnings that may explain it.
    let model = stacker::grow(STACK, || model(&normal, document));
    let mut model = model.map_err(|stop| stop.after(&warnings))?;
    for warnings in [&mut warnings, &mut model.warnings] {
        warnings.retain(|warning| !is_within_any(&warning.pointer, &model.subset.others));
    }
    Ok(Read {
        document: normal.source,
        model,
        warnings,
    })
}

/// Returns whether a pointer is that of one of these places, or leads into one.
fn is_within_any(pointer: &str, places: &BTreeSet<String>) -> bool {
    { places.iter() }.any(|place| pointer::is_within(pointer, place))
}

/// Reads the model of a document in the one vocabulary.
fn model(normal: &Normal, written: &Source) -> Result<Model, DocumentError> {
    let document = &normal.source;
    lint::document(document)?;
    let mut model = openapi_model::read(document)?;
    for one in normal.left_out.iter().rev() {
        let operation = written.value.pointer(&one.pointer);
        let operation = operation.unwrap_or(&Value::Null);
        let subset = &mut model.subset;
        if subset.has(&one.method, &one.path, &one.pointer, operation) {
            model.left_out.insert(0, one.clone());
        }
    }
    lint::model(document, &model)?;
    Ok(model)
}

impl Read {
    /// Generates the Rust. `report` lists the overrides that changed the document, for documentation.
    fn code(self, report: &OverrideReport) -> Result<Code, DocumentError> {
        let mut code = stacker::grow(STACK, || emitted(&self.document, self.model, report))
            .map_err(|stop| stop.after(&self.warnings))?;
        code.warnings.splice(..0, self.warnings);
        Ok(code)
    }
}

/// Emits the Rust of a model.
fn emitted(
    document: &Source,
    mut model: Model,
    report: &OverrideReport,
) -> Result<Code, DocumentError> {
    if model.package.types_only {
        model = model.types_alone();
    }
    let types = types::types(document, &model, report)?;
    let left_out = types::derives_left_out(document, &model);
    model.warnings.extend(left_out);
    let operations = operations::operations(&model, report)?;
    let client = if model.package.types_only {
        None
    } else {
        Some(operations::client(&model, report)?)
    };
    let handles = operations::handles(&model)?;
    let commands = if model.package.cli {
        Some(operations::commands(&model)?)
    } else {
        None
    };
    Ok(Code {
        warnings: std::mem::take(&mut model.warnings),
        model,
        types,
        operations,
        client,
        handles,
        commands,
    })
}

/// Writes the files of a crate, and checks the policy of its overrides.
///
/// # Errors
///
/// The reconciled document has no form in YAML, or there are policy findings about overrides.
pub fn files(
    published: &Source,
    overrides: &OverrideSet,
    reconciled: &ReconciledDocument,
    code: &Code,
    packaging: &Packaging,
) -> Result<FileTree, DocumentError> {
    let tree =
        emit::emit(reconciled, code, packaging).map_err(|stop| reconciled.attribute(stop))?;
    // Last: policy findings are of interest once the document is valid.
    let mut policy = openapi_overrides::lint(overrides);
    let document = &reconciled.source;
    policy.extend(openapi_overrides::shown(published, document, overrides));
    policy.extend(openapi_overrides::required(document, overrides));
    DocumentError::unless_empty(policy)?;
    Ok(tree)
}

/// Generates the Rust of a document, one step short of files. `report` lists the overrides that changed the document, for documentation.
pub fn code(document: &Source, report: &OverrideReport) -> Result<Code, DocumentError> {
    read(document)?.code(report)
}

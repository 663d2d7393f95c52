//! The input and output of the generation of a crate.

use std::ops::Range;
use std::path::PathBuf;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::given;
use openapi_document::source::{Reading, Root, Source};
use openapi_model::{Detection, Loss};
use openapi_overrides::{OverrideSet, Plain, ReconciledDocument};
use serde_json::{Map, Value};

use crate::emit::{FileTree, Packaging};

/// A crate: what it is made from, and where its files are. Paths are relative to the root.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The folder that the other paths start from; empty for the current folder.
    pub root: PathBuf,
    /// The published document.
    pub document: String,
    /// The folder that contains the other files of the document.
    pub files: Root,
    /// The overrides folder; empty without overrides.
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
    /// True if a warning stops, an ambiguous document, and a file in the folder of the crate that was not generated.
    pub strict: bool,
    /// Members of `x-rust-package` that override those of the document.
    pub package: Map<String, Value>,
    /// The name of the file that contains them.
    pub package_file: String,
    /// The bytes of that file that are the version of the package, in quotes, if it has one.
    pub version: Option<Range<usize>>,
}

impl Layout {
    /// Returns the name of the crate; empty if only the document has it.
    pub fn name(&self) -> &str {
        let name = self.package.get("name").and_then(Value::as_str);
        name.unwrap_or_default()
    }

    /// Loads the published document, and the overrides.
    pub(super) fn load(&self) -> Result<(Source, OverrideSet), DocumentError> {
        let reading = if self.strict {
            Reading::Strict
        } else {
            Reading::Tolerant
        };
        let published = given::read(&self.root, &self.document, reading, &self.files)?;
        Ok((published, self.set()?))
    }

    /// Loads the overrides, with the Overlays around them.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that is no override.
    pub fn set(&self) -> Result<OverrideSet, DocumentError> {
        let mut set = OverrideSet::default();
        if !self.overrides.is_empty() {
            set = OverrideSet::load(&self.root, &self.overrides)?;
        }
        let overlays = self.overlays.iter();
        set.overlays = overlays
            .map(|path| Plain::load(&self.root, path))
            .collect::<Result<_, _>>()?;
        if !self.package.is_empty() {
            set.package = Some(Plain::package(&self.package_file, &self.package)?);
        }
        Ok(set)
    }
}

/// The output of a run, before it is on the disk.
pub struct Generated {
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
    /// Paging that was detected without an extension.
    pub detections: Vec<Detection>,
    /// The parts of the document that the crate leaves out, or types less. A strict command makes errors of them, but for notes.
    pub warnings: Vec<Finding>,
}

/// Makes a note of a warning that asks for nothing.
pub(super) fn with_severity(warning: Finding) -> Finding {
    match Loss::of(warning.rule) {
        Some(loss) if loss.is_note => warning.informative(),
        _ => warning,
    }
}

/// Names what people without overrides write to change a document.
pub(super) fn without_overrides(mut finding: Finding) -> Finding {
    finding.help = finding
        .help
        .replace("an override", "an Overlay (`--overlay`)");
    finding
}

/// Makes errors of the warnings that stop a strict crate.
///
/// # Errors
///
/// These warnings.
pub fn strict<'w>(warnings: impl IntoIterator<Item = &'w Finding>) -> Result<(), DocumentError> {
    let warnings = warnings.into_iter();
    let stopping = warnings.filter(|one| Loss::of(one.rule).is_none_or(|loss| loss.stops));
    DocumentError::unless_empty(stopping.cloned().map(Finding::error).collect())
}

//! What a crate is generated from, and what comes out.

use std::path::PathBuf;

use openapi_document::finding::{Finding, Stop};
use openapi_document::source::{self, Reading, Root, Source};
use openapi_model::{Detection, Loss};
use openapi_overrides::{OverrideSet, Plain, ReconciledDocument};
use serde_json::{Map, Value};

use crate::emit::{FileTree, Packaging};

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
    /// Overlays of any tool, which apply before the overrides.
    pub overlays: Vec<String>,
    /// Members of `x-rust-package` that stand above those of the document.
    pub package: Map<String, Value>,
    /// The file that says them.
    pub said_in: String,
    /// Whether a warning stops the run, and a document that could mean two things is an error.
    pub strict: bool,
    /// What else the files depend on.
    pub packaging: Packaging,
}

impl Task {
    /// Loads the published document, and the overrides.
    pub(super) fn load(&self) -> Result<(Source, OverrideSet), Stop> {
        let reading = match self.strict {
            true => Reading::Strict,
            false => Reading::Tolerant,
        };
        let published = source::document(&self.root, &self.document, reading, &self.files)?;
        Ok((published, self.set()?))
    }

    /// Loads the overrides, with the Overlays around them.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, or that is no override.
    pub fn set(&self) -> Result<OverrideSet, Stop> {
        let mut set = match &self.overrides {
            Some(folder) => OverrideSet::load(&self.root, folder)?,
            None => OverrideSet::default(),
        };
        let overlays = self.overlays.iter();
        set.overlays = overlays
            .map(|path| Plain::load(&self.root, path))
            .collect::<Result<_, _>>()?;
        if !self.package.is_empty() {
            set.package = Some(Plain::package(&self.said_in, &self.package)?);
        }
        Ok(set)
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
    /// How many of them are there in part: a call cannot say or return what the document has, or not typed.
    pub in_part: usize,
    /// How many operations of the document the crate does not have.
    pub left_out: usize,
    /// What of paging was found in the document, without an extension that says it.
    pub detections: Vec<Detection>,
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
        errors(self.warnings.iter())
    }
}

/// Makes errors of the warnings that stop `regen`.
pub(super) fn strict(warnings: &[Finding]) -> Result<(), Stop> {
    let stops = |warning: &&Finding| Loss::of(warning.rule).is_none_or(|loss| loss.stops);
    errors(warnings.iter().filter(stops))
}

fn errors<'w>(warnings: impl Iterator<Item = &'w Finding>) -> Result<(), Stop> {
    Stop::unless_empty(warnings.cloned().map(Finding::error).collect())
}

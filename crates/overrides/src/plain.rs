//! Overlays of any tool, without `x-override` and guards, as specified.

use std::path::Path;

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use openapi_overlay::{Change, Overlay, Selection};
use serde_json::{Value, json};

/// An Overlay that applies before all overrides, or the package that applies after them.
#[derive(Clone, Debug)]
pub struct Plain {
    /// The file.
    pub source: Source,
    overlay: Overlay,
}

/// The change of a plain Overlay.
#[derive(Clone, Debug)]
pub struct Written {
    /// The file that contains it.
    pub file: String,
    /// The places, as pointers into the document before it.
    pub changes: Vec<Change>,
    /// A warning for each target that selects nothing.
    pub dead_targets: Vec<Finding>,
}

impl Plain {
    /// Reads an Overlay from a file.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or that is no Overlay.
    pub fn load(root: &Path, path: &str) -> Result<Self, DocumentError> {
        Self::parse(Source::read(root, path)?)
    }

    /// Returns the members of `x-rust-package` in `file`, which override those of the document.
    ///
    /// # Errors
    ///
    /// Never fails for valid JSON.
    pub fn package(
        file: &str,
        members: &serde_json::Map<String, Value>,
    ) -> Result<Self, DocumentError> {
        let overlay = json!({
            "overlay": "1.0.0",
            "info": {"title": file, "version": "1"},
            "actions": [{"target": "$", "update": {"info": {"x-rust-package": members}}}],
        });
        Self::parse(Source::parse(file, overlay.to_string())?)
    }

    fn parse(source: Source) -> Result<Self, DocumentError> {
        let overlay = Overlay::read(&source).map_err(DocumentError::Findings)?;
        Ok(Self { source, overlay })
    }

    /// Applies the actions one after the other; those that cannot be applied are findings.
    pub(crate) fn apply(&self, document: &mut Value, findings: &mut Vec<Finding>) -> Written {
        let (mut changes, mut dead_targets) = (Vec::new(), Vec::new());
        for action in &self.overlay.actions {
            let dead = openapi_overlay::dead_target(document, action, &self.source);
            dead_targets.extend(dead.map(Finding::warning));
            let applied = openapi_overlay::apply_action(
                document,
                action,
                &self.source,
                Selection::MayBeEmpty,
            );
            match applied {
                Ok(more) => changes.extend(more),
                Err(finding) => findings.push(*finding),
            }
        }
        Written {
            file: self.source.path.clone(),
            changes,
            dead_targets,
        }
    }
}

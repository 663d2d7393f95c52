//! Overlays on files.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;

use crate::apply::{Selection, apply_action};
use crate::growth::Growth;
use crate::model::Overlay;
use crate::query::dead_target;

/// Applies the overlays in their order and writes the result in the format of the document. Returns a warning for each target that selects
/// nothing.
///
/// # Errors
///
/// A file that cannot be read, an overlay that cannot be applied, or output that cannot be written. Nothing is written then.
pub fn apply_files(
    document: &str,
    overlays: &[String],
    selection: Selection,
    out: &mut dyn Write,
) -> Result<Vec<Finding>> {
    let here = Path::new("");
    let source = Source::read(here, document)?;
    let mut value = source.value.clone();
    let mut warnings = Vec::new();
    for path in overlays {
        let file = Source::read(here, path)?;
        let overlay = Overlay::read(&file).map_err(DocumentError::Findings)?;
        let mut growth = Growth::default();
        for action in &overlay.actions {
            let dead = dead_target(&value, action, &file);
            warnings.extend(dead.map(Finding::warning));
            apply_action(&mut value, action, &file, selection, &mut growth)
                .map_err(|finding| DocumentError::Findings(vec![*finding]))?;
        }
    }
    let text = if source.is_json() {
        serde_json::to_string_pretty(&value).context("writing the result as JSON")? + "\n"
    } else {
        serde_yaml::to_string(&value).context("writing the result as YAML")?
    };
    out.write_all(text.as_bytes())?;
    Ok(warnings)
}

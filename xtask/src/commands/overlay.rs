//! `cargo xtask overlay apply`: Overlays on any document, as the specification has it.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use openapi_document::finding::Stop;
use openapi_document::source::Source;
use openapi_overlay::{Overlay, Selection};

/// Applies the overlays in their order and writes the result in the format of the document.
pub fn apply(document: &str, overlays: &[String], strict: bool, out: &mut dyn Write) -> Result<()> {
    let here = Path::new("");
    let source = Source::read(here, document)?;
    let selection = if strict {
        Selection::MustNotBeEmpty
    } else {
        Selection::MayBeEmpty
    };
    let mut value = source.value.clone();
    for path in overlays {
        let file = Source::read(here, path)?;
        let overlay = Overlay::read(&file).map_err(Stop::Findings)?;
        openapi_overlay::apply(&mut value, &overlay, &file, selection)
            .map_err(|finding| Stop::Findings(vec![*finding]))?;
    }
    let text = if source.is_json() {
        serde_json::to_string_pretty(&value).context("writing the result as JSON")? + "\n"
    } else {
        serde_yaml::to_string(&value).context("writing the result as YAML")?
    };
    out.write_all(text.as_bytes())?;
    Ok(())
}

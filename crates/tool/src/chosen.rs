//! The crates that a command is about: those of the file, or one that arguments describe.

use std::path::Path;

use anyhow::Result;
use client_generator::emit::{Packaging, Runtime};
use openapi_document::finding::DocumentError;
use openapi_document::program;
use openapi_document::source::Root;
use openapi_model::names;
use serde_json::{Map, Value};

use crate::arguments::{Chosen, Made};
use crate::config::slashes;
use crate::config::{Config, fits};
use client_generator::generate::Layout;

/// The file that lists the crates.
pub(crate) fn config(chosen: &Chosen) -> Result<Config, DocumentError> {
    match &chosen.config {
        Some(file) => Config::read(file),
        None => {
            let here = std::path::absolute(".").unwrap_or_default();
            Config::around(&here)
        }
    }
}

/// Returns the crates of a command: that of the document, or those of the file.
pub(crate) fn layouts(
    chosen: &Chosen,
    document: Option<String>,
    made: &Made,
) -> Result<Vec<Layout>> {
    if let Some(document) = document {
        return Ok(vec![described(document, made)?]);
    }
    let mut all = config(chosen)?.chosen(&chosen.crates)?;
    for layout in &mut all {
        layout.strict |= made.strict;
    }
    Ok(all)
}

/// The crate of a document that no file describes. Its paths start in the current folder.
///
/// # Errors
///
/// The crate name is invalid, or there is no runtime.
pub fn described(document: String, made: &Made) -> Result<Layout> {
    let output = slashes(made.output.as_deref().unwrap_or(Path::new("")));
    let runtime = match &made.runtime_path {
        Some(folder) => at(folder)?,
        None => made.runtime.unwrap_or_default().runtime()?,
    };
    Ok(Layout {
        document,
        files: Root::Option(made.root.clone()),
        overrides: made.overrides.as_deref().map(slashes).unwrap_or_default(),
        overlays: made.overlays.iter().map(|path| slashes(path)).collect(),
        changelog: format!("{output}/CHANGELOG.md"),
        generated: output,
        lock: "Cargo.lock".to_owned(),
        packaging: Packaging {
            command: program::generate(),
            runtime,
        },
        strict: made.strict,
        package: package(made.name.as_deref())?,
        package_file: "the arguments".to_owned(),
        ..Layout::default()
    })
}

/// Returns the runtime in a folder, for a manifest in any other folder.
fn at(folder: &Path) -> Result<Runtime> {
    fits(folder).map_err(|message| {
        anyhow::anyhow!(
            "{message}: give the folder `runtime` of the repository that this program is from"
        )
    })?;
    Ok(Runtime::Path(slashes(&std::path::absolute(folder)?)))
}

/// Returns the members of `x-rust-package` for a name.
fn package(name: Option<&str>) -> Result<Map<String, Value>> {
    let Some(name) = name else {
        return Ok(Map::new());
    };
    if !names::is_package(name) {
        anyhow::bail!(
            "`{name}` cannot be the name of a crate: `{}` can",
            names::package(name)
        );
    }
    Ok(Map::from_iter([("name".to_owned(), Value::from(name))]))
}

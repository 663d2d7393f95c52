//! The crates that a command is about: those of the file, or one that arguments describe.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use client_generator::emit::{Packaging, Runtime};
use openapi_document::finding::DocumentError;
use openapi_document::program;
use openapi_document::source::Root;
use openapi_model::names;
use serde_json::{Map, Value};

use crate::arguments::{Chosen, Made};
use crate::config::{Config, RuntimeName, fits};
use crate::layout::Layout;

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
/// The crate name or a type is invalid, or the runtime does not exist.
pub fn described(document: String, made: &Made) -> Result<Layout> {
    let output = made.output.clone().unwrap_or_default();
    let overrides = made.overrides.as_deref().map(slashes);
    let runtime = runtime(made.runtime, made.runtime_path.as_deref(), &output)?;
    Ok(Layout {
        root: PathBuf::new(),
        document,
        files: Root::Option(made.root.clone()),
        overrides: overrides.unwrap_or_default(),
        overlays: made.overlays.iter().map(|path| slashes(path)).collect(),
        generated: slashes(&output),
        changelog: format!("{}/CHANGELOG.md", slashes(&output)),
        lock: "Cargo.lock".to_owned(),
        packaging: Packaging {
            command: program::generate(),
            runtime,
        },
        strict: made.strict,
        package: package(made)?,
        package_file: "the arguments".to_owned(),
        version: None,
    })
}

/// Returns the members of `x-rust-package` from the arguments.
fn package(made: &Made) -> Result<Map<String, Value>> {
    let mut package = Map::new();
    if let Some(name) = &made.name {
        if !names::is_package(name) {
            anyhow::bail!(
                "`{name}` cannot be the name of a crate: `{}` can",
                names::package(name)
            );
        }
        package.insert("name".to_owned(), Value::from(name.clone()));
    }
    let mut types = Map::new();
    for part in &made.types {
        let (format, wanted) = part
            .split_once('=')
            .with_context(|| format!("`{part}` is not FORMAT=TYPE, as in `date-time=jiff`"))?;
        types.insert(format.trim().to_owned(), wanted.trim().into());
    }
    if !types.is_empty() {
        package.insert("types".to_owned(), Value::Object(types));
    }
    Ok(package)
}

fn runtime(name: Option<RuntimeName>, path: Option<&Path>, output: &Path) -> Result<Runtime> {
    if let Some(path) = path {
        fits(path).map_err(|message| {
            anyhow::anyhow!(
                "{message}: give the folder `runtime` of the repository that this program is from"
            )
        })?;
        let seen = as_seen_from(path, output)
            .with_context(|| format!("looking for the runtime in {}", path.display()))?;
        return Ok(Runtime::Path(seen));
    }
    Ok(name.unwrap_or_default().runtime()?)
}

/// The path of the runtime as the manifest of the crate in `folder` names it: absolute where it was given absolute, relative otherwise.
fn as_seen_from(path: &Path, folder: &Path) -> std::io::Result<String> {
    if path.is_absolute() {
        return Ok(slashes(path));
    }
    let to = path.canonicalize()?;
    let from = future(folder)?;
    let steps = to.components().zip(from.components());
    let common = steps.take_while(|(one, other)| one == other).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(to.components().skip(common)).collect();
    Ok(slashes(&relative))
}

/// Returns a path with forward slashes.
fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// The canonical path of a folder that may be made later.
fn future(folder: &Path) -> std::io::Result<PathBuf> {
    let absolute = std::path::absolute(folder)?;
    let there = absolute
        .ancestors()
        .find_map(|ancestor| Some((ancestor, ancestor.canonicalize().ok()?)));
    let Some((ancestor, canonical)) = there else {
        return Ok(absolute);
    };
    Ok(canonical.join(absolute.strip_prefix(ancestor).unwrap_or(Path::new(""))))
}

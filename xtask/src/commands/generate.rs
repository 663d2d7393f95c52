//! `cargo xtask generate`: any document, with overrides or without → a crate that stands alone.

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use annotate_snippets::Renderer;
use anyhow::{Context, Result};
use client_generator::emit::{Packaging, Runtime};
use client_generator::generate::{Task, generate as make};
use openapi_document::finding::{Finding, Severity, Stop};
use openapi_document::source::Root;
use openapi_model::extensions::Types;
use openapi_model::names;

use super::status::{counted, line};
use super::{paging, warnings};
use crate::install::{self, State};

/// What to generate, and how. Relative paths start where the person is.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The document.
    pub document: String,
    /// The folder below which references to other files are followed, if not that of the document.
    pub root: Option<PathBuf>,
    /// The folder that becomes the crate.
    pub output: PathBuf,
    /// The overrides folder.
    pub overrides: Option<String>,
    /// The name of the package.
    pub name: Option<String>,
    /// The types of strings by their formats, where they are not those of the document.
    pub types: Types,
    /// The folder of the runtime crate.
    pub runtime: Option<PathBuf>,
    /// Whether a warning stops the command.
    pub strict: bool,
    /// Whether all warnings are shown.
    pub verbose: bool,
}

/// Generates a crate into a folder. Warnings go to `err`. With warnings and `strict`, nothing is written and the result is an error.
///
/// # Errors
///
/// A document that cannot be read, the findings of the first step that has errors, or a file in the way that this tool did not write.
pub fn generate(
    options: &Options,
    renderer: &Renderer,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<()> {
    if let Some(name) = options
        .name
        .as_deref()
        .filter(|name| !names::is_package(name))
    {
        anyhow::bail!(
            "`{name}` cannot be the name of a crate: `{}` can",
            names::package(name)
        );
    }
    let runtime = match &options.runtime {
        Some(folder) => Runtime::Path(as_seen_from(folder, &options.output)?),
        None => Runtime::Version,
    };
    let task = Task {
        root: PathBuf::new(),
        document: options.document.clone(),
        files: Root::Option(options.root.clone()),
        overrides: options.overrides.clone(),
        name: options.name.clone(),
        types: options.types,
        strict: false,
        packaging: Packaging {
            command: "cargo xtask generate".to_owned(),
            runtime,
            overrides: options.overrides.clone(),
        },
    };
    let made = match make(&task) {
        Ok(made) => made,
        Err(stop) => {
            let (warned, errors) = (stop.of(Severity::Warning), stop.of(Severity::Error));
            warnings::print(&warned, options.verbose, renderer, err)?;
            return Err(stop.only(errors).into());
        }
    };
    if options.strict {
        made.strict()?;
    }
    warnings::print(&made.warnings, options.verbose, renderer, err)?;
    paging::print(&made.detections, options.verbose, out, err)?;
    let output = &options.output;
    unless_in_the_way(output, install::in_the_way(&made.tree, output))?;
    let states = install::compare(&made.tree, output)?;
    install::change(output, &install::changes(&made.tree, &states, ""))?;
    let written = |state: &&State| matches!(state, State::Stale | State::Missing);
    let changed = states.values().filter(written).count();
    line(
        out,
        if changed == 0 { "Fresh" } else { "Generated" },
        &format!(
            "{} in {}: {} ({} whole, {} in part), {} left out, {}",
            made.package,
            output.display(),
            counted(made.operations, "operation"),
            made.operations - made.in_part,
            made.in_part,
            made.left_out,
            warnings::by_rule(&made.warnings),
        ),
    )?;
    Ok(())
}

/// Refuses to replace files that a person wrote.
fn unless_in_the_way(output: &Path, files: Vec<String>) -> Result<(), Stop> {
    let finding = |path: String| {
        Finding::about(
            "foreign-file",
            output.join(path).to_string_lossy(),
            "the crate has a file of this name, and this one was not generated",
            "choose another folder with `--output`, or move the file elsewhere",
        )
    };
    Stop::unless_empty(files.into_iter().map(finding).collect())
}

/// A path for the manifest in `folder`: absolute where it was given absolute, relative to the folder otherwise.
fn as_seen_from(path: &Path, folder: &Path) -> Result<String> {
    if path.is_absolute() {
        return Ok(slashes(path));
    }
    let to = path
        .canonicalize()
        .with_context(|| format!("looking for the runtime in {}", path.display()))?;
    let from = future(folder)?;
    let common = to
        .components()
        .zip(from.components())
        .take_while(|(one, other)| one == other)
        .count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let relative: PathBuf = up.chain(to.components().skip(common)).collect();
    Ok(slashes(&relative))
}

/// The canonical path of a folder that may be made later.
fn future(folder: &Path) -> Result<PathBuf> {
    let absolute = std::path::absolute(folder)?;
    let there = absolute
        .ancestors()
        .find_map(|ancestor| Some((ancestor, ancestor.canonicalize().ok()?)));
    let Some((ancestor, canonical)) = there else {
        return Ok(absolute);
    };
    Ok(canonical.join(absolute.strip_prefix(ancestor).unwrap_or(Path::new(""))))
}

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

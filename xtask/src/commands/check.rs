//! `cargo xtask check`: generates the client of any document, and a program that makes all of its calls against a service that knows the document
//! alone; builds and runs it.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use annotate_snippets::Renderer;
use anyhow::{Context, Result};
use client_generator::emit::{Packaging, Runtime, program};
use client_generator::generate::{Task, calls};
use openapi_document::source::Root;
use openapi_model::extensions::Types;

use super::Layout;
use super::generate::{self, generate};
use super::status::line;
use crate::install::{self, Changes};

/// The folder of the programs, one for each package.
const FOLDER: &str = "target/checked";
/// What they are built into: all of them share the dependencies.
const BUILT: &str = "target/checked-programs";

/// What to check. Relative paths start where the person is.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The document.
    pub document: String,
    /// The folder below which references to other files are followed, if not that of the document.
    pub root: Option<PathBuf>,
    /// The overrides folder.
    pub overrides: Option<String>,
    /// What the program takes: the operations to check, or all.
    pub operations: Vec<String>,
}

/// Generates, builds and runs. Returns whether each request arrived as it was meant, and each example is written as it was read.
///
/// # Errors
///
/// Those of [`generate()`], and a program that does not build.
#[expect(clippy::disallowed_methods, reason = "it runs programs")]
pub fn check(
    layout: &Layout,
    options: &Options,
    renderer: &Renderer,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<bool> {
    let calls = calls(&Task {
        root: PathBuf::new(),
        document: options.document.clone(),
        files: Root::Option(options.root.clone()),
        overrides: options.overrides.clone(),
        name: None,
        types: Types::default(),
        strict: false,
        packaging: Packaging::alone(Runtime::Version),
    })?;
    let root = &layout.root;
    let folder = root.join(FOLDER).join(&calls.package);
    let text = |path: PathBuf| path.to_string_lossy().replace('\\', "/");
    let crate_options = generate::Options {
        document: options.document.clone(),
        root: options.root.clone(),
        overrides: options.overrides.clone(),
        output: folder.join("client"),
        runtime: Some(root.join("runtime")),
        ..Default::default()
    };
    generate(&crate_options, renderer, out, err)?;
    let checked = text(root.join("tests/checked"));
    let tree = program(&calls, &text(root.join("runtime")), &checked);
    let mut files: Changes = tree
        .iter()
        .map(|(path, content)| (path.to_owned(), Some(content.to_owned())))
        .collect();
    // The versions of the workspace, so that dependencies are those that are there already.
    let lock = std::fs::read_to_string(root.join(&layout.lock))
        .with_context(|| format!("reading {}", layout.lock))?;
    files.push(("Cargo.lock".to_owned(), Some(lock)));
    install::change(&folder, &files)?;
    line(out, "Running", &text(folder.clone()))?;
    out.flush()?;
    let status = Command::new("cargo")
        .args(["run", "--quiet", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(root.join(BUILT))
        .arg("--")
        .args(&options.operations)
        .status()
        .context("starting cargo")?;
    Ok(status.success())
}

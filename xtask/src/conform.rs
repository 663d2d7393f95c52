//! `cargo xtask conform`: generates the client of any document, and a program that makes all of its calls against a service that knows the
//! document alone; builds and runs it.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use client_generator::emit::{Runtime, program};
use client_generator::generate::calls;
use openapi_crate::arguments::Made;
use openapi_crate::commands::generate::{Options, generate};
use openapi_crate::commands::status::line;
use openapi_crate::described;
use openapi_crate::install::{self, Changes};
use openapi_crate::layout::Layout;

/// The folder of the programs, one for each package.
const FOLDER: &str = "target/checked";
/// The folder that they are built into: all of them share the dependencies.
const BUILT: &str = "target/checked-programs";

/// Generates, builds and runs. Returns whether each request arrived as it was meant, and each example is written as it was read.
///
/// # Errors
///
/// Those of [`generate()`], and a program that does not build.
pub fn conform(
    layout: &Layout,
    document: String,
    made: &Made,
    operations: &[String],
    out: &mut dyn Write,
) -> Result<bool> {
    let root = &layout.root;
    let text = |path: PathBuf| path.to_string_lossy().replace('\\', "/");
    let mut client = described(document, made)?;
    let calls = calls(&client.task())?;
    let folder = root.join(FOLDER).join(&calls.package);
    client.generated = text(folder.join("client"));
    client.packaging.runtime = Runtime::Path(text(root.join("runtime")));
    let options = Options {
        check: false,
        verbose: made.verbose,
    };
    let renderer = openapi_document::renderer();
    let mut err = std::io::stderr().lock();
    generate(&client, options, &renderer, out, &mut err)?;
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
        .args(operations)
        .status()
        .context("starting cargo")?;
    Ok(status.success())
}

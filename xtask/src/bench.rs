//! `cargo xtask bench`: runs the benchmarks. They are a package apart, because what the client is compared with is no dependency of the project.

use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result};

use client_generator::generate::Layout;
use openapi_crate::commands::status::line;

/// The package.
const MANIFEST: &str = "tests/bench/Cargo.toml";
/// Its builds, apart from those of the workspace: they do not wait for each other.
const TARGET: &str = "target/bench/own";

/// Builds and runs the benchmarks of these parts, or of all; whether they ran to their end.
pub fn bench(layout: &Layout, parts: &[String], write: bool, out: &mut dyn Write) -> Result<bool> {
    line(out, "Running", &format!("the benchmarks of {MANIFEST}"))?;
    out.flush()?;
    let status = Command::new("cargo")
        .args(["run", "--quiet", "--release"])
        .args(["--manifest-path", MANIFEST, "--target-dir", TARGET, "--"])
        .args(parts)
        .args(write.then_some("--write"))
        .current_dir(&layout.root)
        .status()
        .context("starting cargo")?;
    Ok(status.success())
}

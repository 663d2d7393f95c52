//! `check`: checks that crates are up to date, and that their versions match the changes.

use std::io::Write;

use annotate_snippets::Renderer;
use anyhow::Result;

use super::due::missing_bump;
use super::generate::{Options, Report, generate};
use super::status::line;
use crate::layout::Layout;

/// Compares a crate with what would be generated, and its version with what changed since the last release. Writes nothing.
///
/// # Errors
///
/// Those of [`generate()`], and a released crate that cannot be read.
pub fn check(
    layout: &Layout,
    verbose: bool,
    renderer: &Renderer,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Report> {
    let options = Options {
        check: true,
        verbose,
    };
    let mut report = generate(layout, options, renderer, out, err)?;
    if report.fresh {
        report.version = missing_bump(layout)?;
    }
    if let Some(missing) = &report.version {
        report.fresh = false;
        line(out, "Version", missing)?;
    }
    Ok(report)
}

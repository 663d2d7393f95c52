//! The body of an update's pull request.

use std::fmt::Write;

use super::plan::Plan;

/// Rows of one list: a longer body is not read, and a forge may cut it off. `cargo xtask diff --format markdown` has all.
const ROWS: usize = 50;

pub(super) fn text(plan: &Plan) -> String {
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = write(plan, &mut out);
    out
}

fn write(plan: &Plan, out: &mut String) -> std::fmt::Result {
    let version = &plan.version;
    writeln!(out, "# Update to interface version {}\n", plan.interface)?;
    match version.bump {
        None => writeln!(out, "The package stays at {}.", version.from)?,
        Some(_) => writeln!(out, "The package goes from {version}.")?,
    }
    if let Some(texts) = &plan.wording {
        writeln!(out, "\nOnly descriptions change:\n")?;
        for text in texts {
            writeln!(out, "- {text}")?;
        }
    }
    if !plan.moved.is_empty() {
        writeln!(out, "\nOperations moved:\n")?;
        for moved in &plan.moved {
            writeln!(out, "- {moved}")?;
        }
    }
    if !plan.retired.is_empty() {
        writeln!(
            out,
            "\nThe document now contains the results of these overrides, so they are gone:\n"
        )?;
        for one in &plan.retired {
            writeln!(out, "- `{}`: {}", one.source.path, one.overlay.title)?;
        }
    }
    write!(out, "\n{}", openapi_diff::bounded(&plan.report, ROWS))
}

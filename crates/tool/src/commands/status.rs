//! Status lines in cargo's shape: a verb aligned to the right, then the subject.

use std::io::{self, Write};

use openapi_document::readable::counted;

use crate::install::Changes;

/// Files are listed one by one up to this many.
const LISTED: usize = 20;

/// Prints a line: the verb aligned to the right, then the subject.
pub fn line(out: &mut dyn Write, verb: &str, subject: &str) -> io::Result<()> {
    writeln!(out, "{verb:>12} {subject}")
}

/// Lists the files that change, or that would without a dry run.
pub(super) fn files(
    changes: &Changes,
    is_dry_run: bool,
    verbose: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (writes, deletes) = if is_dry_run {
        ("Would write", "Would delete")
    } else {
        ("Wrote", "Deleted")
    };
    let most = if verbose { changes.len() } else { LISTED };
    for (path, text) in changes.iter().take(most) {
        line(out, if text.is_some() { writes } else { deletes }, path)?;
    }
    match changes.len().saturating_sub(most) {
        0 => Ok(()),
        more => {
            let files = counted(more, "file");
            line(out, "More", &format!("{files}, which `--verbose` lists"))
        }
    }
}

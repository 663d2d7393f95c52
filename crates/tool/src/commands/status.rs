//! Status lines in cargo's shape: a verb aligned to the right, then the subject.

use std::collections::BTreeMap;
use std::io::{self, Write};

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
    if verbose || changes.len() <= LISTED {
        return changes.iter().try_for_each(|(path, text)| {
            line(out, if text.is_some() { writes } else { deletes }, path)
        });
    }
    let mut folders: BTreeMap<(bool, &str), usize> = BTreeMap::new();
    for (path, text) in changes {
        let folder = path.split_inclusive('/').next().unwrap_or(path);
        *folders.entry((text.is_none(), folder)).or_default() += 1;
    }
    for ((is_gone, folder), count) in folders {
        let verb = if is_gone { deletes } else { writes };
        let text = match count {
            1 if !folder.ends_with('/') => folder.to_owned(),
            1 => format!("1 file in {folder}"),
            many => format!("{many} files in {folder}"),
        };
        line(out, verb, &text)?;
    }
    Ok(())
}

//! Status lines in cargo's shape: a verb aligned to the right, then the subject.

use std::io::{self, Write};

pub(super) fn line(out: &mut dyn Write, verb: &str, subject: &str) -> io::Result<()> {
    writeln!(out, "{verb:>12} {subject}")
}

/// A number with its noun: `1 warning`, `2 warnings`.
pub(super) fn counted(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

//! Status lines in cargo's shape: a verb aligned to the right, then the subject.

use std::io::{self, Write};

pub(super) fn line(out: &mut dyn Write, verb: &str, subject: &str) -> io::Result<()> {
    writeln!(out, "{verb:>12} {subject}")
}

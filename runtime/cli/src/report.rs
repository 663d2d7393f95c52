//! Lines on standard error.

use std::io::{self, Write};

/// Writes a line, and returns whether it was written. A closed standard error does not end a run that pays.
pub(crate) fn report(line: &str) -> bool {
    let written = io::stderr().write_all(format!("{line}\n").as_bytes());
    written.is_ok()
}

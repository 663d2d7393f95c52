//! Lines on standard error.

use std::io::{self, Write};

/// Writes a line, and says whether it is out: standard error may be closed, which is no reason to end a run that pays.
pub(crate) fn report(line: &str) -> bool {
    let written = io::stderr().write_all(format!("{line}\n").as_bytes());
    written.is_ok()
}

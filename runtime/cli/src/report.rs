//! Lines on standard error.

use std::io::{self, Write};

use crate::blocking::blocking;
use crate::visible::visible_lines;

/// Writes lines, and returns whether they were written. A closed standard error does not end a run that pays.
pub(crate) fn report(text: &str) -> bool {
    let lines = format!("{}\n", visible_lines(text));
    blocking(|| io::stderr().write_all(lines.as_bytes()).is_ok())
}

//! What a new document means, on a part of a screen.

use super::options::Options;
use crate::diff::{self, Report};

/// More lines than these are summed up.
const LONGEST: usize = 30;

/// The report as text; of a long one its sums alone, unless all is asked for.
pub(super) fn report(report: &Report, options: &Options) -> String {
    let text = diff::text(report, options.colour);
    if options.verbose || text.lines().count() <= LONGEST {
        return text;
    }
    let sums: String = text
        .lines()
        .rev()
        .take_while(|line| !line.trim().is_empty())
        .fold(String::new(), |below, line| format!("{line}\n{below}"));
    format!(
        "{sums}        Help {} changes: --verbose lists them, and so does `cargo xtask diff`\n",
        report.changes.len()
    )
}

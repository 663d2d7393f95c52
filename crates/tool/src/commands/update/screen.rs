//! The changes of a new document, on part of a screen.

use openapi_diff::{Report, View};

use super::options::Options;
use openapi_document::program::command;

/// More lines than these are summed up.
const LONGEST: usize = 30;

/// Returns the report as text; of a long one only its sums, unless all is requested.
pub(super) fn report(report: &Report, options: &Options) -> String {
    let text = openapi_diff::text(report, View::Component, options.colour, true);
    if options.verbose || text.lines().count() <= LONGEST {
        return text;
    }
    let sums: String = text
        .lines()
        .rev()
        .take_while(|line| !line.trim().is_empty())
        .fold(String::new(), |below, line| format!("{line}\n{below}"));
    format!(
        "{sums}        Help {} changes: --verbose lists them, and so does `{}`\n",
        report.changes.len(),
        command("diff")
    )
}

//! The changes of a new document, on part of a screen.

use openapi_diff::Report;

use super::options::Options;
use openapi_document::program::command;

/// More lines than these are summed up.
const LONGEST: usize = 30;

/// Returns the report as text; of a long one only its sums, unless all is requested. The help names both documents unless the new one is
/// written to its place.
pub(super) fn report(report: &Report, options: &Options, is_written: bool) -> String {
    let text = openapi_diff::text(report, options.colour, true);
    if options.verbose || text.lines().count() <= LONGEST {
        return text;
    }
    let sums: String = text
        .lines()
        .rev()
        .take_while(|line| !line.trim().is_empty())
        .fold(String::new(), |below, line| format!("{line}\n{below}"));
    let diff = if is_written || report.old == report.new {
        command("diff")
    } else {
        command(format_args!("diff {} {}", report.old, report.new))
    };
    format!(
        "{sums}        Help {} changes: --verbose lists them, and so does `{diff}`\n",
        report.changes.len()
    )
}

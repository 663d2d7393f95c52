//! The report for people at a terminal: the worst first; changes of documentation and extensions are only counted.

use std::fmt::{self, Write};

use anstyle::{AnsiColor, Style};
use openapi_document::finding;
use openapi_document::readable::{counted, line};

use super::attribution::{Entry, Report, Rust};
use super::folded::{Folded, fold};
use super::groups::{groups, sentence, some};
use super::numbers::numbers;
use crate::verdicts::{Change, Direction, Wire};

/// Number of warnings shown.
const WARNINGS: usize = 6;

/// Returns the report for a terminal, with colour codes if `colour` is true. Equal changes are folded unless `is_expanded` is true.
pub fn text(report: &Report, colour: bool, is_expanded: bool) -> String {
    let mut screen = Screen {
        report,
        colour,
        is_expanded,
        out: String::new(),
    };
    // Writing into a string does not fail.
    let _ = screen.write();
    screen.out
}

/// The text of a report.
struct Screen<'r> {
    report: &'r Report,
    colour: bool,
    is_expanded: bool,
    out: String,
}

impl Screen<'_> {
    fn paint(&self, style: Style) -> Style {
        if self.colour { style } else { Style::new() }
    }

    fn bold(&self) -> Style {
        self.paint(Style::new().bold())
    }

    fn write(&mut self) -> fmt::Result {
        let report = self.report;
        let bold = self.bold();
        self.write_changes()?;
        if !report.unattributed.is_empty() {
            let heading = "Other Rust changes";
            writeln!(self.out, "\n{bold}{heading}{bold:#}")?;
            for difference in &report.unattributed {
                let sentence = line(&difference.sentence);
                writeln!(self.out, "  {:<8}  {sentence}", difference.bump)?;
            }
        }
        let most = if self.is_expanded {
            usize::MAX
        } else {
            WARNINGS
        };
        let obstacles = report.obstacles.iter().take(most);
        let warnings = report.warnings.iter().take(most);
        for finding in report.findings.iter().chain(obstacles).chain(warnings) {
            writeln!(self.out, "\n{finding}")?;
        }
        let left = finding::count(report.warnings.iter().skip(most));
        if left > 0 {
            let left = counted(left, "more warning");
            writeln!(self.out, "\nwarning: {left}, which `--expand` lists")?;
        }
        if !self.out.is_empty() {
            writeln!(self.out)?;
        }
        self.write_summary()
    }

    /// Writes the changes by their groups.
    fn write_changes(&mut self) -> fmt::Result {
        let (bold, is_expanded) = (self.bold(), self.is_expanded);
        let changes = self.report.changes.iter();
        let shown: Vec<&Entry> = changes.filter(|entry| entry.is_shown()).collect();
        let (single, folded) = if is_expanded {
            (shown, Vec::new())
        } else {
            fold(&shown)
        };
        for group in &folded {
            self.write_group(group)?;
        }
        for (index, group) in groups(&single).into_iter().enumerate() {
            if index > 0 || !folded.is_empty() {
                writeln!(self.out)?;
            }
            let heading = &group.heading;
            writeln!(self.out, "{bold}{}{bold:#}", line(heading))?;
            let entries = group.entries.as_slice();
            for list in entries.chunk_by(|one, next| !is_expanded && one.is_of_list(next)) {
                if let Some(first) = list.first() {
                    self.write_entry(first, heading, &sentence(first, list, heading))?;
                }
            }
        }
        Ok(())
    }

    /// Writes the last lines: counted changes, and the verdicts.
    fn write_summary(&mut self) -> fmt::Result {
        let report = self.report;
        let changes = report.changes.iter();
        let aside = changes.filter(|entry| !entry.is_shown()).count();
        if aside > 0 {
            let places = counted(aside, "place");
            writeln!(
                self.out,
                "     Changed {places} without effect, in documentation or extensions, not listed"
            )?;
        }
        writeln!(self.out, "{:>12} {}", "Wire", verdict(report))?;
        match report.obstacles.as_slice() {
            [] if report.rust == Rust::Unknown => Ok(()),
            [] => writeln!(self.out, "{:>12} {}", "Rust", report.rust),
            [first, others @ ..] => {
                let more = match others.len() {
                    0 => String::new(),
                    number => format!("; {} more", counted(number, "finding")),
                };
                let (file, pointer) = (&first.file, &first.pointer);
                let unknown = format!("{} ({file}#{pointer}{more})", first.message);
                writeln!(self.out, "{:>12} unknown: {}", "Rust", line(&unknown))
            }
        }
    }

    fn write_entry(&mut self, entry: &Entry, heading: &str, message: &str) -> fmt::Result {
        let change = &entry.change;
        let style = self.paint(match change.wire {
            Wire::Breaking => AnsiColor::Red.on_default().bold(),
            Wire::Risky => AnsiColor::Yellow.on_default(),
            Wire::Safe | Wire::None => AnsiColor::Green.on_default(),
        });
        write!(self.out, "  {style}{:<8}{style:#}  ", change.wire)?;
        if self.report.rust != Rust::Unknown {
            write!(self.out, "{:<5}  ", entry.rust)?;
        }
        let direction = match change.direction {
            Direction::Request => " (request)",
            Direction::Response => " (response)",
            Direction::Both | Direction::None => "",
        };
        writeln!(self.out, "{}{direction}", line(message))?;
        let faint = self.paint(Style::new().dimmed());
        write!(self.out, "            {faint}{}", change.rule.id)?;
        let places = self.places(change);
        if !places.is_empty() {
            write!(self.out, " · {}", line(&places.join(" → ")))?;
        }
        writeln!(self.out, "{faint:#}")?;
        let others = some(&change.operations);
        if !others.is_empty() && others != heading && others != change.owner {
            let others = line(&others);
            writeln!(self.out, "            {faint}reaches {others}{faint:#}")?;
        }
        Ok(())
    }

    /// Writes several changes as one: their number, and the first of them.
    fn write_group(&mut self, group: &Folded<'_>) -> fmt::Result {
        let Some(first) = group.entries.first() else {
            return Ok(());
        };
        let bold = self.bold();
        if !self.out.is_empty() {
            writeln!(self.out)?;
        }
        let number = group.entries.len();
        let kind = if group.is_same { "kind" } else { "rule" };
        let owners = counted(group.owners(), "component or operation");
        let owners = owners.replace("component or operations", "components and operations");
        writeln!(
            self.out,
            "{bold}{number} changes of one {kind}, in {owners}{bold:#}"
        )?;
        let owner = &first.change.owner;
        let message = format!("{owner}: {}", first.change.message);
        self.write_entry(first, owner, &message)?;
        let left = number - 1;
        writeln!(
            self.out,
            "            and {left} more, which `--expand` lists"
        )
    }

    /// Returns the old and the new place of a change, as far as it has them.
    fn places(&self, change: &Change) -> Vec<String> {
        let old = change.old.iter().map(|place| (&self.report.old, place));
        let new = change.new.iter().map(|place| (&self.report.new, place));
        let both = old.chain(new).map(|(name, place)| {
            let file = place.file.as_deref().unwrap_or(name);
            format!("{file}:{}:{}", place.line, place.column)
        });
        both.collect()
    }
}

/// Returns the worst verdict, and the number of changes with each.
fn verdict(report: &Report) -> String {
    match numbers(report) {
        numbers if numbers.is_empty() => "nothing changes on the wire".to_owned(),
        numbers => format!("{}: {numbers}", report.wire),
    }
}

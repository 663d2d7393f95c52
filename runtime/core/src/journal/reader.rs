//! Reads the text of a journal. A last line that broke off is left out; any other line that cannot be read, or cannot follow the earlier ones, is an
//! error: what it said of money would be lost.

use super::earlier::Earlier;
use super::error::JournalError;
use super::line::{Line, Run};
use super::storage::Place;

impl Earlier {
    /// Parses a journal, and returns how many of its bytes are whole lines.
    pub(super) fn read(path: &str, text: &str, run: &Run) -> Result<(Self, usize), JournalError> {
        let not_a_journal = |line: u64, problem: String| JournalError::NotAJournal {
            path: path.to_owned(),
            line,
            problem,
        };
        let whole = match text.rfind('\n') {
            Some(end) => end.saturating_add(1),
            // The first line is written before the first call: where it broke off, nothing was paid.
            None if run.begins_with(text) => 0,
            None => {
                let problem = "the line is incomplete; if a run with other arguments was killed while writing it, nothing was paid, and the file can be deleted";
                return Err(not_a_journal(1, problem.to_owned()));
            }
        };
        let mut earlier = Self::default();
        let mut start = 0_u64;
        let lines = text.get(..whole).unwrap_or_default().split_terminator('\n');
        for (number, line) in (1_u64..).zip(lines) {
            let length = line.len();
            let line = serde_json::from_str(line)
                .map_err(|error| not_a_journal(number, error.to_string()))?;
            match &line {
                Line::Run(other) if !other.has_this_version() => {
                    return Err(JournalError::Version {
                        path: path.to_owned(),
                    });
                }
                Line::Run(other) => {
                    if let Some(difference) = run.difference(other) {
                        return Err(JournalError::OtherRun {
                            path: path.to_owned(),
                            difference,
                        });
                    }
                }
                _ if number == 1 => {
                    let problem = "it does not name its run";
                    return Err(not_a_journal(1, problem.to_owned()));
                }
                _ => {}
            }
            let checked = earlier.check(&line);
            checked.map_err(|problem| not_a_journal(number, problem))?;
            earlier.apply(&line, Place { start, length });
            let end = u64::try_from(length).unwrap_or(u64::MAX).saturating_add(1);
            start = start.saturating_add(end);
        }
        Ok((earlier, whole))
    }
}

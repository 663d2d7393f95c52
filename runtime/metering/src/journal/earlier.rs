//! Reads a journal: one pass over its lines says what is known of each input, and what runs have spent and at risk.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use generated_client::paging::Position;
use generated_client::request::StoredKey;

use super::attempts::{Attempts, Unknown};
use super::error::JournalError;
use super::line::{Line, Run};
use super::storage::Place;

/// How many records of an input are wanted.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// One response: of a list, one page.
    Page,
    /// This many records.
    Records(u64),
    /// All records.
    All,
}

/// What the lines so far say: of each input, and of the money.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// True if an earlier run began it.
    pub(super) goes_on: bool,
    /// Where the pages of an input go on.
    pub(super) positions: BTreeMap<String, Position>,
    /// All records are kept.
    pub(super) done: BTreeSet<String>,
    /// With how many records at most; `None` for one page.
    enough: BTreeMap<String, Option<u64>>,
    /// By the service, for good.
    pub(super) refused: BTreeSet<String>,
    /// Paid responses, in the order of their inputs.
    pub(super) brought: BTreeMap<String, Place>,
    pub(super) attempts: Attempts,
}

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
        for (number, line) in
            (1_u64..).zip(text.get(..whole).unwrap_or_default().split_terminator('\n'))
        {
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
            let applied = earlier.apply(&line, Place { start, length });
            applied.map_err(|error| not_a_journal(number, error.to_string()))?;
            let end = u64::try_from(length).unwrap_or(u64::MAX).saturating_add(1);
            start = start.saturating_add(end);
        }
        Ok((earlier, whole))
    }

    /// Adds a line, which stands at this place.
    pub(super) fn apply(&mut self, line: &Line, place: Place) -> Result<(), Unknown> {
        match line {
            Line::Run(_) => self.goes_on = true,
            Line::Passed { input } => self.attempts.resolve(input),
            Line::Brought { input, .. } => {
                self.attempts.resolve(input);
                self.brought.insert(input.clone(), place);
            }
            Line::Within { input, position } => {
                self.positions.insert(input.clone(), position.clone());
            }
            Line::At { input, position } => {
                self.attempts.resolve(input);
                self.positions.insert(input.clone(), position.clone());
            }
            Line::Enough { input, most } => {
                // The rest of its page is paid for, and would be asked for with it again.
                let position = self.positions.get(input);
                if position.is_none_or(|position| position.delivered_of_page() == 0) {
                    self.attempts.resolve(input);
                }
                self.enough.insert(input.clone(), *most);
            }
            Line::Done { input } => {
                self.attempts.resolve(input);
                self.done.insert(input.clone());
            }
            Line::Refused { input, .. } => {
                self.attempts.resolve(input);
                self.refused.insert(input.clone());
            }
            Line::Interrupted {}
            | Line::Attempt(_)
            | Line::Charged { .. }
            | Line::Refunded { .. }
            | Line::AtRisk { .. }
            | Line::Repriced { .. }
            | Line::Replaced { .. }
            | Line::Settled { .. } => return self.attempts.apply(line),
        }
        Ok(())
    }

    /// Returns the idempotency key of a lost call of an input, if the service certainly remembers it: it remembers a key for this time. A call
    /// with the key is the same work. A call that a person has settled has none.
    pub(super) fn lost_key(&self, input: &str, window: Option<Duration>) -> Option<StoredKey> {
        let used = self.attempts.lost_key(input)?;
        let age = used.at.age()?;
        (age < window?).then(|| StoredKey {
            key: used.key.into(),
            age,
        })
    }

    /// Returns whether an input has as much as is wanted, or was refused for good.
    pub(super) fn is_done(&self, input: &str, wanted: Wanted) -> bool {
        let enough = match (self.enough.get(input), wanted) {
            (None, _) | (_, Wanted::All) => false,
            (Some(_), Wanted::Page) => true,
            (Some(had), Wanted::Records(most)) => had.is_some_and(|had| had >= most),
        };
        enough || self.done.contains(input) || self.refused.contains(input)
    }

    /// Returns whether a call of an input was or may have been billed, but returned only a part of a page, or nothing.
    pub(super) fn is_unsure(&self, input: &str) -> bool {
        self.attempts.is_unresolved(input)
    }
}

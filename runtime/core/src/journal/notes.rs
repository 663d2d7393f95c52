//! Writes the lines of a journal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use super::earlier::Earlier;
use super::error::JournalError;
use super::input::Input;
use super::line::{Attempt, Line, Run};
use super::storage::{Place, Storage};
use crate::lock::lock;
use crate::money::Usage;
use crate::money::budget::{AtRiskId, Budget, Entry, Recorder, Sent, Unrecorded};
use crate::money::credits::Credits;

/// An open journal, as its handle and its budget share it.
pub(super) struct Notes {
    pub(super) path: String,
    pub(super) run: Run,
    state: Mutex<State>,
}

pub(super) struct State {
    pub(super) storage: Storage,
    pub(super) earlier: Earlier,
    /// Inputs that are being called.
    pub(super) calling: BTreeSet<String>,
    /// True if inputs are called again whose calls may have been billed.
    pub(super) is_again: bool,
    /// How many calls in a row have found no service.
    pub(super) unanswered: u32,
    /// Why a line could not be written. Lines after half a line could not be read, nor those after one that is missing.
    broken: Option<String>,
    /// The attempts of the calls at risk in the budget.
    at_risk: BTreeMap<AtRiskId, Vec<u64>>,
    /// The budget of all runs, once it is asked for.
    pub(super) budget: Option<Budget>,
}

impl State {
    /// Appends a line that can follow the earlier ones: another one would make the file unreadable.
    fn append(&mut self, line: &Line) -> Result<(), String> {
        if let Some(problem) = &self.broken {
            return Err(problem.clone());
        }
        self.earlier.check(line)?;
        let mut text = serde_json::to_string(line).unwrap_or_default();
        let length = text.len();
        text.push('\n');
        let is_read_again = matches!(line, Line::Brought { .. });
        let appended = self.storage.append(text.as_bytes(), is_read_again);
        let start = appended.map_err(|error| error.to_string())?;
        self.earlier.apply(line, Place { start, length });
        Ok(())
    }

    /// Returns the calls at risk in the budget that have one of these attempts.
    pub(super) fn calls_at_risk(&self, attempts: &[u64]) -> Vec<AtRiskId> {
        let calls = self.at_risk.iter();
        let own = calls.filter(|(_, of_call)| of_call.iter().any(|one| attempts.contains(one)));
        own.map(|(id, _)| *id).collect()
    }

    /// Removes calls from those at risk, and returns their attempts.
    fn take(&mut self, ids: &[AtRiskId]) -> Vec<u64> {
        let attempts = ids.iter().filter_map(|id| self.at_risk.remove(id));
        attempts.flatten().collect()
    }
}

impl Notes {
    pub(super) fn new(path: String, run: Run, storage: Storage, earlier: Earlier) -> Self {
        let state = State {
            storage,
            earlier,
            calling: BTreeSet::new(),
            is_again: false,
            unanswered: 0,
            broken: None,
            at_risk: BTreeMap::new(),
            budget: None,
        };
        Self {
            path,
            run,
            state: Mutex::new(state),
        }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        #[cfg(test)]
        crate::money::budget::tests::model::switch_point();
        lock(&self.state)
    }

    /// Returns what `read` reads of a known input.
    pub(super) fn known<T: Default>(&self, input: &str, read: impl FnOnce(&Input) -> T) -> T {
        let state = self.state();
        let known = state.earlier.inputs.get(input);
        known.map(read).unwrap_or_default()
    }

    /// Returns the budget that goes on with what earlier runs have spent and at risk, and notes its attempts here. The limit is that of the
    /// first call.
    pub(super) fn budget(self: &Arc<Self>, limit: Option<Credits>) -> Budget {
        let mut state = self.state();
        if let Some(budget) = &state.budget {
            return budget.clone();
        }
        let usage = Usage {
            limit,
            ..state.earlier.usage()
        };
        let lost = state.earlier.lost();
        let calls = lost.iter().map(|call| (call.label.clone(), call.amount));
        let (budget, ids) = Budget::resume_calls(limit, &usage, calls);
        let attempts = lost.into_iter().map(|call| call.attempts);
        state.at_risk = ids.into_iter().zip(attempts).collect();
        budget.record_to(Arc::downgrade(self));
        state.budget.insert(budget).clone()
    }

    /// Returns why no later line can be written.
    pub(super) fn check(&self) -> Result<(), JournalError> {
        match &self.state().broken {
            None => Ok(()),
            Some(problem) => Err(self.unwritable(problem.clone())),
        }
    }

    fn unwritable(&self, problem: String) -> JournalError {
        JournalError::Unwritable {
            path: self.path.clone(),
            problem,
        }
    }

    /// Appends a line about what calls have brought, as [`note`](Self::note) does.
    pub(super) fn write(&self, line: Line) -> Result<(), JournalError> {
        let mut state = self.state();
        state.unanswered = 0;
        self.note(&mut state, &[line])
    }

    /// Notes an entry of the budget. If it cannot be written, no later note can be, and the attempt is at risk in the next run.
    fn record(&self, entry: Entry<'_>) {
        let mut state = self.state();
        let mut lines = Vec::new();
        match entry {
            Entry::Charged(sent, credits) => {
                let attempt = number(&state, sent, &mut lines);
                lines.push(Line::Charged { attempt, credits });
            }
            Entry::Refunded(attempt) => lines.push(Line::Refunded { attempt }),
            Entry::AtRisk(sent, id) => {
                let attempt = number(&state, sent, &mut lines);
                state.at_risk.insert(id, vec![attempt]);
                lines.push(Line::AtRisk {
                    attempt,
                    credits: sent.at_risk,
                    request_id: sent.call.request_id.clone(),
                });
            }
            Entry::Repriced(id, credits) => {
                let attempts = state.at_risk.get(&id).cloned();
                lines.extend(attempts.map(|attempts| Line::Repriced { attempts, credits }));
            }
            Entry::Settled(ids, credits) => {
                let attempts = state.take(ids);
                lines.push(Line::Settled { attempts, credits });
            }
            Entry::Replaced(ids) => {
                let attempts = state.take(ids);
                // Those of free calls are not noted.
                if !attempts.is_empty() {
                    lines.push(Line::Replaced { attempts });
                }
            }
        }
        // The error stays in the state: the next note fails.
        _ = self.note(&mut state, &lines);
    }

    /// Appends lines, behind the one that says which run the journal is of. After a line that cannot be appended, no other is.
    pub(super) fn note(&self, state: &mut State, lines: &[Line]) -> Result<(), JournalError> {
        let first = (!state.earlier.goes_on).then(|| Line::Run(self.run.clone()));
        for line in first.iter().chain(lines) {
            if let Err(problem) = state.append(line) {
                state.broken = Some(problem.clone());
                return Err(self.unwritable(problem));
            }
        }
        Ok(())
    }
}

/// Returns the number of an attempt that ends, and adds its first line if there is none.
fn number(state: &State, sent: Sent<'_>, lines: &mut Vec<Line>) -> u64 {
    sent.number.unwrap_or_else(|| {
        lines.push(Line::Attempt(Attempt::new(sent)));
        state.earlier.count.saturating_add(1)
    })
}

/// The recorder of a budget. It does not keep the journal open.
impl Recorder for Weak<Notes> {
    fn check(&self) -> Result<(), Unrecorded> {
        match self.upgrade() {
            Some(notes) => Ok(notes.check()?),
            None => Err("the journal is closed".into()),
        }
    }

    fn sent(&self, attempt: Sent<'_>) -> Option<u64> {
        let notes = self.upgrade()?;
        let mut state = notes.state();
        let line = Line::Attempt(Attempt::new(attempt));
        notes.note(&mut state, &[line]).ok()?;
        Some(state.earlier.count)
    }

    fn record(&self, entry: Entry<'_>) {
        if let Some(notes) = self.upgrade() {
            notes.record(entry);
        }
    }
}

//! Writes the lines of a journal.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::book::Book;
use super::earlier::Earlier;
use super::error::JournalError;
use super::line::{Attempt, Line, Run, Timestamp};
use super::storage::{Place, Storage};
use crate::money::ledger::{AtRiskId, CallLabel, Entry, Ledger};
use crate::money::reconciliation::Cost;

/// An open journal, as its handle and its ledger share it.
pub(super) struct Notes {
    pub(super) path: String,
    pub(super) run: Run,
    state: Mutex<State>,
}

pub(super) struct State {
    pub(super) storage: Storage,
    pub(super) earlier: Earlier,
    /// Why a line could not be written. Lines after half a line could not be read.
    broken: Option<String>,
    /// The numbers of the attempts of this run that are at risk.
    at_risk: BTreeMap<AtRiskId, u64>,
}

impl Notes {
    pub(super) fn new(path: String, run: Run, storage: Storage, earlier: Earlier) -> Self {
        let state = State {
            storage,
            earlier,
            broken: None,
            at_risk: BTreeMap::new(),
        };
        Self {
            path,
            run,
            state: Mutex::new(state),
        }
    }

    /// Locks the state, even if it is poisoned: a thread that panics leaves only whole lines behind.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Names the calls of unknown price in what earlier runs have at risk.
    pub(super) fn name_earlier(&self, ledger: &Ledger) {
        let mut state = self.state();
        for (number, attempt) in state.earlier.take_unpriced() {
            let Cost::AtRisk(Some(amount)) = attempt.cost else {
                continue;
            };
            let call = CallLabel {
                operation: attempt.operation.into(),
                attempt: attempt.number,
                request_id: attempt.request_id,
                idempotency_key: None,
                unpriced: attempt.unpriced,
            };
            if let Some(id) = ledger.name_earlier(call, amount) {
                state.at_risk.insert(id, number);
            }
        }
    }

    /// Reads all attempts.
    pub(super) fn book(&self) -> Result<Book, JournalError> {
        let text = self.state().storage.text();
        let text = text.map_err(|source| JournalError::File {
            path: self.path.clone(),
            source,
        })?;
        Ok(Book::read(&text))
    }

    /// Notes an entry of the ledger. If it cannot be written, no later note can be.
    pub(super) fn record(&self, entry: Entry<'_>) {
        let mut state = self.state();
        let numbered = |state: &State, ids: &[AtRiskId]| -> Vec<u64> {
            let numbers = ids.iter().filter_map(|id| state.at_risk.get(id));
            numbers.copied().collect()
        };
        let line = match entry {
            Entry::Charged(call, charged) => Some(attempt(call, Cost::Charged(charged))),
            Entry::AtRisk(id, call, amount) => {
                let number = state.earlier.attempts.saturating_add(1);
                state.at_risk.insert(id, number);
                Some(attempt(call, Cost::AtRisk(amount)))
            }
            Entry::Repriced(id, at_risk) => {
                let attempt = state.at_risk.get(&id).copied();
                attempt.map(|attempt| Line::Repriced { attempt, at_risk })
            }
            Entry::Settled(ids, charged) => {
                if ids.iter().any(|id| !state.at_risk.contains_key(id)) {
                    _ = self.note(&mut state, &[Line::EarlierSettled {}]);
                }
                let attempts = numbered(&state, ids);
                state.at_risk.retain(|id, _| !ids.contains(id));
                (!attempts.is_empty()).then_some(Line::Resolved { attempts, charged })
            }
            Entry::Reconciled(charged) => {
                state.at_risk.clear();
                Some(Line::Reconciled { charged })
            }
        };
        if let Some(line) = line {
            // The error stays in the state: the next note fails.
            _ = self.note(&mut state, &[line]);
        }
    }

    /// Appends lines in one step, behind the one that says which run the journal is of.
    pub(super) fn note(&self, state: &mut State, lines: &[Line]) -> Result<(), JournalError> {
        let first = (!state.earlier.goes_on).then(|| Line::Run(self.run.clone()));
        let lines: Vec<&Line> = first.iter().chain(lines).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let mut text = String::new();
        let mut places = Vec::new();
        for line in &lines {
            let line = serde_json::to_string(line).unwrap_or_default();
            places.push((text.len(), line.len()));
            text.push_str(&line);
            text.push('\n');
        }
        let written = match state.broken.take() {
            None => {
                let written = state.storage.append(text.as_bytes());
                written.map_err(|error| error.to_string())
            }
            Some(error) => Err(error),
        };
        let at = written.map_err(|problem| {
            state.broken = Some(problem.clone());
            JournalError::Unwritable {
                path: self.path.clone(),
                problem,
            }
        })?;
        for (line, (offset, length)) in lines.into_iter().zip(places) {
            let start = at.saturating_add(u64::try_from(offset).unwrap_or(u64::MAX));
            state.earlier.apply(line, Place { start, length });
        }
        Ok(())
    }
}

fn attempt(call: &CallLabel, cost: Cost) -> Line {
    Line::Attempt(Attempt {
        operation: call.operation.to_string(),
        number: call.attempt,
        at: Timestamp::now(),
        request_id: call.request_id.clone(),
        idempotency_key: call.idempotency_key.clone(),
        unpriced: call.unpriced.clone(),
        cost,
    })
}

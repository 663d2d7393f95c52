//! The attempts of a journal, to compare them with a statement.

use std::collections::BTreeMap;
use std::time::SystemTime;

use super::line::{Attempt, KeptKey, Line, LostCall, Timestamp, lines};
use crate::money::Usage;
use crate::money::credits::Credits;
use crate::money::reconciliation::{BookEntry, Cost};

/// Identifies an entry of [`Journal::entries`](super::Journal::entries).
///
/// ```
/// use metered_client::Credits;
/// use metered_client::journal::{EntryId, Journal, JournalError};
///
/// fn was_free(journal: &Journal, input: &str) -> Result<bool, JournalError> {
///     journal.settle(&EntryId::Lost(input.to_owned()), Credits::ZERO)
/// }
/// # assert!(!was_free(&Journal::in_memory("things"), "a")?);
/// # Ok::<(), JournalError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum EntryId {
    /// The attempt with this number, from 1 on.
    Attempt(u64),
    /// The call of this input, in which an earlier run broke off.
    Lost(String),
}

/// All attempts, and what else settling one of them needs.
#[derive(Debug, Default)]
pub(super) struct Book {
    attempts: Vec<BookEntry<EntryId>>,
    /// Calls in which an earlier run broke off, in their order.
    lost: Vec<BookEntry<EntryId>>,
    /// Calls whose end is unknown.
    begun: BTreeMap<String, (Option<Credits>, Option<KeptKey>)>,
    /// The calls of inputs that may have been billed.
    unsure: BTreeMap<String, LostCall>,
}

impl Book {
    /// Reads a journal, without the line that broke off.
    pub(super) fn read(text: &str) -> Self {
        let mut book = Self::default();
        for line in lines(text) {
            if let Ok(line) = serde_json::from_str(line) {
                book.apply(line);
            }
        }
        book
    }

    pub(super) fn into_entries(self) -> Vec<BookEntry<EntryId>> {
        self.attempts.into_iter().chain(self.lost).collect()
    }

    fn apply(&mut self, line: Line) {
        match line {
            Line::Run(_) | Line::Usage(_) | Line::EarlierSettled {} => {}
            Line::Attempt(attempt) => {
                let number = u64::try_from(self.attempts.len()).unwrap_or(u64::MAX);
                let id = EntryId::Attempt(number.saturating_add(1));
                self.attempts.push(entry(id, attempt));
            }
            Line::Repriced { attempt, at_risk } => {
                if let Some(entry) = self.attempt_mut(attempt) {
                    entry.cost = Cost::AtRisk(Some(at_risk));
                }
            }
            Line::Resolved { attempts, charged } => {
                for (attempt, charged) in attempts.into_iter().zip(costs(charged)) {
                    if let Some(entry) = self.attempt_mut(attempt) {
                        entry.cost = Cost::Charged(charged);
                    }
                }
            }
            Line::Reconciled { charged } => {
                let all = self.attempts.iter_mut().chain(&mut self.lost);
                let open = all.filter(|entry| entry.is_at_risk());
                for (entry, charged) in open.zip(costs(charged)) {
                    entry.cost = Cost::Charged(charged);
                }
            }
            Line::Began {
                input,
                at_most,
                key,
            } => {
                self.begun.insert(input, (at_most, key));
            }
            Line::Lost { input, at_risk: _ } => {
                let begun = self.begun.remove(&input);
                let key = begun.as_ref().and_then(|(_, key)| key.as_ref());
                let call = LostCall {
                    idempotency_key: key.map(|kept| kept.key.clone()),
                    ..LostCall::default()
                };
                self.unsure.insert(input.clone(), call);
                let entry = begun.map(|(at_most, key)| lost(input, at_most, key));
                // The process noted the attempt, and not its end.
                self.lost.extend(entry.filter(|entry| {
                    let key = &entry.idempotency_key;
                    let mut open = self.attempts.iter().filter(|entry| entry.is_at_risk());
                    key.is_none() || !open.any(|attempt| attempt.idempotency_key == *key)
                }));
            }
            Line::Found { input, charged } => {
                let lost = self.lost.iter_mut().filter(|entry| entry.is_at_risk());
                let mut lost = lost.filter(|entry| entry.id == EntryId::Lost(input.clone()));
                if let Some(entry) = lost.next_back() {
                    entry.cost = Cost::Charged(charged);
                }
                if charged == Credits::ZERO {
                    self.replaced(&input);
                }
            }
            Line::Unsure { input, call } => {
                self.begun.remove(&input);
                self.unsure.insert(input, call);
            }
            // It says nothing of an earlier call.
            Line::Settled { input } => {
                self.begun.remove(&input);
            }
            Line::Brought { input, .. }
            | Line::Within { input, .. }
            | Line::At { input, .. }
            | Line::Enough { input, .. }
            | Line::Done { input }
            | Line::Refused { input, .. } => {
                self.begun.remove(&input);
                self.unsure.remove(&input);
            }
        }
    }

    /// Settles the attempts with the key of a lost call before the last one: all are the same work.
    fn replaced(&mut self, input: &str) {
        let Some(call) = self.unsure.get(input) else {
            return;
        };
        let mut same: Vec<_> = self.attempts.iter_mut().collect();
        same.retain(|attempt| call.has_key_of(attempt));
        same.pop();
        for attempt in same.into_iter().filter(|attempt| attempt.is_at_risk()) {
            attempt.cost = Cost::Charged(Credits::ZERO);
        }
    }

    fn attempt_mut(&mut self, number: u64) -> Option<&mut BookEntry<EntryId>> {
        let place = usize::try_from(number.checked_sub(1)?).ok()?;
        self.attempts.get_mut(place)
    }

    fn open(&self) -> impl Iterator<Item = &BookEntry<EntryId>> {
        let all = self.attempts.iter().chain(&self.lost);
        all.filter(|entry| entry.is_at_risk())
    }

    /// Returns the lines that settle an entry; `None` if it is not at risk.
    pub(super) fn settled(
        &self,
        id: &EntryId,
        charged: Credits,
        usage: Usage,
    ) -> Option<Vec<Line>> {
        let mut same = self.open().filter(|entry| entry.id == *id);
        // Several calls of one input were killed: which of them it is, is unknown.
        let (Some(entry), None) = (same.next(), same.next()) else {
            return None;
        };
        let is_last = self.open().nth(1).is_none();
        let used = |credits: Credits| u128::from(credits.micros());
        let open = used(usage.at_risk).saturating_add(used(usage.reserved));
        let (left, is_surprise) = match entry.cost {
            // Nothing else is at risk.
            Cost::AtRisk(None) if is_last => (0, false),
            Cost::AtRisk(amount) => {
                let amount = amount.unwrap_or_default();
                (open.saturating_sub(used(amount)), charged > amount)
            }
            Cost::Charged(_) => return None,
        };
        let spent = usage.spent.micros().saturating_add(charged.micros());
        let usage = Usage {
            spent: Credits::from_micros(spent),
            reserved: Credits::ZERO,
            at_risk: Credits::from_micros(u64::try_from(left).unwrap_or(u64::MAX)),
            surprises: usage.surprises.saturating_add(is_surprise.into()),
            ..usage
        };
        let found = |input: &str| Line::Found {
            input: input.to_owned(),
            charged,
        };
        let mut settled = match id {
            EntryId::Lost(input) => vec![found(input)],
            EntryId::Attempt(number) => vec![Line::Resolved {
                attempts: vec![*number],
                charged,
            }],
        };
        if charged == Credits::ZERO {
            let freed = self.unsure.iter().filter(|(_, call)| call.is_of(entry));
            settled.extend(freed.map(|(input, _)| found(input)));
        }
        settled.push(Line::Usage(usage));
        Some(settled)
    }
}

impl LostCall {
    /// Returns whether an entry is certainly its attempt.
    fn is_of(&self, entry: &BookEntry<EntryId>) -> bool {
        let is_same = self.request_id.is_some() && self.request_id == entry.request_id;
        is_same || self.has_key_of(entry)
    }

    fn has_key_of(&self, entry: &BookEntry<EntryId>) -> bool {
        self.idempotency_key.is_some() && self.idempotency_key == entry.idempotency_key
    }
}

/// Returns the costs of calls that cost this much together: the first has all of it.
fn costs(charged: Credits) -> impl Iterator<Item = Credits> {
    [charged]
        .into_iter()
        .chain(std::iter::repeat(Credits::ZERO))
}

fn entry(id: EntryId, attempt: Attempt) -> BookEntry<EntryId> {
    BookEntry {
        id,
        operation: attempt.operation,
        attempt: attempt.number,
        at: attempt.at.time(),
        request_id: attempt.request_id,
        idempotency_key: attempt.idempotency_key,
        cost: attempt.cost,
    }
}

fn lost(input: String, at_most: Option<Credits>, key: Option<KeptKey>) -> BookEntry<EntryId> {
    let at = key.as_ref().map(|key| key.at);
    BookEntry {
        id: EntryId::Lost(input),
        operation: String::new(),
        attempt: 1,
        at: at.map_or(SystemTime::UNIX_EPOCH, Timestamp::time),
        request_id: None,
        idempotency_key: key.map(|key| key.key),
        cost: Cost::AtRisk(at_most),
    }
}

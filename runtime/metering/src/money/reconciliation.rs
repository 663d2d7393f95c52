//! Reconciling: the charges on a statement of the provider, compared with the books.
//!
//! The books are the calls at risk of a [`Ledger`](crate::Ledger::at_risk) or of an account, and all attempts of a journal. A line of the
//! statement and an entry of the books belong together if they have the same request id or the same idempotency key. Nothing is matched by
//! its amount or its time.
//!
//! ```
//! use metered_client::error::BudgetError;
//! use metered_client::money::reconciliation::{BookEntry, Cost, Match, Reconciliation, StatementLine};
//! use metered_client::{Credits, Ledger};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), BudgetError> {
//! let ledger = Ledger::with_budget(Credits::new(10));
//! let mut reservation = ledger.reserve(Credits::new(4)).await?;
//! reservation.request_id(Some("5f3a".to_owned()));
//! reservation.at_risk();
//!
//! // What the provider's account shows, read from its CSV for example.
//! let statement = [StatementLine { credits: Credits::new(3), request_id: Some("5f3a".to_owned()), ..StatementLine::default() }];
//! let books = ledger.at_risk().into_iter().map(BookEntry::from);
//! let found = Reconciliation::of(statement, books);
//! let resolved: &[Match<_>] = &found.resolved;
//! assert_eq!(resolved[0].entries[0].cost, Cost::AtRisk(Some(Credits::new(4))));
//! assert_eq!(resolved[0].charged(), Credits::new(3));
//! for (call, charged) in found.settlements() {
//!     ledger.settle(call, charged);
//! }
//! assert_eq!(ledger.usage().spent, Credits::new(3));
//! assert_eq!(ledger.usage().at_risk, Credits::ZERO);
//! # Ok(())
//! # }
//! ```

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::ledger::{AtRisk, AtRiskId};
use crate::money::credits::Credits;

/// A charge on a statement of the provider.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StatementLine {
    /// Number of its line or record, from 1 on.
    pub number: u64,
    /// The charge.
    pub credits: Credits,
    /// The operation, as the provider calls it. It identifies nothing.
    pub operation: Option<String>,
    /// The request id.
    pub request_id: Option<String>,
    /// The idempotency key.
    pub idempotency_key: Option<String>,
}

/// An attempt in the books.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BookEntry<Id> {
    /// By which it can be settled.
    pub id: Id,
    /// The operation, by its `operationId`; empty where that is unknown.
    pub operation: String,
    /// Number of the attempt, from 1 on.
    pub attempt: u32,
    /// When it ended, or became at risk.
    pub at: SystemTime,
    /// The request id of its response.
    pub request_id: Option<String>,
    /// The idempotency key of its call.
    pub idempotency_key: Option<String>,
    /// The cost.
    pub cost: Cost,
}

/// The cost of an attempt in the books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// The attempt was charged this much.
    Charged(Credits),
    /// The attempt may have been charged this much; `None` if its price is unknown.
    AtRisk(Option<Credits>),
}

impl<Id> BookEntry<Id> {
    /// Returns whether its cost is unknown.
    pub fn is_at_risk(&self) -> bool {
        matches!(self.cost, Cost::AtRisk(_))
    }
}

impl From<AtRisk> for BookEntry<AtRiskId> {
    fn from(risk: AtRisk) -> Self {
        Self {
            id: risk.id,
            operation: risk.call.operation.into_owned(),
            attempt: risk.call.attempt,
            at: risk.at,
            request_id: risk.call.request_id,
            idempotency_key: risk.call.idempotency_key,
            cost: Cost::AtRisk(risk.amount),
        }
    }
}

/// Lines of a statement and entries of the books with the same ids.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Match<Id> {
    /// The lines.
    pub lines: Vec<StatementLine>,
    /// The entries.
    pub entries: Vec<BookEntry<Id>>,
}

impl<Id> Match<Id> {
    /// Returns what the statement charges.
    pub fn charged(&self) -> Credits {
        sum(self.lines.iter().map(|line| line.credits))
    }

    /// Returns what the books have as charged.
    pub fn booked(&self) -> Credits {
        let charged = self.entries.iter().map(|entry| match entry.cost {
            Cost::Charged(credits) => credits,
            Cost::AtRisk(_) => Credits::ZERO,
        });
        sum(charged)
    }
}

/// The comparison of a statement with the books.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reconciliation<Id> {
    /// The books have what was charged.
    pub matched: Vec<Match<Id>>,
    /// The books have calls at risk, and the statement says what they cost.
    pub resolved: Vec<Match<Id>>,
    /// The books have another charge than the statement.
    pub differing: Vec<Match<Id>>,
    /// Charged, and not in these books: other programs with the same key, or calls that the books have lost.
    pub not_booked: Vec<StatementLine>,
    /// In the books, and not on the statement: it is of another time, or they were not charged.
    pub not_charged: Vec<BookEntry<Id>>,
    /// Charges without an id.
    pub unidentified_lines: Vec<StatementLine>,
    /// Entries without an id.
    pub unidentified_entries: Vec<BookEntry<Id>>,
}

impl<Id: Clone> Reconciliation<Id> {
    /// Compares the lines of a statement with the entries of the books.
    pub fn of(
        statement: impl IntoIterator<Item = StatementLine>,
        books: impl IntoIterator<Item = BookEntry<Id>>,
    ) -> Self {
        let mut groups = Groups::default();
        let (mut unidentified_lines, mut unidentified_entries) = (Vec::new(), Vec::new());
        for line in statement {
            match groups.of(line.request_id.as_deref(), line.idempotency_key.as_deref()) {
                Some(group) => group.lines.push(line),
                None => unidentified_lines.push(line),
            }
        }
        for entry in books {
            match groups.of(
                entry.request_id.as_deref(),
                entry.idempotency_key.as_deref(),
            ) {
                Some(group) => group.entries.push(entry),
                None => unidentified_entries.push(entry),
            }
        }
        let mut found = Self {
            matched: Vec::new(),
            resolved: Vec::new(),
            differing: Vec::new(),
            not_booked: Vec::new(),
            not_charged: Vec::new(),
            unidentified_lines,
            unidentified_entries,
        };
        for group in groups.all.into_iter().flatten() {
            let (charged, booked) = (group.charged(), group.booked());
            let is_open = group.entries.iter().any(BookEntry::is_at_risk);
            match (group.lines.is_empty(), group.entries.is_empty()) {
                (_, true) => found.not_booked.extend(group.lines),
                (true, false) => found.not_charged.extend(group.entries),
                _ if is_open && charged >= booked => found.resolved.push(group),
                _ if !is_open && charged == booked => found.matched.push(group),
                _ => found.differing.push(group),
            }
        }
        found
    }

    /// Returns each call at risk whose cost the statement says, with that cost. If the statement has one cost for several, the first has all
    /// of it.
    pub fn settlements(&self) -> impl Iterator<Item = (Id, Credits)> {
        self.resolved.iter().flat_map(|resolved| {
            let booked = resolved.booked().micros();
            let rest = resolved.charged().micros().saturating_sub(booked);
            let costs = [Credits::from_micros(rest)].into_iter();
            let costs = costs.chain(std::iter::repeat(Credits::ZERO));
            at_risk(&resolved.entries).zip(costs)
        })
    }

    /// Returns each identified call at risk that the statement lacks. If the statement has all charges of their time, they were free.
    pub fn absent(&self) -> impl Iterator<Item = Id> {
        at_risk(&self.not_charged)
    }

    /// Returns whether the books and the statement say the same, and nothing is at risk.
    pub fn is_clean(&self) -> bool {
        let Self {
            matched: _,
            resolved,
            differing,
            not_booked,
            not_charged,
            unidentified_lines,
            unidentified_entries,
        } = self;
        resolved.is_empty()
            && differing.is_empty()
            && not_booked.is_empty()
            && not_charged.is_empty()
            && unidentified_lines.is_empty()
            && unidentified_entries.is_empty()
    }
}

fn at_risk<Id: Clone>(entries: &[BookEntry<Id>]) -> impl Iterator<Item = Id> {
    let open = entries.iter().filter(|entry| entry.is_at_risk());
    open.map(|entry| entry.id.clone())
}

fn sum(amounts: impl Iterator<Item = Credits>) -> Credits {
    let micros = amounts.fold(0_u64, |sum, credits| sum.saturating_add(credits.micros()));
    Credits::from_micros(micros)
}

/// What one id leads to, and what the ids of that lead to.
struct Groups<Id> {
    /// A group that became a part of another one has the place of that.
    all: Vec<Result<Match<Id>, usize>>,
    /// By request id and by idempotency key.
    places: [BTreeMap<String, usize>; 2],
}

impl<Id> Default for Groups<Id> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            places: Default::default(),
        }
    }
}

impl<Id> Groups<Id> {
    /// Returns the group of these ids, which joins the groups that they had.
    fn of(&mut self, request_id: Option<&str>, key: Option<&str>) -> Option<&mut Match<Id>> {
        let ids = [request_id, key].map(|id| id.filter(|id| !id.is_empty()));
        let known = self.places.iter().zip(ids);
        let known = known.map(|(places, id)| places.get(id?).map(|place| self.root(*place)));
        let known: Vec<usize> = known.flatten().collect();
        let place = match known.as_slice() {
            [] if ids == [None; 2] => return None,
            [] => {
                self.all.push(Ok(Match {
                    lines: Vec::new(),
                    entries: Vec::new(),
                }));
                self.all.len().saturating_sub(1)
            }
            [one, other] if one != other => self.join(*one, *other),
            [place, ..] => *place,
        };
        for (places, id) in self.places.iter_mut().zip(ids) {
            if let Some(id) = id {
                places.entry(id.to_owned()).or_insert(place);
            }
        }
        self.all.get_mut(place)?.as_mut().ok()
    }

    fn root(&self, mut place: usize) -> usize {
        while let Some(Err(other)) = self.all.get(place) {
            place = *other;
        }
        place
    }

    /// Joins two groups, the smaller into the larger one, and returns the place of that.
    fn join(&mut self, one: usize, other: usize) -> usize {
        let size = |place: usize| match self.all.get(place) {
            Some(Ok(group)) => group.lines.len().saturating_add(group.entries.len()),
            _ => 0,
        };
        let (into, from) = match size(one) >= size(other) {
            true => (one, other),
            false => (other, one),
        };
        let part = self.all.get_mut(from);
        let part = part.map(|slot| std::mem::replace(slot, Err(into)));
        if let (Some(Ok(mut part)), Some(Ok(group))) = (part, self.all.get_mut(into)) {
            group.lines.append(&mut part.lines);
            group.entries.append(&mut part.entries);
        }
        into
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, credits: u32, request_id: &str, key: &str) -> StatementLine {
        let given = |id: &str| Some(id.to_owned()).filter(|id| !id.is_empty());
        StatementLine {
            number,
            credits: Credits::new(credits),
            operation: None,
            request_id: given(request_id),
            idempotency_key: given(key),
        }
    }

    fn entry(id: u64, cost: Cost, request_id: &str, key: &str) -> BookEntry<u64> {
        let ids = line(id, 0, request_id, key);
        BookEntry {
            id,
            operation: "getThing".to_owned(),
            attempt: 1,
            at: SystemTime::UNIX_EPOCH,
            request_id: ids.request_id,
            idempotency_key: ids.idempotency_key,
            cost,
        }
    }

    fn charged(id: u64, credits: u32, request_id: &str, key: &str) -> BookEntry<u64> {
        entry(id, Cost::Charged(Credits::new(credits)), request_id, key)
    }

    fn open(id: u64, request_id: &str, key: &str) -> BookEntry<u64> {
        entry(id, Cost::AtRisk(Some(Credits::new(9))), request_id, key)
    }

    /// Returns numbers of lines and entries, in the order of the fields.
    fn shown(found: &Reconciliation<u64>) -> String {
        let groups = |groups: &[Match<u64>]| {
            let shown = groups.iter().map(|group| {
                let lines = group.lines.iter().map(|line| line.number.to_string());
                let entries = group.entries.iter().map(|entry| entry.id.to_string());
                let joined = |all: Vec<String>| all.join(",");
                format!("{}={}", joined(lines.collect()), joined(entries.collect()))
            });
            shown.collect::<Vec<_>>().join(" ")
        };
        let lines = |lines: &[StatementLine]| {
            let shown: Vec<_> = lines.iter().map(|line| line.number.to_string()).collect();
            shown.join(",")
        };
        let entries = |entries: &[BookEntry<u64>]| {
            let shown: Vec<_> = entries.iter().map(|entry| entry.id.to_string()).collect();
            shown.join(",")
        };
        [
            groups(&found.matched),
            groups(&found.resolved),
            groups(&found.differing),
            lines(&found.not_booked),
            entries(&found.not_charged),
            lines(&found.unidentified_lines),
            entries(&found.unidentified_entries),
        ]
        .join(" | ")
    }

    #[test]
    fn lines_and_entries_meet_by_their_ids_alone() {
        let (free, two) = (0, 2);
        for (statement, books, expected, settlements) in [
            (vec![], vec![], " |  |  |  |  |  | ", vec![]),
            (
                vec![line(1, two, "a", "")],
                vec![charged(1, two, "a", "")],
                "1=1 |  |  |  |  |  | ",
                vec![],
            ),
            (
                vec![line(1, two, "a", "")],
                vec![charged(1, 1, "a", "")],
                " |  | 1=1 |  |  |  | ",
                vec![],
            ),
            // The same amount is no identity, and neither are ids of two kinds.
            (
                vec![line(1, two, "a", ""), line(2, two, "", "")],
                vec![charged(1, two, "", "a"), charged(2, two, "", "")],
                " |  |  | 1 | 1 | 2 | 2",
                vec![],
            ),
            (
                vec![line(1, two, "a", "")],
                vec![open(1, "a", "")],
                " | 1=1 |  |  |  |  | ",
                vec![(1, two)],
            ),
            (
                vec![line(1, free, "a", "")],
                vec![open(1, "a", "")],
                " | 1=1 |  |  |  |  | ",
                vec![(1, free)],
            ),
            // Attempts with one key are one charge.
            (
                vec![line(1, two, "", "k")],
                vec![open(1, "a", "k"), open(2, "", "k")],
                " | 1=1,2 |  |  |  |  | ",
                vec![(1, two), (2, free)],
            ),
            (
                vec![line(1, two, "", "k")],
                vec![open(1, "", "k"), charged(2, two, "b", "k")],
                " | 1=1,2 |  |  |  |  | ",
                vec![(1, free)],
            ),
            (
                vec![line(1, 1, "", "k")],
                vec![open(1, "", "k"), charged(2, two, "b", "k")],
                " |  | 1=1,2 |  |  |  | ",
                vec![],
            ),
            // A line with both ids joins what either of them leads to.
            (
                vec![
                    line(1, two, "a", ""),
                    line(2, two, "", "k"),
                    line(3, 1, "a", "k"),
                ],
                vec![charged(1, 5, "a", "")],
                "1,2,3=1 |  |  |  |  |  | ",
                vec![],
            ),
            (
                vec![],
                vec![open(1, "a", ""), charged(2, two, "b", ""), open(3, "", "")],
                " |  |  |  | 1,2 |  | 3",
                vec![],
            ),
        ] {
            let found = Reconciliation::of(statement.clone(), books.clone());
            let case = format!("{statement:?} {books:?}");
            assert_eq!(shown(&found), expected, "{case}");
            let is: Vec<_> = found.settlements().collect();
            let expected: Vec<_> = settlements
                .into_iter()
                .map(|(id, credits)| (id, Credits::new(credits)))
                .collect();
            assert_eq!(is, expected, "{case}");
            let is_clean = statement.is_empty() && books.is_empty() || found.matched.len() == 1;
            assert_eq!(found.is_clean(), is_clean, "{case}");
        }
    }

    #[test]
    fn only_calls_at_risk_can_be_absent() {
        let books = [open(1, "a", ""), charged(2, 2, "b", ""), open(3, "", "")];
        let found = Reconciliation::of([], books);
        assert_eq!(found.absent().collect::<Vec<_>>(), [1]);
    }
}

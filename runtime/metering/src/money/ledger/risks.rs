//! The list of calls at risk; each can be settled on its own.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use super::account::Share;
use super::accounts::AccountId;
use crate::money::credits::Credits;

/// How many calls at risk are listed. Older ones are kept only as sums, which `reconcile` settles.
pub(super) const LISTED: usize = 10_000;

/// The operation of the one entry of all calls that an earlier ledger had at risk.
pub(super) const EARLIER: &str = "earlier calls";

/// Identifies an entry of [`Ledger::at_risk`](crate::Ledger::at_risk). It is unique in the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtRiskId(u64);

/// One counter for all ledgers, which keeps ids unique across them.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A call that may have been charged: its outcome is unknown.
///
/// [`Ledger::settle`](crate::Ledger::settle) ends it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AtRisk {
    /// The id to pass to [`Ledger::settle`](crate::Ledger::settle).
    pub id: AtRiskId,
    /// The amount that the ledger reserved for it. `None` for a call of unknown price in a ledger without a limit.
    pub amount: Option<Credits>,
    /// When the outcome became unknown.
    pub at: SystemTime,
    /// The call.
    pub call: CallLabel,
}

/// Names a call in [`Ledger::at_risk`](crate::Ledger::at_risk), for a person who looks it up in the provider's account.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CallLabel {
    /// The operation, by its `operationId`.
    pub operation: Cow<'static, str>,
    /// Number of the attempt, from 1 on.
    pub attempt: u32,
    /// The request id from `X-Request-Id` or a similar response header.
    pub request_id: Option<String>,
    /// The idempotency key of the call, if the operation has one.
    pub idempotency_key: Option<String>,
    /// What the call is for, if it is a call of a journal.
    pub input: Option<Arc<str>>,
    /// The arguments that affect its price, if that was unknown when it was reserved.
    pub(crate) unpriced: Option<String>,
}

/// `listThings, attempt 1, request 5f3a`
impl fmt::Display for CallLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, attempt {}", self.operation, self.attempt)?;
        match &self.request_id {
            Some(id) => write!(f, ", request {id}"),
            None => Ok(()),
        }
    }
}

/// The list, in the order of time.
#[derive(Debug, Default)]
pub(super) struct Risks {
    entries: VecDeque<Risk>,
    /// Amounts at risk of calls that are no longer listed. Key: the account of the call; value: the sums in it and in its ancestors.
    unlisted: BTreeMap<AccountId, Sums>,
}

type Sums = BTreeMap<AccountId, u128>;

#[derive(Debug)]
pub(super) struct Risk {
    id: AtRiskId,
    at: SystemTime,
    call: CallLabel,
    /// From the account that was asked up to the root.
    pub(super) shares: Vec<(AccountId, Share)>,
}

impl Risk {
    fn share(&self, of: AccountId) -> Option<Share> {
        let place = self.shares.binary_search_by(|(id, _)| of.cmp(id)).ok()?;
        self.shares.get(place).map(|(_, share)| *share)
    }

    fn is_same_work(&self, call: &CallLabel) -> bool {
        self.call.idempotency_key == call.idempotency_key
            && self.call.operation == call.operation
            && self.call.input == call.input
    }
}

impl Risks {
    /// Adds a call at risk. `is_open`: whether an account still has a ledger.
    pub(super) fn add(
        &mut self,
        call: CallLabel,
        shares: Vec<(AccountId, Share)>,
        is_open: impl Fn(AccountId) -> bool,
    ) -> AtRiskId {
        let id = AtRiskId(NEXT.fetch_add(1, Ordering::Relaxed));
        if self.entries.len() >= LISTED
            && let Some(oldest) = self.entries.pop_front()
        {
            let mut sums = Sums::new();
            add_shares(&mut sums, &oldest.shares);
            sums.retain(|id, _| is_open(*id));
            self.keep(sums);
        }
        self.entries.push_back(Risk {
            id,
            at: SystemTime::now(),
            call,
            shares,
        });
        id
    }

    /// Returns the listed calls at risk of one account.
    pub(super) fn of(&self, account: AccountId) -> Vec<AtRisk> {
        let entries = self.entries.iter();
        let own = entries.filter_map(|risk| Some((risk, risk.share(account)?)));
        own.map(|(risk, amount)| AtRisk {
            id: risk.id,
            amount,
            at: risk.at,
            call: risk.call.clone(),
        })
        .collect()
    }

    /// Returns the calls of this operation whose price was unknown, with the arguments that affect it.
    pub(super) fn unpriced(&self, operation: &str) -> Vec<(AtRiskId, String)> {
        let own = self
            .entries
            .iter()
            .filter(|risk| risk.call.operation == operation);
        own.filter_map(|risk| Some((risk.id, risk.call.unpriced.clone()?)))
            .collect()
    }

    /// Returns the calls with the operation, the input and the idempotency key of this one, and at most this much at risk in an account.
    pub(super) fn same_work(
        &self,
        account: AccountId,
        call: &CallLabel,
        most: Option<Credits>,
    ) -> Vec<AtRiskId> {
        if call.idempotency_key.is_none() {
            return Vec::new();
        }
        let same = self.entries.iter().filter(|risk| risk.is_same_work(call));
        let within = same.filter(|risk| {
            let share = risk.share(account);
            share.is_some_and(|share| most.is_none_or(|most| share.unwrap_or_default() <= most))
        });
        within.map(|risk| risk.id).collect()
    }

    /// Sets the shares of an entry to this price. Returns the old shares, for each account.
    pub(super) fn reprice(&mut self, id: AtRiskId, price: Credits) -> Vec<(AccountId, Credits)> {
        let place = self.entries.binary_search_by_key(&id, |risk| risk.id).ok();
        let risk = place.and_then(|place| self.entries.get_mut(place));
        let shares = risk.into_iter().flat_map(|risk| &mut risk.shares);
        // Where nothing was reserved, nothing is at risk.
        let before = shares.filter_map(|(account, share)| {
            let before = std::mem::replace(share.as_mut()?, price);
            Some((*account, before))
        });
        before.collect()
    }

    /// Takes an entry off the list, if this account has it.
    pub(super) fn take(&mut self, id: AtRiskId, account: AccountId) -> Option<Risk> {
        let place = self
            .entries
            .binary_search_by_key(&id, |risk| risk.id)
            .ok()?;
        self.entries.get(place)?.share(account)?;
        self.entries.remove(place)
    }

    /// Removes all calls of an account. Returns those that were listed, and the amount that each account had at risk for all.
    pub(super) fn take_all(
        &mut self,
        account: AccountId,
    ) -> (Vec<AtRiskId>, BTreeMap<AccountId, u128>) {
        let mut sums = Sums::new();
        let mut calls = Vec::new();
        self.entries.retain(|risk| {
            let is_own = risk.share(account).is_some();
            if is_own {
                add_shares(&mut sums, &risk.shares);
                calls.push(risk.id);
            }
            !is_own
        });
        self.unlisted.retain(|_, unlisted| {
            let is_own = unlisted.contains_key(&account);
            if is_own {
                add(&mut sums, unlisted);
            }
            !is_own
        });
        (calls, sums)
    }

    /// Removes an account. The amounts at risk in its ancestors stay, and are now filed under its parent.
    pub(super) fn close(&mut self, account: AccountId) {
        if let Some(mut sums) = self.unlisted.remove(&account) {
            sums.remove(&account);
            self.keep(sums);
        }
    }

    fn keep(&mut self, sums: Sums) {
        // The highest id is the account that the calls drew on.
        if let Some((asked, _)) = sums.last_key_value() {
            add(self.unlisted.entry(*asked).or_default(), &sums);
        }
    }
}

fn add(sums: &mut Sums, more: &Sums) {
    for (id, amount) in more {
        let sum = sums.entry(*id).or_default();
        *sum = sum.saturating_add(*amount);
    }
}

fn add_shares(sums: &mut Sums, shares: &[(AccountId, Share)]) {
    for (id, share) in shares {
        let sum = sums.entry(*id).or_default();
        *sum = sum.saturating_add(share.unwrap_or_default().micros().into());
    }
}

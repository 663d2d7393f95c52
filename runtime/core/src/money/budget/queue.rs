//! The waiters, in the order of their requests. Each waits for one account at a time, and moves to the next when this one has room.

use std::collections::{BTreeMap, BTreeSet};

use super::accounts::AccountId;
use crate::money::credits::Credits;

/// A position in the queue; lower tickets are served first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ticket(pub(super) u64);

#[derive(Debug)]
pub(super) struct Queue<W> {
    waiting: BTreeMap<Ticket, Waiting<W>>,
    accounts: BTreeMap<AccountId, Line>,
}

#[derive(Debug)]
pub(super) struct Waiting<W> {
    /// The account that the request draws on.
    pub(super) account: AccountId,
    pub(super) price: Credits,
    pub(super) waiter: W,
    /// The account that has no room, or that serves an earlier waiter first.
    at: AccountId,
    /// The account that was asked and all above it.
    chain: Vec<AccountId>,
}

/// One account's part of the queue.
#[derive(Debug, Default)]
struct Line {
    /// The waiters at this account.
    here: BTreeSet<Ticket>,
    /// The price of each waiter of this account and its descendants. Used to find waiters that can never be served.
    needs: BTreeSet<(Credits, Ticket)>,
}

impl<W> Default for Queue<W> {
    fn default() -> Self {
        Self {
            waiting: BTreeMap::new(),
            accounts: BTreeMap::new(),
        }
    }
}

impl<W> Queue<W> {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Returns whether a waiter with an earlier ticket waits at this account.
    pub(super) fn is_held(&self, at: AccountId, ticket: Ticket) -> bool {
        self.first(at).is_some_and(|first| first < ticket)
    }

    /// Returns the waiter that is served next at this account.
    pub(super) fn first(&self, at: AccountId) -> Option<Ticket> {
        self.accounts.get(&at)?.here.first().copied()
    }

    pub(super) fn get(&self, ticket: Ticket) -> Option<(AccountId, Credits)> {
        let waiting = self.waiting.get(&ticket)?;
        Some((waiting.account, waiting.price))
    }

    pub(super) fn add(
        &mut self,
        ticket: Ticket,
        (account, price): (AccountId, Credits),
        at: AccountId,
        chain: Vec<AccountId>,
        waiter: W,
    ) {
        for id in &chain {
            let line = self.accounts.entry(*id).or_default();
            line.needs.insert((price, ticket));
        }
        self.accounts.entry(at).or_default().here.insert(ticket);
        let waiting = Waiting {
            account,
            price,
            waiter,
            at,
            chain,
        };
        self.waiting.insert(ticket, waiting);
    }

    /// Moves a waiter to another account.
    pub(super) fn move_to(&mut self, ticket: Ticket, at: AccountId) {
        let Some(waiting) = self.waiting.get_mut(&ticket) else {
            return;
        };
        let before = std::mem::replace(&mut waiting.at, at);
        if let Some(line) = self.accounts.get_mut(&before) {
            line.here.remove(&ticket);
        }
        self.accounts.entry(at).or_default().here.insert(ticket);
    }

    /// Removes a waiter, and returns it with the account it waited for.
    pub(super) fn remove(&mut self, ticket: Ticket) -> Option<(Waiting<W>, AccountId)> {
        let waiting = self.waiting.remove(&ticket)?;
        for id in &waiting.chain {
            if let Some(line) = self.accounts.get_mut(id) {
                line.needs.remove(&(waiting.price, ticket));
                line.here.remove(&ticket);
                if line.needs.is_empty() {
                    self.accounts.remove(id);
                }
            }
        }
        let at = waiting.at;
        Some((waiting, at))
    }

    /// Returns the waiter with the highest price.
    pub(super) fn neediest(&self, of: AccountId) -> Option<(Credits, Ticket)> {
        self.accounts.get(&of)?.needs.last().copied()
    }
}

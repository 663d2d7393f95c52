//! The waiters, in the order of their requests. Each waits for one scope at a time, and moves to the next when this one has room.

use std::collections::{BTreeMap, BTreeSet};

use super::scopes::ScopeId;
use crate::money::credits::Credits;

/// A position in the queue; lower tickets are served first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ticket(pub(super) u64);

#[derive(Debug)]
pub(super) struct Queue<W> {
    waiting: BTreeMap<Ticket, Waiting<W>>,
    scopes: BTreeMap<ScopeId, Line>,
}

#[derive(Debug)]
pub(super) struct Waiting<W> {
    /// The scope that the request draws on.
    pub(super) scope: ScopeId,
    pub(super) price: Credits,
    pub(super) waiter: W,
    /// The scope that has no room, or that serves an earlier waiter first.
    at: ScopeId,
    /// The scope that was asked and all above it.
    chain: Vec<ScopeId>,
}

/// One scope's part of the queue.
#[derive(Debug, Default)]
struct Line {
    /// The waiters at this scope.
    here: BTreeSet<Ticket>,
    /// The price of each waiter of this scope and its descendants. Used to find waiters that can never be served.
    needs: BTreeSet<(Credits, Ticket)>,
}

impl<W> Default for Queue<W> {
    fn default() -> Self {
        Self {
            waiting: BTreeMap::new(),
            scopes: BTreeMap::new(),
        }
    }
}

impl<W> Queue<W> {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Returns whether a waiter with an earlier ticket waits at this scope.
    pub(super) fn is_held(&self, at: ScopeId, ticket: Ticket) -> bool {
        self.first(at).is_some_and(|first| first < ticket)
    }

    /// Returns the waiter that is served next at this scope.
    pub(super) fn first(&self, at: ScopeId) -> Option<Ticket> {
        self.scopes.get(&at)?.here.first().copied()
    }

    pub(super) fn get(&self, ticket: Ticket) -> Option<(ScopeId, Credits)> {
        let waiting = self.waiting.get(&ticket)?;
        Some((waiting.scope, waiting.price))
    }

    pub(super) fn add(
        &mut self,
        ticket: Ticket,
        (scope, price): (ScopeId, Credits),
        at: ScopeId,
        chain: Vec<ScopeId>,
        waiter: W,
    ) {
        for id in &chain {
            let line = self.scopes.entry(*id).or_default();
            line.needs.insert((price, ticket));
        }
        self.scopes.entry(at).or_default().here.insert(ticket);
        let waiting = Waiting {
            scope,
            price,
            waiter,
            at,
            chain,
        };
        self.waiting.insert(ticket, waiting);
    }

    /// Moves a waiter to another scope.
    pub(super) fn move_to(&mut self, ticket: Ticket, at: ScopeId) {
        let Some(waiting) = self.waiting.get_mut(&ticket) else {
            return;
        };
        let before = std::mem::replace(&mut waiting.at, at);
        if let Some(line) = self.scopes.get_mut(&before) {
            line.here.remove(&ticket);
        }
        self.scopes.entry(at).or_default().here.insert(ticket);
    }

    /// Removes a waiter, and returns it with the scope it waited for.
    pub(super) fn remove(&mut self, ticket: Ticket) -> Option<(Waiting<W>, ScopeId)> {
        let waiting = self.waiting.remove(&ticket)?;
        for id in &waiting.chain {
            if let Some(line) = self.scopes.get_mut(id) {
                line.needs.remove(&(waiting.price, ticket));
                line.here.remove(&ticket);
                if line.needs.is_empty() {
                    self.scopes.remove(id);
                }
            }
        }
        let at = waiting.at;
        Some((waiting, at))
    }

    /// Returns the waiter with the highest price.
    pub(super) fn neediest(&self, of: ScopeId) -> Option<(Credits, Ticket)> {
        self.scopes.get(&of)?.needs.last().copied()
    }
}

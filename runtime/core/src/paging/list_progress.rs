//! The progress of one list in a paging run, and its totals.

use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) key: Option<String>,
    /// Number of records, including rejects.
    pub(super) received: u64,
    pub(super) total: Option<u64>,
    /// A hash of the list's bytes; `None` if only the page as a whole has a hash.
    pub(super) identity: Option<u64>,
}

#[derive(Debug, Clone)]
pub(super) struct ListProgress {
    /// The offset of the first expected record.
    start: u64,
    /// The offset of the record after the last one that was received.
    reached: u64,
    /// The number of received records, each counted once.
    received: u64,
    is_over: bool,
    total: Option<u64>,
    /// The highest total of any page. It is kept if a later page has a lower total.
    promised: Option<u64>,
    gap: Option<u64>,
    /// Hash of each received part of the list, with the offset of its page.
    pages: BTreeMap<u64, u64>,
}

impl ListProgress {
    pub(super) fn at(start: u64) -> Self {
        Self {
            start,
            reached: start,
            received: 0,
            is_over: false,
            total: None,
            promised: None,
            gap: None,
            pages: BTreeMap::new(),
        }
    }

    pub(super) fn reached(&self) -> u64 {
        self.reached
    }

    pub(super) fn received(&self) -> u64 {
        self.received
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn total(&self) -> Option<u64> {
        self.total
    }

    /// Returns the number of records from `start` on, by the highest total or the received records, whichever is greater.
    pub(super) fn promised(&self) -> u64 {
        let end = self.promised.unwrap_or_default().max(self.reached);
        end.saturating_sub(self.start)
    }

    /// Returns the number of these records not yet received; `None` if the last page has no total.
    pub(super) fn remaining(&self) -> Option<u64> {
        let end = self.promised.max(self.total);
        self.total
            .and(end)
            .map(|end| end.saturating_sub(self.reached))
    }

    /// Returns the offset of the first record that is missing for good.
    pub(super) fn missing(&self) -> Option<u64> {
        let is_short = self.is_over
            && self
                .promised
                .is_some_and(|promised| promised > self.reached);
        self.gap.or(is_short.then_some(self.reached))
    }

    /// Returns the offset of an earlier page with the same bytes in this list; `None` once the list has ended.
    pub(super) fn repeated(&self, seen: &Seen) -> Option<u64> {
        if self.is_over || seen.received == 0 {
            return None;
        }
        self.pages.get(&seen.identity?).copied()
    }

    /// Records the list in the page at this offset. Returns how many of its records were already delivered.
    pub(super) fn accept(&mut self, asked: u64, seen: &Seen, is_last: Option<bool>) -> u64 {
        let has_grown = seen.received > 0 && seen.total.is_some_and(|total| total > self.reached);
        if self.is_over && !has_grown {
            // The service repeats the end of this list while other lists continue.
            return seen.received;
        }
        let came_before = self.reached.saturating_sub(asked);
        if seen.received > 0 {
            if self.reached < asked && self.gap.is_none() {
                self.gap = Some(self.reached);
            }
            let new = seen.received.saturating_sub(came_before);
            self.received = self.received.saturating_add(new);
            self.reached = self.reached.max(asked.saturating_add(seen.received));
            if let Some(identity) = seen.identity {
                self.pages.insert(identity, asked);
            }
        }
        self.total = seen.total;
        self.promised = self.promised.max(seen.total);
        let is_last = is_last.unwrap_or(seen.received == 0);
        self.is_over = is_last || self.total.is_some_and(|total| total <= self.reached);
        came_before
    }

    pub(super) fn end(&mut self) {
        self.is_over = true;
    }
}

/// Returns the number of records of a page.
pub(super) fn received(lists: &[Seen]) -> u64 {
    lists.iter().map(|list| list.received).sum()
}

//! The state of a paging run. Input: a page. Output: the next offset, or the reason to stop. It sends nothing.
//!
//! The next offset never decreases. With several lists, records of a list that is ahead are requested again; `accept` says how many to
//! skip.

use std::collections::{BTreeMap, BTreeSet};

use super::list_progress::{ListProgress, Seen};

/// The offset advances by the number of received records, so that a short page loses none. Of several lists, the one with the least
/// progress decides.
#[derive(Debug, Clone)]
pub(super) struct Cursor {
    start: u64,
    next: u64,
    is_over: bool,
    /// The distance by which the last page advanced the offset.
    step: Option<u64>,
    lists: BTreeMap<Key, ListProgress>,
    /// Keys that several lists of one page share.
    shared: BTreeSet<Option<String>>,
    /// Number of records from earlier pages in lists with a shared key.
    carried: u64,
    /// All pages with records: their identity, and the offset at which each was requested.
    pages: BTreeMap<u64, u64>,
}

/// The key of a list, and the number of earlier lists in the page with the same key.
type Key = (Option<String>, usize);

/// The content of a page.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub(super) echoed: Option<u64>,
    /// True on the last page, if pages say so; with `None` the numbers of records decide.
    pub(super) is_last: Option<bool>,
    /// A hash of the bytes of all records.
    pub(super) identity: u64,
    pub(super) lists: Vec<Seen>,
}

/// The reason why a page is not the requested one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stall {
    /// The echoed offset, if it differs from the requested one.
    pub(super) echoed: Option<u64>,
    /// The offset of the page whose records it repeats.
    pub(super) repeats: Option<u64>,
    /// The offset to continue from if the caller accepts its records.
    pub(super) after: u64,
}

/// Missing records: a total promised them, or later records arrived without them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shortfall {
    /// Number of records expected from the start of the run, by the highest total of each list.
    pub(super) promised: u64,
    pub(super) received: u64,
}

impl Cursor {
    pub(super) fn at(offset: u64) -> Self {
        Self {
            start: offset,
            next: offset,
            is_over: false,
            step: None,
            lists: BTreeMap::new(),
            shared: BTreeSet::new(),
            carried: 0,
            pages: BTreeMap::new(),
        }
    }

    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    /// Returns the offset of the first missing record, of a list that ended early or skipped it.
    pub(super) fn missing(&self) -> Option<u64> {
        self.lists.values().filter_map(ListProgress::missing).min()
    }

    /// Returns the missing records; `None` if all promised records arrived.
    pub(super) fn shortfall(&self) -> Option<Shortfall> {
        self.missing()?;
        let promised = self.lists.values().map(ListProgress::promised);
        let received = self.lists.values().map(ListProgress::received);
        Some(Shortfall {
            promised: promised.fold(self.carried, u64::saturating_add),
            received: received.fold(self.carried, u64::saturating_add),
        })
    }

    /// Returns an upper bound of the remaining records, by the highest totals, plus one if an error will follow. `None` without totals.
    pub(super) fn remaining(&self) -> Option<u64> {
        if self.is_over {
            return Some(0);
        }
        let mut unfinished = self.unfinished().peekable();
        unfinished.peek()?;
        let is_short = self.missing().is_some();
        unfinished.try_fold(u64::from(is_short), |sum, list| {
            Some(sum.saturating_add(list.remaining()?))
        })
    }

    /// Estimates the number of remaining pages, by the totals of the last page. It assumes that each page advances as far as the last one,
    /// at most `limit`.
    pub(super) fn remaining_pages(&self, limit: Option<u64>) -> Option<u64> {
        if self.is_over {
            return Some(0);
        }
        let ends: Option<Vec<u64>> = self.unfinished().map(ListProgress::total).collect();
        let end = ends?.into_iter().max()?;
        let records = end.saturating_sub(self.next);
        let size = self.step.into_iter().chain(limit).min()?;
        (size > 0).then(|| records.div_ceil(size))
    }

    /// Records a page. Returns for each list how many of its records were already delivered. A wrong or repeated page is `Err`, and changes
    /// nothing.
    pub(super) fn accept(&mut self, view: &View) -> Result<Vec<u64>, Stall> {
        let asked = self.next;
        let page = keyed(&view.lists);
        let again = page.iter().filter(|((_, earlier), _)| *earlier > 0);
        let again: BTreeSet<Option<String>> = again.map(|((key, _), _)| key.clone()).collect();
        let echoed = view.echoed.filter(|echoed| *echoed != asked);
        let repeats = self.repeated(view.identity, &page, &again);
        if echoed.is_some() || repeats.is_some() {
            return Err(Stall {
                echoed,
                repeats,
                after: after(asked, &view.lists),
            });
        }
        if has_records(&view.lists) {
            self.pages.insert(view.identity, asked);
        }
        self.shared.extend(again);
        self.forget_shared();
        let present: BTreeSet<&Key> = page.iter().map(|(key, _)| key).collect();
        for (known, list) in &mut self.lists {
            // A list that is absent from a page has ended.
            if !present.contains(known) {
                list.end();
            }
        }
        let mut came_before = Vec::with_capacity(page.len());
        for (key, seen) in page {
            let first = if self.shared.contains(&key.0) {
                asked
            } else {
                self.start
            };
            let list = self.lists.entry(key).or_insert(ListProgress::at(first));
            came_before.push(list.accept(asked, seen, view.is_last));
        }
        if view.is_last == Some(true) {
            self.lists.values_mut().for_each(ListProgress::end);
        }
        let next = self.unfinished().map(ListProgress::reached).min();
        // If no list continues, or the offset cannot increase (`u64::MAX`), the run is over. A page without records may name the next one.
        match next.filter(|next| *next > asked || view.is_last == Some(false)) {
            Some(next) => {
                self.step = Some(next.saturating_sub(asked));
                self.next = next;
            }
            None => {
                let reached = self.lists.values().map(ListProgress::reached).max();
                self.next = reached.unwrap_or(asked).max(asked);
                self.is_over = true;
            }
        }
        Ok(came_before)
    }

    fn unfinished(&self) -> impl Iterator<Item = &ListProgress> {
        self.lists.values().filter(|list| !list.is_over())
    }

    /// Forgets the lists with a shared key, which cannot be matched on the next page. Duplicates are better than gaps.
    fn forget_shared(&mut self) {
        let shared = &self.shared;
        for ((key, _), list) in &self.lists {
            if shared.contains(key) {
                self.carried = self.carried.saturating_add(list.received());
            }
        }
        self.lists.retain(|(key, _), _| !shared.contains(key));
    }

    /// Returns the offset of an earlier page with the same records, in the complete page or in one unfinished list.
    fn repeated(
        &self,
        identity: u64,
        page: &[(Key, &Seen)],
        again: &BTreeSet<Option<String>>,
    ) -> Option<u64> {
        if page.iter().all(|(_, seen)| seen.received == 0) {
            return None;
        }
        if let Some(earlier) = self.pages.get(&identity) {
            return Some(*earlier);
        }
        let alone = page
            .iter()
            .filter(|((key, _), _)| !again.contains(key) && !self.shared.contains(key));
        let earlier = alone.filter_map(|(key, seen)| self.lists.get(key)?.repeated(seen));
        earlier.min()
    }
}

fn has_records(lists: &[Seen]) -> bool {
    lists.iter().any(|list| list.received > 0)
}

/// Returns the end offset of the shortest non-empty list.
fn after(asked: u64, lists: &[Seen]) -> u64 {
    let received = lists.iter().map(|list| list.received);
    let least = received.filter(|received| *received > 0).min();
    asked.saturating_add(least.unwrap_or_default())
}

fn keyed(page: &[Seen]) -> Vec<(Key, &Seen)> {
    let mut called: BTreeMap<&Option<String>, usize> = BTreeMap::new();
    let mut keyed = Vec::with_capacity(page.len());
    for seen in page {
        let earlier = called.entry(&seen.key).or_default();
        keyed.push(((seen.key.clone(), *earlier), seen));
        *earlier = earlier.saturating_add(1);
    }
    keyed
}

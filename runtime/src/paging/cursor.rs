//! Where a run through pages stands. Goes in: what a page says. Comes out: where to go on, or why that would not be right. Sends nothing.
//!
//! The next offset never decreases: what was delivered once is not asked for again.

use std::collections::{BTreeMap, BTreeSet};

use super::standing::{Seen, Standing};

/// Pages advance by what was received, so a short page loses nothing; of several lists, the one that lags behind decides.
#[derive(Debug, Clone)]
pub(super) struct Cursor {
    start: u64,
    next: u64,
    is_over: bool,
    /// How far the last page led.
    step: Option<u64>,
    lists: BTreeMap<Key, Standing>,
    /// What several lists of a page are called, so that nothing tells them apart.
    shared: BTreeSet<Option<String>>,
    /// How many records came in such lists of earlier pages.
    carried: u64,
    /// All pages that had records, by their identity, with the offset at which each was asked for.
    pages: BTreeMap<u64, u64>,
}

/// What a list is called, and how many before it in the page are called the same.
type Key = (Option<String>, usize);

/// What a page says.
#[derive(Debug, Clone)]
pub(super) struct View {
    /// The offset that it says it has.
    pub(super) echoed: Option<u64>,
    /// Equal for pages with equal bytes of all records.
    pub(super) identity: u64,
    pub(super) lists: Vec<Seen>,
}

/// Why a page is not the one that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stall {
    /// The offset that it says it has, when that is another one.
    pub(super) echoed: Option<u64>,
    /// The offset of the page whose records it repeats.
    pub(super) repeats: Option<u64>,
    /// The offset after its records, if they are those that were asked for.
    pub(super) after: u64,
}

/// What did not come although a total, or records behind it, promised it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shortfall {
    /// How many records were promised from the start of the run on, by the highest total of each list.
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

    /// The offset of the next page.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    /// Where the first record stands that did not come, of a list that ended or that went on behind it.
    pub(super) fn missing(&self) -> Option<u64> {
        self.lists.values().filter_map(Standing::missing).min()
    }

    /// What did not come; `None` when all came that was promised.
    pub(super) fn shortfall(&self) -> Option<Shortfall> {
        self.missing()?;
        let sum = |count: fn(&Standing) -> u64| {
            let counts = self.lists.values().map(count);
            counts.fold(self.carried, u64::saturating_add)
        };
        Some(Shortfall {
            promised: sum(Standing::promised),
            received: sum(Standing::received),
        })
    }

    /// At most how many records are still to come, by the highest totals; one more when an error is sure to follow them. `None` without totals.
    pub(super) fn remaining(&self) -> Option<u64> {
        if self.is_over {
            return Some(0);
        }
        let mut going = self.going().peekable();
        going.peek()?;
        let is_short = self.missing().is_some();
        going.try_fold(u64::from(is_short), |sum, list| {
            Some(sum.saturating_add(list.remaining()?))
        })
    }

    /// How many pages are still to come, by the totals of the last page, if each leads as far as that one, and at most so far.
    pub(super) fn remaining_pages(&self, limit: Option<u64>) -> Option<u64> {
        if self.is_over {
            return Some(0);
        }
        let ends: Option<Vec<u64>> = self.going().map(Standing::total).collect();
        let end = ends?.into_iter().max()?;
        let size = self.step.into_iter().chain(limit).min()?;
        (size > 0).then(|| end.saturating_sub(self.next).div_ceil(size))
    }

    /// Takes note of a page; tells how many records of each list came before already. A page that stalls is not counted.
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
        self.let_go_of_shared();
        let present: BTreeSet<&Key> = page.iter().map(|(key, _)| key).collect();
        for (known, list) in &mut self.lists {
            // What a page leaves out has nothing more to give.
            if !present.contains(known) {
                list.end();
            }
        }
        let mut came_before = Vec::with_capacity(page.len());
        for (key, seen) in page {
            let first = match self.shared.contains(&key.0) {
                true => asked,
                false => self.start,
            };
            let list = self.lists.entry(key).or_insert(Standing::at(first));
            came_before.push(list.accept(asked, seen));
        }
        let next = self.going().map(Standing::reached).min();
        // At the end of what an offset can say, there is no next page.
        match next.filter(|next| *next > asked) {
            Some(next) => {
                self.step = Some(next.saturating_sub(asked));
                self.next = next;
            }
            None => {
                let reached = self.lists.values().map(Standing::reached).max();
                self.next = reached.unwrap_or(asked).max(asked);
                self.is_over = true;
            }
        }
        Ok(came_before)
    }

    fn going(&self) -> impl Iterator<Item = &Standing> {
        self.lists.values().filter(|list| !list.is_over())
    }

    /// Forgets the lists that nothing tells apart: which is which cannot be known on the next page, and rather twice than never.
    fn let_go_of_shared(&mut self) {
        let shared = &self.shared;
        for ((key, _), list) in &self.lists {
            if shared.contains(key) {
                self.carried = self.carried.saturating_add(list.received());
            }
        }
        self.lists.retain(|(key, _), _| !shared.contains(key));
    }

    /// The offset of an earlier page with these records, all of them or those of one list that goes on.
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

/// Where the list ends that lags behind.
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

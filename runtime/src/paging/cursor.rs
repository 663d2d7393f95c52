//! Where a run through pages stands. Goes in: what a page says. Comes out: where to go on, or why that would not be right. Sends nothing.

use std::collections::{BTreeMap, BTreeSet};

/// Pages advance by what was received, so a short page loses nothing; of several lists, the one that lags behind decides.
#[derive(Debug, Clone)]
pub(super) struct Cursor {
    start: u64,
    next: u64,
    is_over: bool,
    /// How far the last page led.
    step: Option<u64>,
    /// Where the first record stands that should have come and did not.
    missed: Option<u64>,
    lists: BTreeMap<Key, Standing>,
    /// What several lists of a page are called, so that nothing tells them apart.
    shared: BTreeSet<Option<String>>,
}

/// What a list is called, and how many before it in the page are called the same.
type Key = (Option<String>, usize);

#[derive(Debug, Clone)]
struct Standing {
    /// The offset of the record after the last one that was received.
    reached: u64,
    is_over: bool,
    total: Option<u64>,
    /// The first records of the first page and of the last, and the offsets of these pages.
    heads: [Option<(u64, String)>; 2],
}

/// One list of a page.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) key: Option<String>,
    /// Records and rejects.
    pub(super) received: u64,
    pub(super) total: Option<u64>,
    pub(super) head: Option<String>,
}

/// Why the next page would not be the next page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stall {
    /// It says that it begins here.
    Offset(u64),
    /// A list begins as it began on the first page or on the last.
    Repeated,
}

impl Cursor {
    pub(super) fn at(offset: u64) -> Self {
        Self {
            start: offset,
            next: offset,
            is_over: false,
            step: None,
            missed: None,
            lists: BTreeMap::new(),
            shared: BTreeSet::new(),
        }
    }

    /// The offset of the next page.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Where a new run goes on that is to have all that did not come, when all before this offset did or should have.
    pub(super) fn resume(&self, offset: u64) -> u64 {
        self.missed.map_or(offset, |missed| missed.min(offset))
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    /// Whether records did not come that a total promises, or that stand before others that came.
    pub(super) fn is_short(&self) -> bool {
        self.missed.is_some()
    }

    /// How many records are still to come, by the totals of the last page.
    pub(super) fn remaining(&self) -> Option<u64> {
        if self.is_over {
            return Some(0);
        }
        let mut going = self.going().peekable();
        going.peek()?;
        going.try_fold(0_u64, |sum, list| {
            Some(sum.saturating_add(list.total?.saturating_sub(list.reached)))
        })
    }

    /// How many pages are still to come, by the totals of the last page, if each leads as far as that one, and at most so far.
    pub(super) fn remaining_pages(&self, limit: Option<u64>) -> Option<u64> {
        if self.is_over {
            return Some(0);
        }
        let ends: Option<Vec<u64>> = self.going().map(|list| list.total).collect();
        let end = ends?.into_iter().max()?;
        let size = self.step.into_iter().chain(limit).min()?;
        (size > 0).then(|| end.saturating_sub(self.next).div_ceil(size))
    }

    /// Takes note of a page; tells how many records of each list came before already. A page that stalls is not counted.
    pub(super) fn accept(
        &mut self,
        answered: Option<u64>,
        page: &[Seen],
    ) -> Result<Vec<u64>, Stall> {
        let asked = self.next;
        if let Some(answered) = answered.filter(|answered| *answered != asked) {
            return Err(Stall::Offset(answered));
        }
        if let Some(before) = page.iter().filter_map(|seen| self.repeated(seen)).min() {
            // One of the two pages is not from where it was asked for: the earlier one too, unless it is from the beginning.
            if before > 0 {
                self.missed = least(self.missed, before);
            }
            return Err(Stall::Repeated);
        }
        let page = keyed(page);
        let again = page.iter().filter(|((_, earlier), _)| *earlier > 0);
        self.shared.extend(again.map(|((key, _), _)| key.clone()));
        // Which of them is which cannot be known on the next page: rather twice than never.
        self.lists.retain(|(key, _), _| !self.shared.contains(key));
        for (known, list) in &mut self.lists {
            // What a page leaves out has nothing more to give.
            if !list.is_over && page.iter().all(|(key, _)| key != known) {
                list.end(&mut self.missed);
            }
        }
        let mut came_before = Vec::with_capacity(page.len());
        for (key, seen) in page {
            let first = match self.shared.contains(&key.0) {
                true => asked,
                false => self.start,
            };
            let list = self.lists.entry(key).or_insert(Standing::at(first));
            came_before.push(list.accept(asked, seen, &mut self.missed));
        }
        let next = self.going().map(|list| list.reached).min();
        // At the end of what an offset can say, there is no next page.
        match next.filter(|next| *next > asked) {
            Some(next) => {
                self.step = Some(next.saturating_sub(asked));
                self.next = next;
            }
            None => {
                let reached = self.lists.values().map(|list| list.reached).max();
                self.next = reached.unwrap_or(asked);
                self.is_over = true;
            }
        }
        Ok(came_before)
    }

    fn going(&self) -> impl Iterator<Item = &Standing> {
        self.lists.values().filter(|list| !list.is_over)
    }

    /// The offset at which a list already began with this record.
    fn repeated(&self, seen: &Seen) -> Option<u64> {
        let lists = self.lists.iter().filter(|((key, _), _)| *key == seen.key);
        let going = lists.map(|(_, list)| list).filter(|list| !list.is_over);
        let heads = going.flat_map(|list| list.heads.iter().flatten());
        let same = heads.filter(|(_, head)| Some(head) == seen.head.as_ref());
        same.map(|(offset, _)| *offset).min()
    }
}

impl Standing {
    fn at(offset: u64) -> Self {
        Self {
            reached: offset,
            is_over: false,
            total: None,
            heads: [None, None],
        }
    }

    /// Takes note of the list in the page at this offset; tells how many of its records came before already.
    fn accept(&mut self, asked: u64, seen: &Seen, missed: &mut Option<u64>) -> u64 {
        let has_grown = seen.received > 0 && seen.total.is_some_and(|total| total > self.reached);
        if self.is_over && !has_grown {
            // Its end once more, while others go on.
            return seen.received;
        }
        let came_before = self.reached.saturating_sub(asked);
        if seen.received > 0 {
            if self.reached < asked {
                *missed = least(*missed, self.reached);
            }
            self.reached = self.reached.max(asked.saturating_add(seen.received));
        }
        self.total = seen.total;
        let head = seen.head.clone().map(|head| (asked, head));
        let [first, last] = &mut self.heads;
        *last = head;
        if first.is_none() {
            first.clone_from(last);
        }
        if seen.received == 0 || self.total.is_some_and(|total| total <= self.reached) {
            self.end(missed);
        } else {
            self.is_over = false;
        }
        came_before
    }

    fn end(&mut self, missed: &mut Option<u64>) {
        self.is_over = true;
        if self.total.is_some_and(|total| total > self.reached) {
            *missed = least(*missed, self.reached);
        }
    }
}

fn least(a: Option<u64>, b: u64) -> Option<u64> {
    Some(a.map_or(b, |a| a.min(b)))
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

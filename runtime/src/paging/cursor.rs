//! Where a run through pages stands. Goes in: what a page says. Comes out: where to go on, or why that would not be right. Sends nothing.

use std::collections::BTreeMap;

/// Pages advance by what was received, so a short page loses nothing; of several lists, the one that lags behind decides.
#[derive(Debug, Clone)]
pub(super) struct Cursor {
    /// The offset of the next page.
    next: u64,
    is_over: bool,
    lists: BTreeMap<Key, Standing>,
}

/// What a list is called, and how many before it in the page are called the same.
type Key = (Option<String>, usize);

#[derive(Debug, Clone, Default)]
struct Standing {
    /// The offset of the record after the last one that was received.
    reached: u64,
    is_over: bool,
    total: Option<u64>,
    /// The first record of the last page.
    head: Option<String>,
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
    /// A list begins as it began on the last page.
    Repeated,
}

impl Cursor {
    pub(super) fn at(offset: u64) -> Self {
        Self {
            next: offset,
            is_over: false,
            lists: BTreeMap::new(),
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

    /// How many records are still to come, by the totals of the last page.
    pub(super) fn remaining(&self) -> Option<u64> {
        if self.is_over {
            return Some(0);
        }
        let mut going = self.lists.values().filter(|list| !list.is_over).peekable();
        going.peek()?;
        going.try_fold(0_u64, |sum, list| {
            Some(sum.saturating_add(list.total?.saturating_sub(list.reached)))
        })
    }

    /// How many pages of this size are still to come, by the totals of the last page.
    pub(super) fn remaining_pages(&self, size: u64) -> Option<u64> {
        if self.is_over {
            return Some(0);
        }
        let ends = self.lists.values().filter(|list| !list.is_over);
        let ends: Option<Vec<u64>> = ends.map(|list| list.total).collect();
        let end = ends?.into_iter().max()?;
        (size > 0).then(|| end.saturating_sub(self.next).div_ceil(size))
    }

    /// Takes note of a page; tells how many records of each list came before already. A page that stalls leaves everything as it was.
    pub(super) fn accept(
        &mut self,
        answered: Option<u64>,
        page: &[Seen],
    ) -> Result<Vec<u64>, Stall> {
        let asked = self.next;
        if let Some(answered) = answered.filter(|answered| *answered != asked) {
            return Err(Stall::Offset(answered));
        }
        let page = keyed(page);
        let repeats = |(key, seen): &(Key, &Seen)| {
            let before = self.lists.get(key).filter(|list| !list.is_over);
            before.is_some_and(|list| list.head.is_some() && list.head == seen.head)
        };
        if page.iter().any(repeats) {
            return Err(Stall::Repeated);
        }
        // What a page leaves out has nothing more to give.
        for (known, list) in &mut self.lists {
            list.is_over |= page.iter().all(|(key, _)| key != known);
        }
        let mut came_before = Vec::with_capacity(page.len());
        let mut next = None;
        for (key, seen) in page {
            let list = self.lists.entry(key).or_insert(Standing {
                reached: asked,
                ..Standing::default()
            });
            came_before.push(if list.is_over {
                seen.received
            } else {
                list.reached.saturating_sub(asked)
            });
            let reached = asked.saturating_add(seen.received);
            list.reached = list.reached.max(reached);
            list.total = seen.total;
            list.head.clone_from(&seen.head);
            list.is_over |= seen.received == 0 || seen.total.is_some_and(|total| reached >= total);
            if !list.is_over {
                next = Some(next.map_or(reached, |other: u64| other.min(reached)));
            }
        }
        match next {
            Some(next) => self.next = next,
            None => {
                self.is_over = true;
                self.next = self
                    .lists
                    .values()
                    .map(|list| list.reached)
                    .max()
                    .unwrap_or(asked);
            }
        }
        Ok(came_before)
    }
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

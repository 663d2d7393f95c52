//! Property tests of paging against randomly generated servers.

mod cases;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use proptest::collection::vec;
use proptest::prelude::*;

use super::cursor::{Cursor, Shortfall, Stall, View};
use super::list_progress::Seen;

/// A server with its data and behaviour. Record `n` of a list is named `n`.
#[derive(Debug, Clone, Default)]
struct Server {
    lists: Vec<List>,
    /// Page sizes, used in rotation.
    sizes: Vec<u64>,
    says_total: bool,
    exaggerates: u64,
    echoes: bool,
    /// Leaves out lists without records at the offset.
    leaves_out: bool,
    /// Changes the order of the lists on each page.
    reorders: bool,
    /// Pairs of list and call for which the list is sent empty (`empty`) or left out (`gone`) by mistake.
    empty: Vec<(usize, usize)>,
    gone: Vec<(usize, usize)>,
    /// The call from which a wrong offset is echoed (`echoes_wrong`), or the offset is ignored (`ignores_offset`).
    echoes_wrong: Option<usize>,
    ignores_offset: Option<usize>,
}

#[derive(Debug, Clone)]
struct List {
    key: Option<&'static str>,
    records: u64,
}

struct Page {
    view: View,
    /// For each list: its index, and the offset of its first record.
    lists: Vec<(usize, u64)>,
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Server {
    fn page(&self, call: usize, offset: u64) -> Page {
        let from = |since: Option<usize>| since.is_some_and(|since| call >= since);
        let served = if from(self.ignores_offset) { 0 } else { offset };
        let size = self.sizes[call % self.sizes.len()];
        let mut lists = Vec::new();
        for (index, list) in self.lists.iter().enumerate() {
            let left = list.records.saturating_sub(served);
            if self.gone.contains(&(index, call)) || (self.leaves_out && left == 0) {
                continue;
            }
            let received = if self.empty.contains(&(index, call)) {
                0
            } else {
                left.min(size)
            };
            let seen = Seen {
                key: list.key.map(str::to_owned),
                received,
                total: self.says_total.then_some(list.records + self.exaggerates),
                identity: Some(hash((index, served, received))),
            };
            lists.push(((index, served), seen));
        }
        if self.reorders && call % 2 == 1 {
            lists.reverse();
        }
        let echo = if from(self.echoes_wrong) {
            offset + 1
        } else {
            offset
        };
        let (lists, seen): (Vec<_>, Vec<Seen>) = lists.into_iter().unzip();
        let view = View {
            echoed: self.echoes.then_some(echo),
            is_last: None,
            identity: hash(seen.iter().map(|seen| seen.identity).collect::<Vec<_>>()),
            lists: seen,
        };
        Page { view, lists }
    }

    fn records(&self) -> u64 {
        self.lists.iter().map(|list| list.records).sum()
    }
}

struct Run {
    delivered: BTreeMap<usize, Vec<u64>>,
    calls: usize,
    stall: Option<Stall>,
    short: Option<Shortfall>,
    missing: Option<u64>,
    resume: u64,
}

impl Run {
    fn of(server: &Server, start: u64) -> Self {
        Self::with(server, start, |_, _| ())
    }

    /// Calls `look` with the cursor before each page is accepted.
    fn with(server: &Server, start: u64, mut look: impl FnMut(&Cursor, &mut Server)) -> Self {
        let mut server = server.clone();
        let mut cursor = Cursor::at(start);
        let mut delivered: BTreeMap<usize, Vec<u64>> = BTreeMap::new();
        let (mut calls, mut stall) = (0, None);
        while !cursor.is_over() {
            look(&cursor, &mut server);
            let asked = cursor.next();
            let page = server.page(calls, asked);
            calls += 1;
            let most = server.records() + server.lists.len() as u64 + 1;
            assert!(calls as u64 <= most, "{calls} calls for {server:?}");
            let seen = &page.view.lists;
            match cursor.accept(&page.view) {
                Ok(came_before) => {
                    assert!(cursor.is_over() || cursor.next() > asked);
                    assert!(cursor.next() >= asked);
                    assert_eq!(came_before.len(), seen.len());
                    let lists = page.lists.iter().zip(seen);
                    for (((list, first), seen), before) in lists.zip(came_before) {
                        let new = before.min(seen.received)..seen.received;
                        let records = delivered.entry(*list).or_default();
                        records.extend(new.map(|index| first + index));
                    }
                }
                Err(why) => {
                    assert_eq!(cursor.next(), asked);
                    stall = Some(why);
                    cursor.end();
                }
            }
        }
        assert_eq!(cursor.remaining(), Some(0));
        assert_eq!(cursor.remaining_pages(None), Some(0));
        Self {
            delivered,
            calls,
            stall,
            short: cursor.shortfall().filter(|_| stall.is_none()),
            missing: cursor.missing(),
            resume: cursor.next(),
        }
    }

    fn of_list(&self, list: usize) -> &[u64] {
        self.delivered.get(&list).map_or(&[], Vec::as_slice)
    }
}

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

/// Servers that behave correctly, in all permitted ways.
fn well_behaved() -> impl Strategy<Value = Server> {
    let lists = vec(0_u64..12, 1..=4).prop_map(|sizes| {
        let keyed = |(index, records): (usize, u64)| List {
            key: Some(KEYS[index]),
            records,
        };
        sizes.into_iter().enumerate().map(keyed).collect()
    });
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (lists, vec(1_u64..6, 1..4), flags).prop_map(|(lists, sizes, flags)| {
        let (says_total, echoes, leaves_out, reorders) = flags;
        Server {
            lists,
            sizes,
            says_total,
            echoes,
            leaves_out,
            reorders,
            ..Server::default()
        }
    })
}

fn at_some_calls() -> impl Strategy<Value = Vec<(usize, usize)>> {
    vec((0_usize..4, 0_usize..6), 0..4)
}

proptest! {
    #[test]
    fn every_record_is_delivered_once_and_in_order(server in well_behaved(), start in 0_u64..14) {
        let run = Run::of(&server, start);
        for (index, list) in server.lists.iter().enumerate() {
            let all: Vec<u64> = (start.min(list.records)..list.records).collect();
            prop_assert_eq!(run.of_list(index), all);
        }
        prop_assert_eq!(run.stall, None);
        // A run that starts after the total misses nothing.
        prop_assert_eq!(run.short, None);
        let end = server.lists.iter().map(|list| list.records).max().unwrap_or_default();
        prop_assert_eq!(run.resume, end.max(start));
    }

    #[test]
    fn no_superfluous_page_is_requested_if_there_is_a_total(mut server in well_behaved()) {
        server.says_total = true;
        let run = Run::of(&server, 0);
        let most: u64 = server.lists.iter().map(|list| list.records).max().unwrap_or_default();
        prop_assert!(run.calls as u64 <= most.max(1));
    }

    #[test]
    fn every_lost_record_is_reported(
        server in well_behaved(),
        exaggerates in 0_u64..4,
        empty in at_some_calls(),
        gone in at_some_calls(),
        echoes_wrong in proptest::option::of(0_usize..6),
        ignores_offset in proptest::option::of(0_usize..6),
    ) {
        let mut server = server;
        if ignores_offset.is_some() {
            // Only pages of equal size have identical bytes.
            server.sizes.truncate(1);
        }
        let server = Server {
            says_total: true,
            exaggerates,
            empty,
            gone,
            echoes_wrong,
            ignores_offset,
            ..server
        };
        let run = Run::of(&server, 0);
        for (index, list) in server.lists.iter().enumerate() {
            let delivered = run.of_list(index);
            let missed = (0..list.records).find(|record| !delivered.contains(record));
            // A list that was never sent cannot be known to be missing.
            if let Some(missed) = missed.filter(|_| run.delivered.contains_key(&index)) {
                prop_assert!(run.stall.is_some() || run.short.is_some(), "{missed} of {index}");
                let reported = run.missing.map_or(run.resume, |missing| missing.min(run.resume));
                prop_assert!(reported <= missed, "{missed} of {index}, {reported}");
            }
            if ignores_offset.is_none() {
                prop_assert!(delivered.is_sorted_by(|a, b| a < b), "{delivered:?}");
            }
        }
    }

    #[test]
    fn a_server_that_ignores_the_offset_costs_two_calls(server in well_behaved()) {
        let mut server = Server { ignores_offset: Some(0), ..server };
        server.sizes.truncate(1);
        let run = Run::of(&server, 0);
        prop_assert!(run.calls <= 2);
        let is_more = server.lists.iter().any(|list| list.records > server.sizes[0]);
        prop_assert_eq!(run.stall.is_some(), is_more || !server.says_total && server.records() > 0);
        for (index, list) in server.lists.iter().enumerate() {
            let first: Vec<u64> = (0..list.records.min(server.sizes[0])).collect();
            prop_assert_eq!(run.of_list(index), first);
        }
    }

    #[test]
    fn a_wrong_offset_ends_the_run_at_the_requested_offset(server in well_behaved(), call in 0_usize..4) {
        let server = Server { echoes: true, echoes_wrong: Some(call), ..server };
        let run = Run::of(&server, 0);
        match run.stall {
            Some(stall) => {
                prop_assert_eq!(run.calls, call + 1);
                prop_assert_eq!((stall.echoed, stall.repeats), (Some(run.resume + 1), None));
            }
            None => prop_assert!(run.calls <= call),
        }
    }

    #[test]
    fn a_growing_list_is_followed_and_a_shrinking_list_is_reported_as_short(
        records in 1_u64..12,
        size in 1_u64..4,
        changes in vec(0_u64..20, 12),
    ) {
        let list = List { key: None, records };
        let server = Server { lists: vec![list], sizes: vec![size], says_total: true, ..Server::default() };
        let mut totals = Vec::new();
        // Delivered records still count, although the server no longer has them.
        let run = Run::with(&server, 0, |cursor, server| {
            let records = changes.get(totals.len()).copied().unwrap_or_default().max(cursor.next());
            server.lists[0].records = records;
            totals.push(records);
        });
        let (last, highest) = (totals[totals.len() - 1], totals.iter().copied().max().unwrap());
        let all: Vec<u64> = (0..last).collect();
        prop_assert_eq!(run.of_list(0), all);
        prop_assert_eq!(run.stall, None);
        let short = Shortfall { promised: highest, received: last };
        prop_assert_eq!(run.short, (highest > last).then_some(short));
        prop_assert_eq!((run.resume, run.missing), (last, (highest > last).then_some(last)));
    }

    #[test]
    fn lists_with_the_same_key_are_delivered_at_least_once(server in well_behaved(), key in proptest::option::of(Just("a"))) {
        let mut server = server;
        for list in &mut server.lists {
            list.key = key;
        }
        let run = Run::of(&server, 0);
        prop_assert_eq!(run.stall, None);
        prop_assert_eq!(run.short, None);
        for (index, list) in server.lists.iter().enumerate() {
            let mut delivered = run.of_list(index).to_vec();
            // Otherwise a finished list could be ahead of an unfinished one.
            if server.says_total && server.sizes.len() == 1 {
                prop_assert!(delivered.is_sorted_by(|a, b| a < b));
            }
            delivered.sort_unstable();
            delivered.dedup();
            prop_assert_eq!(delivered, (0..list.records).collect::<Vec<_>>());
        }
    }

    #[test]
    fn remaining_records_are_exact(server in well_behaved()) {
        let server = Server { says_total: true, ..server };
        let mut reported = Vec::new();
        let run = Run::with(&server, 0, |cursor, _| reported.push(cursor.remaining()));
        prop_assert_eq!(reported[0], None);
        let delivered: usize = run.delivered.values().map(Vec::len).sum();
        prop_assert_eq!(delivered as u64, server.records());
        if let Some(after_first) = reported.get(1) {
            let first: u64 = server.lists.iter().map(|list| list.records.min(server.sizes[0])).sum();
            prop_assert_eq!(*after_first, Some(server.records() - first));
        }
        // Only with pages of equal size are all lists at the offset of the page.
        if server.sizes.len() == 1 {
            let mut calls = Vec::new();
            let run = Run::with(&server, 0, |cursor, _| calls.push(cursor.remaining_pages(None)));
            for (call, left) in calls.into_iter().enumerate().skip(1) {
                prop_assert_eq!(left, Some((run.calls - call) as u64));
            }
        }
    }
}

//! Consecutive runs, each from the resume offset of the last one, against a service with random faults.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::cursor::{Cursor, View};
use super::super::list_progress::Seen;
use super::hash;

/// The behaviour of the service for one call.
#[derive(Debug, Clone)]
struct Fault {
    serves: Serves,
    /// Added to the total; `None` for no total.
    wrong: Option<i64>,
    echo: Option<i64>,
}

#[derive(Debug, Clone)]
enum Serves {
    /// Sends this many records from the offset on.
    Asked(u64),
    /// Repeats the page that was sent this many calls ago.
    Repeated(usize),
    Nothing,
}

#[derive(Debug)]
struct Service {
    records: u64,
    /// Faults of the first calls. Later calls are correct, with 3 records per page.
    faults: Vec<Fault>,
    /// True if all records differ.
    is_distinct: bool,
    calls: usize,
    sent: Vec<(u64, u64)>,
}

impl Service {
    fn of(records: u64, faults: Vec<Fault>, is_distinct: bool) -> Self {
        let (calls, sent) = (0, Vec::new());
        Self {
            records,
            faults,
            is_distinct,
            calls,
            sent,
        }
    }

    /// Returns the first sent record, and the page.
    fn page(&mut self, offset: u64) -> (u64, View) {
        let honest = Fault {
            serves: Serves::Asked(3),
            wrong: Some(0),
            echo: Some(0),
        };
        let fault = self.faults.get(self.calls).cloned().unwrap_or(honest);
        self.calls += 1;
        let left = self.records.saturating_sub(offset);
        let (first, received) = match fault.serves {
            Serves::Asked(size) => (offset, left.min(size)),
            Serves::Repeated(before) => self
                .sent
                .iter()
                .rev()
                .nth(before)
                .copied()
                .unwrap_or((offset, 0)),
            Serves::Nothing => (offset, 0),
        };
        self.sent.push((first, received));
        let identity = if self.is_distinct {
            hash((first, received))
        } else {
            hash(received)
        };
        let seen = Seen {
            key: None,
            received,
            total: fault
                .wrong
                .map(|wrong| self.records.saturating_add_signed(wrong)),
            identity: Some(identity),
        };
        let view = View {
            echoed: fault.echo.map(|wrong| offset.saturating_add_signed(wrong)),
            is_last: None,
            identity,
            lists: vec![seen],
        };
        (first, view)
    }
}

/// The result of all runs.
#[derive(Debug, Default)]
struct Followed {
    /// The records in order of delivery.
    delivered: Vec<u64>,
    pages: usize,
    runs: usize,
}

/// Starts new runs at the resume offset until a run succeeds or makes no progress.
fn follow(service: &mut Service) -> Followed {
    let mut all = Followed::default();
    let mut start = 0;
    loop {
        all.runs += 1;
        let mut cursor = Cursor::at(start);
        let mut is_fine = true;
        while !cursor.is_over() {
            let asked = cursor.next();
            // Every record before the offset was delivered exactly once.
            assert_eq!(asked, all.delivered.len() as u64);
            let (first, view) = service.page(asked);
            let Ok(came_before) = cursor.accept(&view) else {
                assert_eq!(cursor.next(), asked);
                is_fine = false;
                break;
            };
            assert_eq!(came_before, [0]);
            let received = view.lists[0].received;
            all.delivered.extend(first..first + received);
            all.pages += usize::from(received > 0);
        }
        assert_eq!(cursor.next(), all.delivered.len() as u64);
        is_fine &= cursor.shortfall().is_none();
        if is_fine || cursor.next() == start {
            return all;
        }
        start = cursor.next();
    }
}

fn faults(again: bool) -> impl Strategy<Value = Vec<Fault>> {
    let serves = prop_oneof![
        3 => (1_u64..6).prop_map(Serves::Asked),
        1 => Just(Serves::Nothing),
        u32::from(again) * 2 => (0_usize..6).prop_map(Serves::Repeated),
    ];
    let wrong = proptest::option::weighted(0.8, prop_oneof![2 => Just(0), 1 => -9_i64..20]);
    let echo = proptest::option::weighted(0.5, prop_oneof![6 => Just(0), 1 => -3_i64..4]);
    let fault = (serves, wrong, echo).prop_map(|(serves, wrong, echo)| Fault {
        serves,
        wrong,
        echo,
    });
    vec(fault, 0..20)
}

proptest! {
    #[test]
    fn consecutive_runs_deliver_each_record_once_with_at_most_two_calls_per_page(
        records in 0_u64..40,
        faults in faults(true),
        is_distinct: bool,
    ) {
        let mut service = Service::of(records, faults, is_distinct);
        let all = follow(&mut service);
        // At most the last page of a run has no records.
        prop_assert!(service.calls <= all.pages + all.runs, "{all:?} {service:?}");
        prop_assert!(all.runs <= all.pages + 1, "{all:?} {service:?}");
    }

    #[test]
    fn records_from_a_correct_offset_are_delivered_once_and_in_order(
        records in 0_u64..40,
        faults in faults(false),
        is_distinct: bool,
    ) {
        let mut service = Service::of(records, faults, is_distinct);
        let all = follow(&mut service);
        let first: Vec<u64> = (0..all.delivered.len() as u64).collect();
        prop_assert_eq!(&all.delivered, &first);
    }

    #[test]
    fn equal_records_are_all_delivered_with_at_most_two_calls_per_page(records in 0_u64..40, size in 1_u64..6) {
        let fault = Fault { serves: Serves::Asked(size), wrong: Some(0), echo: None };
        let mut service = Service::of(records, vec![fault; 100], false);
        let all = follow(&mut service);
        prop_assert_eq!(all.delivered, (0..records).collect::<Vec<_>>());
        prop_assert!(service.calls as u64 <= (2 * records.div_ceil(size)).max(1));
        let mut service = Service { is_distinct: true, ..Service::of(records, service.faults, true) };
        let all = follow(&mut service);
        prop_assert_eq!(all.delivered, (0..records).collect::<Vec<_>>());
        prop_assert_eq!(service.calls as u64, records.div_ceil(size).max(1));
    }
}

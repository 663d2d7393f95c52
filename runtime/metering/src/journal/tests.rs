//! A journal and its ledger agree, whatever threads do at once: under random schedules of a model checker.

use shuttle::future::block_on;
use shuttle::thread;

use super::earlier::Earlier;
use super::journal::Journal;
use super::line::Run;
use crate::money::Usage;
use crate::money::credits::Credits;
use crate::money::ledger::tests::model::check;
use crate::money::ledger::{Ledger, Reservation, Selected, Unpriced};

const PAID: &str = "paid";

/// Sends a call of unknown price without an idempotency key.
fn sent(ledger: &Ledger) -> Reservation {
    let mut reservation = block_on(ledger.reserve(Credits::new(2))).unwrap();
    reservation.label(PAID, 1);
    reservation.unpriced(Some(Unpriced {
        arguments: String::new(),
        is_stated: false,
    }));
    reservation.hand_over();
    reservation
}

fn settle_all(ledger: &Ledger) {
    for call in ledger.at_risk() {
        ledger.settle(call.id, Credits::new(1));
    }
}

/// Returns what the next run would know.
fn next_run(journal: &Journal) -> Usage {
    let text = journal.notes.state().storage.text().unwrap();
    let (earlier, _) = Earlier::read("journal", &text, &Run::new("calls")).unwrap();
    earlier.usage()
}

#[test]
fn a_journal_has_what_its_ledger_has_whatever_happens_at_once() {
    check(500, || {
        let journal = Journal::in_memory("calls");
        let ledger = journal.ledger(None);
        let [lost, dropped] = [(); 2].map(|()| sent(&ledger));
        let ledgers = [(); 2].map(|()| ledger.clone());
        let [repriced, settled] = ledgers;
        let threads = [
            thread::spawn(move || _ = lost.at_risk()),
            thread::spawn(move || drop(dropped)),
            thread::spawn(move || {
                repriced.reprice(Selected::OfOperation(PAID), |_| Some(Credits::new(5)));
            }),
            thread::spawn(move || settle_all(&settled)),
        ];
        for thread in threads {
            thread.join().unwrap();
        }
        let live = ledger.usage();
        assert_eq!(journal.usage(), live);
        assert_eq!(next_run(&journal), live);
        settle_all(&ledger);
        assert_eq!(next_run(&journal).at_risk, Credits::ZERO);
    });
}

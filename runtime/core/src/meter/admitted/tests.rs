//! What a lost call of unknown price has at risk while other calls show prices, under random schedules of a model checker.

use std::time::Duration;

use crate::document::{Operation, Shape};
use http::Method;
use shuttle::future::block_on;
use shuttle::thread;

use super::*;
use crate::meter::meter::COMPUTED;
use crate::money::budget::tests::model::check;
use crate::money::metered_budget::MeteredBudget;
use crate::money::report::ReportedCharge;

/// The document lists three credits for another operation.
const LISTED: Credits = Credits::new(3);

static SIZED: Operation = Operation {
    id: "sized",
    method: Method::GET,
    path: "/sized",
    extension: Some(&Tariff {
        prices: &[],
        priced_by: &["size"],
        charge: Some("cost"),
    }),
    response: &Shape::Any,
};

fn sized(size: u64) -> Request {
    let mut request = Request::new(&SIZED);
    request.query("size", &size);
    request
}

/// Starts a call that is expected to cost what the document lists.
fn started(meter: &Meter) -> Admitted {
    let request = sized(1);
    let line = Line::of(&request);
    let known = meter.known_price(&line, &request);
    let wanted = meter.wanted(&line, known, 1, None);
    let budget: &dyn MeteredBudget = meter.budget();
    let reserved = budget.reserve_for(known.need.reserved, &wanted, Duration::MAX);
    let mut admitted = Admitted {
        reserved: vec![block_on(reserved).unwrap()],
        ids: Arc::default(),
        line,
        known,
        meter: meter.clone(),
    };
    admitted.sent(None);
    admitted
}

/// Ends a call whose response is lost.
fn lose(admitted: Admitted) {
    admitted.settle(Settlement::Risk, &Aftermath::default());
}

/// Notes the charge of a call as the end of its attempt does.
fn show_price(meter: &Meter, size: u64, price: u32) {
    let charge = ReportedCharge::Credits(Credits::new(price));
    if meter.prices().note(&Line::of(&sized(size)), charge, true) {
        meter.reprice(&SIZED);
    }
}

fn assert_has_its_price_at_risk(meter: &Meter) {
    let at_risk = meter.budget().at_risk();
    let amounts: Vec<_> = at_risk.iter().map(|call| call.amount).collect();
    assert_eq!(amounts, [Some(Credits::new(5))]);
    assert_eq!(meter.budget().usage().at_risk, Credits::new(5));
}

#[test]
fn a_call_that_is_lost_while_another_one_shows_its_price_has_that_at_risk() {
    for end in [lose as fn(Admitted), drop] {
        check(300, move || {
            let meter = Meter::new(Some("cost"), Some(LISTED), false);
            let admitted = started(&meter);
            let other = meter.clone();
            let threads = [
                thread::spawn(move || end(admitted)),
                thread::spawn(move || show_price(&other, 1, 5)),
            ];
            for thread in threads {
                thread.join().unwrap();
            }
            assert_has_its_price_at_risk(&meter);
        });
    }
}

/// A call that computed the amounts of all others would take quadratic time where a batch is dropped.
#[test]
fn a_dropped_call_computes_its_own_amount_only() {
    check(1, || {
        let meter = Meter::new(Some("cost"), Some(LISTED), false);
        let dropped: Vec<_> = (0..50).map(|_| started(&meter)).collect();
        COMPUTED.set(0);
        drop(dropped);
        assert_eq!(COMPUTED.get(), 50);
        assert_eq!(meter.budget().at_risk().len(), 50);
    });
}

#[test]
fn of_two_first_prices_the_one_of_the_same_arguments_is_at_risk() {
    check(300, || {
        let meter = Meter::new(Some("cost"), Some(LISTED), false);
        lose(started(&meter));
        let threads = [(1, 5), (2, 20)].map(|(size, price)| {
            let meter = meter.clone();
            thread::spawn(move || show_price(&meter, size, price))
        });
        for thread in threads {
            thread.join().unwrap();
        }
        assert_has_its_price_at_risk(&meter);
    });
}

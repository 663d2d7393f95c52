use http::Method;
use http::StatusCode;

use super::*;

static PAGED: Operation = Operation {
    id: "paged",
    method: Method::GET,
    path: "/paged",
    extension: Some(&Tariff {
        prices: &[Price {
            credits: Credits::from_micros(4),
            when: &[("limit", Presence::Absent)],
        }],
        priced_by: &["sections"],
        charge: Some("cost"),
    }),
    response: &crate::document::Shape::Any,
};

fn with_limit(limit: impl std::fmt::Display) -> Request {
    let mut request = Request::new(&PAGED);
    request.query("offset", &7).query("limit", &limit);
    request
}

fn note(book: &PriceBook, request: &Request, credits: u64) {
    note_of(book, request, StatusCode::OK, credits);
}

fn note_of(book: &PriceBook, request: &Request, status: StatusCode, credits: u64) {
    let report = ReportedCharge::Credits(Credits::from_micros(credits));
    book.note(&Line::of(request), report, status.is_success());
}

fn known(book: &PriceBook, request: &Request) -> Option<u64> {
    known_with(book, request, &StatedPrices::default())
}

fn known_with(book: &PriceBook, request: &Request, stated: &StatedPrices) -> Option<u64> {
    let known = book.known(&Line::of(request), request, stated);
    let is_own = known.source != PriceSource::Learned;
    known.at_most().filter(|_| is_own).map(Credits::micros)
}

#[test]
fn the_price_that_was_seen_least_recently_makes_room() {
    let book = PriceBook::default();
    for limit in 0..REMEMBERED {
        note(&book, &with_limit(limit), 2);
    }
    note(&book, &with_limit(0), 2);
    note(&book, &with_limit("new"), 3);
    assert_eq!(book.seen().prices.len(), REMEMBERED);
    for (limit, price) in [
        ("0", Some(2)),
        ("1", None),
        ("2", Some(2)),
        ("new", Some(3)),
    ] {
        assert_eq!(known(&book, &with_limit(limit)), price, "{limit}");
    }
}

#[test]
fn one_odd_bill_is_forgotten_after_the_next_eight() {
    let book = PriceBook::default();
    let request = with_limit(1);
    note(&book, &request, 500);
    for _ in 1..RECENT {
        note(&book, &request, 2);
        assert_eq!(known(&book, &request), Some(500));
    }
    note(&book, &request, 2);
    assert_eq!(known(&book, &request), Some(2));
    // The listed price is the minimum.
    note(&book, &Request::new(&PAGED), 1);
    assert_eq!(known(&book, &Request::new(&PAGED)), Some(4));
}

/// Returns prices, in micros, that the caller states for all calls and for the call.
fn stated(all: Option<u64>, call: Option<u64>) -> (StatedPrices, Request) {
    let credits = Credits::from_micros;
    let stated = StatedPrices {
        all: all.map(credits),
        dearest: None,
    };
    let mut request = with_limit(1);
    own(&mut request).assumed = call.map(credits);
    (stated, request)
}

fn learn(book: &PriceBook, line: &Line, micros: u64) -> bool {
    let operation = Cow::Borrowed(line.operation().id);
    book.learn(
        operation,
        line.arguments().unwrap(),
        Credits::from_micros(micros),
    )
}

fn own(request: &mut Request) -> &mut OwnPrice {
    request.extensions_mut().get_or_insert_default()
}

#[test]
fn a_price_that_was_seen_never_replaces_a_higher_one_that_the_caller_states() {
    for (all, call) in [(Some(5), None), (Some(9), Some(5))] {
        let book = PriceBook::default();
        let (stated, mut request) = stated(all, call);
        let line = Line::of(&request);
        let of = Credits::from_micros;
        let five = KnownPrice::exactly(PriceSource::Assumed, of(5));
        assert_eq!(book.known(&line, &request, &stated), five);
        note(&book, &request, 2);
        assert_eq!(book.known(&line, &request, &stated), five);
        // Another process saw it.
        learn(&book, &line, 3);
        assert_eq!(book.known(&line, &request, &stated), five);
        learn(&book, &line, 6);
        let six = KnownPrice::exactly(PriceSource::Observed, of(6));
        assert_eq!(book.known(&line, &request, &stated), six);
        own(&mut request).given = Some(of(3));
        let given = KnownPrice::exactly(PriceSource::Given, of(3));
        assert_eq!(book.known(&line, &request, &stated), given);
    }
}

#[test]
fn a_listed_price_is_raised_by_a_statement_about_its_call_and_once_a_response_exceeds_it() {
    let listed = |of: &Request| {
        let mut request = Request::new(&PAGED);
        *request.extensions_mut() = of.extensions().clone();
        request
    };
    for (all, call, price) in [
        (Some(9), None, 4),
        (Some(9), Some(6), 6),
        (None, Some(3), 4),
    ] {
        let (stated, request) = stated(all, call);
        let known = known_with(&PriceBook::default(), &listed(&request), &stated);
        assert_eq!(known, Some(price));
    }
    let book = PriceBook::default();
    let (stated, request) = stated(Some(9), None);
    let request = listed(&request);
    note(&book, &request, 4);
    assert_eq!(known_with(&book, &request, &stated), Some(4));
    note(&book, &request, 5);
    assert_eq!(known_with(&book, &request, &stated), Some(9));
}

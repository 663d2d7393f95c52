use http::{Method, StatusCode};

use super::*;

static PAGED: Operation = Operation {
    id: "paged",
    method: Method::GET,
    path: "/paged",
    prices: &[Price {
        credits: Credits::from_micros(4),
        when: &[("limit", Presence::Absent)],
    }],
    priced_by: &["sections"],
    charge: Some("cost"),
    response: &crate::document::shape::Shape::Any,
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
    let ending = AttemptResult::Responded {
        status,
        retry_after: None,
        reported: ReportedCharge::Credits(Credits::from_micros(credits)),
    };
    book.note(&Line::of(request), &ending);
}

fn known(book: &PriceBook, request: &Request) -> Option<u64> {
    let known = book.known(&Line::of(request), request);
    known.credits().map(Credits::micros)
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
fn an_observed_price_applies_to_calls_with_the_same_priced_parameters() {
    let book = PriceBook::default();
    let mut sections = with_limit(1);
    sections.query("sections", &"a");
    note(&book, &sections, 7);
    assert_eq!(known(&book, &sections), Some(7));
    assert_eq!(known(&book, &with_limit(1)), None);
    let mut both = Request::new(&PAGED);
    both.query("sections", &"a");
    assert_eq!(known(&book, &both), Some(4), "listed");
    note(&book, &both, 9);
    assert_eq!(known(&book, &both), Some(9));
    assert_eq!(known(&book, &Request::new(&PAGED)), Some(4));
    let prices: Vec<_> = book
        .list()
        .into_iter()
        .map(|price| price.arguments)
        .collect();
    assert_eq!(prices, ["limit=1&sections=a", "sections=a"]);
    book.forget();
    assert_eq!(known(&book, &sections), None);
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

#[test]
fn neither_failures_nor_responses_that_cost_nothing_lower_a_price() {
    let book = PriceBook::default();
    let request = with_limit(1);
    note(&book, &request, 5);
    for _ in 0..2 * RECENT {
        note_of(&book, &request, StatusCode::OK, 0);
        note_of(&book, &request, StatusCode::NOT_FOUND, 0);
        note_of(&book, &request, StatusCode::NOT_FOUND, 1);
    }
    assert_eq!(known(&book, &request), Some(5));
    note_of(&book, &request, StatusCode::NOT_FOUND, 6);
    assert_eq!(known(&book, &request), Some(6));
}

#[test]
fn only_successes_make_an_operation_free_again() {
    static FREE: Operation = Operation {
        id: "free",
        method: Method::GET,
        path: "/free",
        prices: &[Price {
            credits: Credits::ZERO,
            when: &[],
        }],
        priced_by: &[],
        charge: Some("cost"),
        response: &crate::document::shape::Shape::Any,
    };
    let book = PriceBook::default();
    let request = Request::new(&FREE);
    note_of(&book, &request, StatusCode::INTERNAL_SERVER_ERROR, 3);
    for (status, is_free) in [(StatusCode::NOT_FOUND, false), (StatusCode::OK, true)] {
        for _ in 0..RECENT {
            note_of(&book, &request, status, 0);
        }
        assert_eq!(
            book.is_free(&Line::of(&Request::new(&FREE))),
            is_free,
            "{status}"
        );
    }
    assert_eq!(known(&book, &request), Some(0));
}

#[test]
fn an_assumed_price_counts_until_one_is_seen() {
    let book = PriceBook::new(Some(Credits::from_micros(5)), HashMap::new());
    let mut request = with_limit(1);
    assert_eq!(
        book.known(&Line::of(&request), &request),
        KnownPrice::Assumed(Credits::from_micros(5))
    );
    request.assumed_price = Some(Credits::from_micros(6));
    assert_eq!(
        book.known(&Line::of(&request), &request),
        KnownPrice::Assumed(Credits::from_micros(6))
    );
    note(&book, &request, 2);
    assert_eq!(
        book.known(&Line::of(&request), &request),
        KnownPrice::Observed(Credits::from_micros(2))
    );
    request.price = Some(Credits::from_micros(3));
    assert_eq!(
        book.known(&Line::of(&request), &request),
        KnownPrice::Given(Credits::from_micros(3))
    );
}

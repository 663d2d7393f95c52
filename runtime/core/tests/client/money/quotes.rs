//! Possible costs of calls before any is made. Time is paused.

use generated_client::money::{PriceSource, Quote};
use generated_client::{Credits, RetryPolicy};

use crate::support::scripted_client::credits;
use crate::support::things::{Body, Reply, Service, page};

fn told(quote: Quote) -> (Option<u64>, Option<Credits>, PriceSource) {
    (quote.calls, quote.at_most, quote.source)
}

/// Returns seven things in pages of three; each page costs two credits.
fn seven() -> Vec<Reply> {
    vec![
        page("0", "7", &["0", "1", "2"]),
        page("3", "7", &["3", "4", "5"]),
        page("6", "7", &["6"]),
    ]
}

#[tokio::test(start_paused = true)]
async fn a_call_costs_its_price_and_its_quote_nothing() {
    let service = Service::of([]);
    let client = service.client();
    let one = |price: &str, source| (Some(1), Some(credits(price)), source);
    let things = client.things();
    assert_eq!(told(things.quote()), one("2", PriceSource::Observed));
    let given = things.price(credits("0.5"));
    assert_eq!(told(given.quote()), one("0.5", PriceSource::Given));
    let unknown = client.unpriced_things();
    // Four times the dearest price in the document.
    assert_eq!(told(unknown.quote()), one("8", PriceSource::Learned));
    let given = unknown.price(credits("9"));
    assert_eq!(told(given.quote()), one("9", PriceSource::Given));
    let free = client.archived();
    assert_eq!(told(free.quote()), one("0", PriceSource::Observed));
    assert!(service.asked().is_empty());
    assert_eq!(client.budget().usage().reserved, Credits::ZERO);
}

#[tokio::test(start_paused = true)]
async fn only_the_policy_that_may_pay_twice_is_quoted_for_all_attempts() {
    let service = Service::of([]);
    for (policy, at_most) in [
        (RetryPolicy::Standard, "2"),
        (RetryPolicy::Never, "2"),
        (RetryPolicy::Always, "6"),
    ] {
        let client = service.builder().retry(policy).build().unwrap();
        let things = client.things();
        assert_eq!(things.quote().at_most, Some(credits(at_most)), "{policy:?}");
        let things = service.client().things().retry(policy);
        assert_eq!(things.quote().at_most, Some(credits(at_most)), "{policy:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_price_that_was_seen_is_quoted() {
    let service = Service::of([Body(200, r#"{"cost": 1.25}"#.to_owned())]);
    let client = service.client();
    client.unpriced_things().send().await.unwrap();
    let expected = (Some(1), Some(credits("1.25")), PriceSource::Observed);
    assert_eq!(told(client.unpriced_things().quote()), expected);
}

#[tokio::test(start_paused = true)]
async fn pages_are_quoted_by_what_is_still_to_come() {
    let client = Service::of(seven()).client();
    let mut pages = client.things().limit(3).pages();
    assert_eq!(told(pages.quote()), (None, None, PriceSource::Observed));
    for (calls, at_most) in [(2, "4"), (1, "2"), (0, "0")] {
        pages.next().await.unwrap().unwrap();
        let expected = (Some(calls), Some(credits(at_most)), PriceSource::Observed);
        assert_eq!(told(pages.quote()), expected);
    }
    let client = Service::of(seven()).client();
    let mut pages = client.things().limit(3).pages().take(2);
    for calls in [2, 1] {
        assert_eq!(pages.quote().calls, Some(calls));
        pages.next().await.unwrap().unwrap();
    }
    assert_eq!(pages.quote().calls, Some(0));
}

#[tokio::test(start_paused = true)]
async fn records_are_quoted_by_their_pages() {
    let client = Service::of(seven()).client();
    let things = client.things().limit(3).price(credits("5"));
    assert_eq!(
        told(things.clone().items().quote()),
        (None, None, PriceSource::Given)
    );
    for (wanted, calls) in [(0, 0), (1, 1), (3, 1), (4, 2), (300, 100)] {
        let quote = things.clone().items().take(wanted).quote();
        let at_most = Credits::from_micros(calls * 5_000_000);
        assert_eq!(
            told(quote),
            (Some(calls), Some(at_most), PriceSource::Given)
        );
    }
    let mut items = things.items().take(5);
    for calls in [2, 1, 1, 1, 0, 0] {
        assert_eq!(items.quote().calls, Some(calls));
        items.next().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_service_that_sends_less_than_was_asked_for_is_quoted_by_what_it_sends() {
    let client = Service::of([page("0", "100", &["0", "1"])]).client();
    let mut items = client.things().limit(50).items();
    items.next().await.unwrap().unwrap();
    assert_eq!(items.quote().calls, Some(49));
    // The size of a page without a limit is unknown before the first one.
    let client = Service::of([page("0", "100", &["0", "1"])]).client();
    let mut items = client.things().items().take(10);
    assert_eq!(items.quote().calls, None);
    items.next().await.unwrap().unwrap();
    assert_eq!(items.quote().calls, Some(49));
}

#[tokio::test(start_paused = true)]
async fn a_run_that_ended_costs_nothing_more() {
    let client = Service::of([Body(404, String::new())]).client();
    let mut pages = client.things().limit(3).pages().take(9);
    pages.next().await.unwrap().unwrap_err();
    assert_eq!(pages.quote().at_most, Some(Credits::ZERO));
}

#[test]
fn amounts_beyond_all_numbers_stay_the_greatest() {
    let client = Service::of([]).client();
    let items = client.things().limit(1).items().take(u64::MAX);
    let quote = items.quote();
    assert_eq!(quote.calls, Some(u64::MAX));
    assert_eq!(quote.at_most, Some(Credits::from_micros(u64::MAX)));
}

//! Records and pages of every paged operation, from a service that bills: all records arrive once, at the documented price.

use std::collections::BTreeSet;

use company_intel::error::PagingCause;
use company_intel::money::PriceSource;
use company_intel::{Client, Credits, Error, Outcome};
use company_intel_sandbox::Sandbox;

const COMPANY: &str = "example.com";

async fn sandbox() -> (Sandbox, Client) {
    let sandbox = Sandbox::start().await.unwrap();
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .build()
        .unwrap();
    (sandbox, client)
}

fn credits(text: &str) -> Credits {
    text.parse().unwrap()
}

/// Returns the spent credits, after a check that the service billed as many.
fn spent(sandbox: &Sandbox, client: &Client) -> Credits {
    let usage = client.budget().usage();
    assert_eq!(usage.spent.micros(), sandbox.bill().total_micros);
    assert_eq!(
        (usage.reserved, usage.at_risk),
        (Credits::ZERO, Credits::ZERO)
    );
    usage.spent
}

/// Reads all records. The sandbox has no duplicates.
macro_rules! all {
    ($items:expr) => {{
        let mut items = $items;
        let mut ids = Vec::new();
        while let Some(item) = items.next().await {
            ids.push(format!("{:?}", item.unwrap()));
        }
        assert_eq!(items.quote().calls, Some(0));
        ids
    }};
}

/// Returns the number of distinct identifiers.
fn distinct(ids: &[String]) -> usize {
    let unique: BTreeSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    ids.len()
}

#[tokio::test]
async fn all_records_of_every_operation_come_once_and_cost_what_the_service_bills() {
    let (sandbox, client) = sandbox().await;
    // Each operation has a page size that its last page does not fill.
    let news = all!(client.news(COMPANY).limit(15).items());
    assert_eq!((distinct(&news), sandbox.bill().calls.len()), (37, 3));
    let reviews = all!(client.employee_reviews(COMPANY).items());
    assert_eq!((distinct(&reviews), sandbox.bill().calls.len()), (26, 6));
    let jobs = all!(client.job_posts(COMPANY).limit(7).items());
    assert_eq!((distinct(&jobs), sandbox.bill().calls.len()), (23, 10));
    let posts = all!(client.social_posts(COMPANY).items());
    assert_eq!((distinct(&posts), sandbox.bill().calls.len()), (14, 12));
    assert_eq!(client.budget().usage().calls, 12);
    spent(&sandbox, &client);
}

#[tokio::test]
async fn reviews_of_several_products_go_on_side_by_side() {
    let (sandbox, client) = sandbox().await;
    let listed = client.product_reviews(COMPANY).send().await.unwrap();
    let listed: serde_json::Value = serde_json::from_slice(&listed.raw).unwrap();
    let products = listed["data"]["product"].as_array().unwrap().iter();
    let id = |one: &serde_json::Value| one["id"].as_str().unwrap().to_owned();
    let products: Vec<String> = products.map(id).collect();
    assert_eq!(products.len(), 3);
    let mut alone = Vec::new();
    for product in &products {
        let call = client.product_reviews(COMPANY).products([product.as_str()]);
        alone.extend(all!(call.limit(50).items()));
    }
    let calls = sandbox.bill().calls.len();
    let call = client.product_reviews(COMPANY).products(products);
    let mut together = all!(call.limit(5).items());
    // The largest product has twelve reviews.
    assert_eq!(sandbox.bill().calls.len() - calls, 3);
    alone.sort_unstable();
    together.sort_unstable();
    assert_eq!(together, alone);
    assert!(alone.len() > 12);
    spent(&sandbox, &client);
}

#[tokio::test]
async fn reviews_of_products_need_products_and_a_limit() {
    let (sandbox, client) = sandbox().await;
    let call = client.product_reviews(COMPANY);
    for (call, argument) in [
        (call.clone(), "products"),
        (call.clone().limit(5), "limit"),
        (call.clone().products(["101-1"]), "limit"),
        (call.clone().products(["101-1"]).limit(0), "limit"),
    ] {
        let error = call.items().next().await.unwrap().unwrap_err();
        let Error::Argument(refused) = &error else {
            panic!("{error:?}");
        };
        assert_eq!(refused.argument(), argument);
    }
    assert_eq!(spent(&sandbox, &client), Credits::ZERO);
}

/// Counts the records before the end or an error, and returns both.
macro_rules! counted {
    ($items:expr) => {{
        let items = &mut $items;
        let mut count = 0;
        loop {
            match items.next().await {
                Some(Ok(_)) => count += 1,
                Some(Err(error)) => break (count, Some(error)),
                None => break (count, None),
            }
        }
    }};
}

#[tokio::test]
async fn a_run_costs_what_was_quoted_and_no_more_than_was_allowed() {
    let (sandbox, client) = sandbox().await;
    let mut items = client.job_posts(COMPANY).items();
    assert_eq!(items.quote().calls, None);
    assert_eq!(items.quote().source, PriceSource::Observed);
    items.next().await.unwrap().unwrap();
    let quote = items.quote();
    assert_eq!((quote.calls, quote.at_most), (Some(2), Some(credits("8"))));
    assert!(matches!(counted!(items), (22, None)));
    assert_eq!(spent(&sandbox, &client), credits("12"));

    let mut items = client.job_posts(COMPANY).items().take(12);
    assert_eq!(items.quote().at_most, Some(credits("8")));
    assert!(matches!(counted!(items), (12, None)));
    assert_eq!(items.offset(), 12);
    assert_eq!(spent(&sandbox, &client), credits("20"));

    let mut items = client.job_posts(COMPANY).items().at_most(credits("9"));
    let (count, error) = counted!(items);
    let error = error.unwrap();
    assert_eq!((count, error.resume_offset()), (20, Some(20)));
    assert!(error.of_call().budget().is_some(), "{error:?}");
    assert_eq!(error.outcome(), Outcome::NotSent);
    assert_eq!(spent(&sandbox, &client), credits("28"));
    let rest = client.job_posts(COMPANY).offset(20).items();
    assert_eq!(distinct(&all!(rest)), 3);
    assert_eq!(spent(&sandbox, &client), credits("32"));
}

#[tokio::test]
async fn a_page_that_fails_says_where_to_go_on_and_costs_nothing() {
    let (sandbox, client) = sandbox().await;
    let mut pages = client.news("nobody.example").offset(5).pages();
    let error = pages.next().await.unwrap().unwrap_err();
    assert_eq!(
        (error.status().unwrap().as_u16(), error.resume_offset()),
        (404, Some(5))
    );
    let Error::Paging(paging) = &error else {
        panic!("{error:?}");
    };
    assert!(matches!(&paging.cause, PagingCause::Call(Error::Status(_))));
    assert!(pages.next().await.is_none());
    assert!(sandbox.bill().calls.is_empty());
}

#[tokio::test]
async fn an_offset_behind_the_end_and_a_company_without_records_are_one_empty_page() {
    let (sandbox, client) = sandbox().await;
    let mut behind = client.social_posts(COMPANY).offset(1000).items();
    assert!(matches!(counted!(behind), (0, None)));
    let mut none = client.news("tidewater-logistics.example").items();
    assert!(matches!(counted!(none), (0, None)));
    assert_eq!(sandbox.bill().calls.len(), 2);
}

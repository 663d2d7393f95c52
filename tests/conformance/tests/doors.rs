//! Ways around the documented API and the built-in set-up, each against a service that bills.

use company_intel::money::PriceSource;
use company_intel::prelude::*;
use company_intel::transport::Transport;
use company_intel::types::EmployeeReviewsResponse;
use company_intel::types::EnrichmentSection;
use company_intel::{Bytes, Response, http};
use company_intel::{Client, ClientBuilder, Credits, Error};
use company_intel_sandbox::Sandbox;
use serde::Deserialize;
use serde_json::Value;

const COMPANY: &str = "example.com";

async fn sandbox() -> (Sandbox, ClientBuilder<Client>) {
    let sandbox = Sandbox::start().await.unwrap();
    let builder = Client::builder(sandbox.base_url()).api_key(sandbox.api_key());
    (sandbox, builder)
}

/// Returns the spent credits, after a check that the service billed as many.
fn spent(sandbox: &Sandbox, client: &Client) -> Credits {
    let usage = client.budget().usage();
    assert_eq!(usage.spent.micros(), sandbox.bill().total_micros);
    assert_eq!(usage.at_risk, Credits::ZERO);
    usage.spent
}

#[tokio::test]
async fn a_section_is_asked_for_by_its_name_on_the_wire() {
    let (sandbox, builder) = sandbox().await;
    let client = builder.build().unwrap();
    let call = || client.enrichment(COMPANY);
    let named = call().extra_query("sections", "firmographic");
    assert_eq!(named.quote().source, PriceSource::Learned);
    let named = named.send_as::<Value>().await.unwrap();
    let typed = call().sections([EnrichmentSection::Firmographic]);
    let typed = typed.send_as::<Value>().await.unwrap();
    assert_eq!(named.body["data"], typed.body["data"]);
    assert_eq!(sandbox.bill().calls.len(), 2);
    assert!(spent(&sandbox, &client) > Credits::ZERO);

    let both = call().sections([EnrichmentSection::Firmographic]);
    let error = both
        .extra_query("sections", "new")
        .send()
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Argument(_)), "{error:?}");
    assert_eq!(sandbox.bill().calls.len(), 2);
}

#[derive(Debug, Deserialize)]
struct Post {
    job_title: Option<String>,
    #[serde(flatten)]
    others: serde_json::Map<String, Value>,
}

#[tokio::test]
async fn records_and_pages_are_read_as_types_of_the_caller_and_cost_the_same() {
    let (sandbox, builder) = sandbox().await;
    let client = builder.build().unwrap();
    let call = || client.job_posts(COMPANY).limit(10);
    let mut items = call().header("x-trace", "1").items_as::<Post>();
    let mut records = 0;
    while let Some(post) = items.next().await {
        let post = post.unwrap();
        assert!(post.job_title.is_some() || !post.others.is_empty());
        records += 1;
    }
    let first = spent(&sandbox, &client);
    assert_eq!((records, sandbox.bill().calls.len()), (23, 3));

    let mut pages = call().pages_as::<Value>();
    let mut records = 0;
    while let Some(page) = pages.next().await {
        records += page.unwrap().body["data"].as_array().unwrap().len();
    }
    assert_eq!((records, sandbox.bill().calls.len()), (23, 6));
    assert_eq!(spent(&sandbox, &client).micros(), 2 * first.micros());
}

#[tokio::test]
async fn a_quote_shows_what_the_largest_documented_page_takes() {
    let (sandbox, builder) = sandbox().await;
    let client = builder.build().unwrap();
    let reviews = || client.employee_reviews(COMPANY);
    let quote = reviews().items().take(250).quote();
    assert_eq!(
        (quote.calls, quote.at_most),
        (Some(25), "37.5".parse().ok())
    );
    let largest = quote.largest_page.unwrap();
    assert_eq!(
        (largest.size, largest.calls, largest.at_most),
        (100, Some(3), "18".parse().ok())
    );

    let mut large = reviews().limit(100).items();
    while let Some(review) = large.next().await {
        review.unwrap();
    }
    assert_eq!(large.quote().largest_page, None);
    let bill = sandbox.bill();
    assert_eq!(bill.calls.len(), 1);
    // The price of such a page is known from now on.
    let largest = reviews().items().take(250).quote().largest_page.unwrap();
    let all = largest.at_most.map(Credits::micros);
    assert_eq!(all, Some(3 * bill.total_micros));
    // An undocumented page size.
    assert_eq!(client.job_posts(COMPANY).items().quote().largest_page, None);
    assert_eq!(reviews().quote().largest_page, None);
}

#[tokio::test]
async fn a_transport_around_the_built_in_one_sees_every_call() {
    use std::sync::{Arc, Mutex};
    let (sandbox, builder) = sandbox().await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let client = builder
        .user_agent_suffix("doors/1")
        .default_header("x-team", "one")
        .http(|http| http.pool_max_idle_per_host(1))
        .wrap(move |inner: Arc<dyn Transport>| {
            move |request: http::Request<Bytes>| {
                let inner = Arc::clone(&inner);
                let agent = request.headers()["user-agent"].to_str().unwrap().to_owned();
                let team = request.headers().contains_key("x-team");
                log.lock().unwrap().push((agent, team));
                async move { inner.send(request).await }
            }
        })
        .build()
        .unwrap();
    client.employee_reviews(COMPANY).send().await.unwrap();
    assert!(spent(&sandbox, &client) > Credits::ZERO);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 1);
    assert!(seen[0].0.ends_with(" doors/1") && seen[0].1, "{seen:?}");
}

#[tokio::test]
async fn a_paid_response_is_read_again_from_its_bytes() {
    let (sandbox, builder) = sandbox().await;
    let client = builder.build().unwrap();
    let paid = client.employee_reviews(COMPANY).send().await.unwrap();
    let stored = Response::<EmployeeReviewsResponse>::from_bytes(paid.raw.clone()).unwrap();
    assert_eq!(format!("{:?}", stored.body), format!("{:?}", paid.body));
    assert_eq!(stored.drift(), paid.drift());
    assert_eq!(stored.reported_charge(), paid.reported_charge());
    assert!(stored.reported_charge().is_some());
    assert_eq!(sandbox.bill().calls.len(), 1);
}

//! Ways around what is documented and around the built-in set-up, each against a service that bills.

use company_intel::types::EnrichmentSection;
use company_intel::{Client, ClientBuilder, Credits, Error, PriceSource};
use company_intel_sandbox::Sandbox;
use serde::Deserialize;
use serde_json::Value;

const COMPANY: &str = "example.com";

async fn sandbox() -> (Sandbox, ClientBuilder<Client>) {
    let sandbox = Sandbox::start().await.unwrap();
    let builder = Client::builder(sandbox.base_url()).api_key(sandbox.api_key());
    (sandbox, builder)
}

/// What was spent, which is what was billed.
fn spent(sandbox: &Sandbox, client: &Client) -> Credits {
    let usage = client.ledger().usage();
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
    assert_eq!(named.quote().source, PriceSource::Unknown);
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

//! Runs the Rust blocks of the README and of the pages below `docs/` unchanged, against a sandbox.

use std::sync::OnceLock;

use company_intel::cache::Cache;
use company_intel::{Client, ClientBuilder, Credits};
use company_intel_sandbox::Sandbox;

include!(concat!(env!("OUT_DIR"), "/readme.rs"));

const API_KEY: &str = "a-key-of-the-readme";

static BASE_URL: OnceLock<String> = OnceLock::new();

fn base_url() -> &'static str {
    BASE_URL.get().unwrap()
}

fn builder() -> ClientBuilder<Client> {
    Client::builder(base_url()).api_key(API_KEY)
}

fn client() -> Result<Client, company_intel::Error> {
    builder().build()
}

fn journal() -> String {
    concat!(env!("CARGO_TARGET_TMPDIR"), "/headcount.journal").to_owned()
}

fn responses() -> String {
    concat!(env!("CARGO_TARGET_TMPDIR"), "/responses.sqlite").to_owned()
}

#[tokio::test]
async fn every_block_does_what_it_says() {
    let sandbox = Sandbox::builder().api_key(API_KEY).start().await.unwrap();
    BASE_URL.set(sandbox.base_url()).unwrap();
    let client = client().unwrap();

    main::main().await.unwrap();
    read::read(client.clone()).await.unwrap();
    spend::spend().await.unwrap();
    let domains = vec![
        "example.com".to_owned(),
        "quarry-software.example".to_owned(),
    ];
    let gone = client.headcount_trends("nowhere.example").send().await;
    gone.unwrap_err();
    assert_eq!(client.budget().at_risk().len(), 1);
    settle::settle(client.clone()).await.unwrap();
    assert_eq!(client.budget().at_risk().len(), 0);
    // Needs a Redis: it compiles.
    _ = worker::worker;
    _ = std::fs::remove_file(journal());
    batch::batch(domains.clone()).await.unwrap();
    let billed = sandbox.bill().total();
    batch::batch(domains).await.unwrap();
    assert_eq!(sandbox.bill().total(), billed, "a batch pays once");
    let count = headcount::headcount(&client, "example.com").await.unwrap();
    assert_eq!(count, Some(1840));
    assert_eq!(
        headcount::headcount(&client, "nowhere.example")
            .await
            .unwrap(),
        None
    );
    look::look(client.clone()).await.unwrap();
    let billed = sandbox.bill().total();
    let domains = ["example.com".to_owned(), "www.example.com".to_owned()];
    quoted::quoted(client, domains.into()).await.unwrap();
    assert_eq!(sandbox.bill().total(), billed, "a quote is free");
    let cached = builder().cache(Cache::in_memory()).build().unwrap();
    for _ in 0..2 {
        let watched = watched::watched(cached.clone(), vec!["example.com".to_owned()]).await;
        watched.unwrap();
    }
    let watched = sandbox.bill().total();
    assert_eq!(watched, billed + Credits::parse("2.5").unwrap());
    _ = std::fs::remove_file(responses());
    stored::stored().await.unwrap();
    let billed = sandbox.bill().total();
    replayed::replayed().await.unwrap();
    assert_eq!(sandbox.bill().total(), billed, "a replay is free");

    let bill = sandbox.bill();
    assert!(
        bill.total() > Credits::ZERO && bill.calls.len() >= 10,
        "{bill:?}"
    );
}

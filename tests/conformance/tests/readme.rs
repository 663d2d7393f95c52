//! Runs the Rust blocks of the README unchanged, against a sandbox.

use std::sync::OnceLock;

use company_intel::{Client, Credits};
use company_intel_sandbox::Sandbox;

include!(concat!(env!("OUT_DIR"), "/readme.rs"));

const API_KEY: &str = "a-key-of-the-readme";

static BASE_URL: OnceLock<String> = OnceLock::new();

fn base_url() -> &'static str {
    BASE_URL.get().unwrap()
}

fn client() -> Result<Client, company_intel::Error> {
    Client::builder(base_url()).api_key(API_KEY).build()
}

#[tokio::test]
async fn every_block_does_what_it_says() {
    let sandbox = Sandbox::builder().api_key(API_KEY).start().await.unwrap();
    BASE_URL.set(sandbox.base_url()).unwrap();
    let client = client().unwrap();

    main::main().await.unwrap();
    read::read(client.clone()).await.unwrap();
    spend::spend().await.unwrap();
    learned::learned().await.unwrap();
    before_the_end::before_the_end().await.unwrap();
    let domains = vec![
        "example.com".to_owned(),
        "quarry-software.example".to_owned(),
    ];
    companies::companies(domains).await.unwrap();
    let count = headcount::headcount(&client, "example.com").await.unwrap();
    assert_eq!(count, Some(1840));
    assert_eq!(
        headcount::headcount(&client, "nowhere.example")
            .await
            .unwrap(),
        None
    );
    look::look(client).await.unwrap();

    let bill = sandbox.bill();
    assert!(
        bill.total() > Credits::ZERO && bill.calls.len() >= 10,
        "{bill:?}"
    );
}

//! A company is a string: there are no numeric identifiers.

use company_intel::Client;

async fn calls(client: &Client) {
    let _ = client.news(42).send().await;
}

fn main() {}

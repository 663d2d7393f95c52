//! An operation about a company requires one.

use company_intel::Client;

async fn calls(client: &Client) {
    let _ = client.news().send().await;
}

fn main() {}

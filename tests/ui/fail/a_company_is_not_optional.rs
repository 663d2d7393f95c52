//! What is about a company needs to be told which.

use company_intel::Client;

async fn calls(client: &Client) {
    let _ = client.news().send().await;
}

fn main() {}

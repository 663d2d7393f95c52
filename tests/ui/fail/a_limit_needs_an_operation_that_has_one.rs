//! An operation takes its own arguments and no others.

use company_intel::Client;

async fn calls(client: &Client) {
    let _ = client.headcount_trends("example.com").limit(5).send().await;
}

fn main() {}

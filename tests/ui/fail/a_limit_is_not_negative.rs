//! A limit is a count.

use company_intel::Client;

async fn calls(client: &Client) {
    let _ = client.job_posts("example.com").limit(-1).send().await;
}

fn main() {}

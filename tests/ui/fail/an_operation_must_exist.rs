//! Operations are methods: one that does not exist is not called.

use company_intel::Client;

async fn calls(client: &Client) {
    let _ = client.weather("example.com").send().await;
}

fn main() {}

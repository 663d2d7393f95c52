//! Operations are methods: an unknown operation cannot be called.

use company_intel::Client;

async fn calls(client: &Client) {
    let _ = client.weather("example.com").send().await;
}

fn main() {}

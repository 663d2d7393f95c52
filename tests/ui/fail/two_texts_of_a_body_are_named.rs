//! The name and the website of a new company cannot be swapped.

use company_intel::Client;

async fn calls(client: &Client) {
    let _ = client.add_company("example.com", "Example Robotics").send().await;
}

fn main() {}

//! The key goes in and does not come out.

use company_intel::Client;

fn reads(client: &Client) {
    let _ = client.api_key();
}

fn main() {}

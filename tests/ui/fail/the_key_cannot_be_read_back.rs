//! A client accepts a key but never returns it.

use company_intel::Client;

fn reads(client: &Client) {
    let _ = client.api_key();
}

fn main() {}

//! There is nothing to read before a call is sent.

use company_intel::Client;

fn calls(client: &Client) {
    let call = client.news("example.com");
    let _ = call.body;
}

fn main() {}

//! Sections are a closed list: a typo in a string would cost a call.

use company_intel::Client;

async fn calls(client: &Client) {
    let call = client.enrichment("example.com");
    let _ = call.sections(["firmografic"]).send().await;
}

fn main() {}

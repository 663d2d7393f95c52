//! The calls would go to the wrong service, with the key of the other.

use company_intel::Client;

fn convert(of_another_api: generated_client::Client) -> Client {
    Client::from(of_another_api)
}

fn main() {}

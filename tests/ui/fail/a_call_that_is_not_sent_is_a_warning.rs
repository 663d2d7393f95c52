//! A call that nobody sends does nothing, and says so.

#![deny(unused_must_use)]

use company_intel::Client;

fn calls(client: &Client) {
    client.news("example.com");
}

fn main() {}

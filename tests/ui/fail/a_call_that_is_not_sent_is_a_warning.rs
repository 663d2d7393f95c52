//! A call without `send` does nothing, and the compiler warns.

#![deny(unused_must_use)]

use company_intel::Client;

fn calls(client: &Client) {
    client.news("example.com");
}

fn main() {}

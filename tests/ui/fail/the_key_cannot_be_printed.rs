//! A client has no `Display`, so it cannot print its key.

use company_intel::Client;

fn prints(client: &Client) {
    println!("{client}");
}

fn main() {}

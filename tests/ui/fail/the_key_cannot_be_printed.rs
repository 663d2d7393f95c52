//! A client prints nothing for people, so it cannot print its key.

use company_intel::Client;

fn prints(client: &Client) {
    println!("{client}");
}

fn main() {}

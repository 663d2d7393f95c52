//! Enriches a list of domains under a budget, and resumes where an earlier run stopped:
//! `cargo run -p company-intel-sandbox --example enrich -- domains.txt` writes `domains.txt.csv`, and the spent credits to a file beside it.

use company_intel::prelude::*;
use std::collections::HashSet;
use std::fs::{self, File};

use company_intel::money::Usage;
use company_intel::types::EnrichmentSection;
use company_intel::{Client, Credits, Ledger};
use company_intel_sandbox::Sandbox;

const BUDGET: Credits = Credits::new(12);
/// Maximum price of a call, until the client has seen a price.
const AT_MOST: Credits = Credits::new(5);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of domains")?;
    let (csv, spent) = (format!("{path}.csv"), format!("{path}.usage.json"));
    let usage: Usage = match fs::exists(&spent)? {
        true => serde_json::from_slice(&fs::read(&spent)?)?,
        false => Usage::default(),
    };
    let sandbox = Sandbox::start().await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .ledger(Ledger::resume(BUDGET, &usage))
        .assume_price(AT_MOST)
        .build()?;

    let list = fs::read_to_string(&path)?;
    let mut options = File::options();
    let rows = options.create(true).append(true).read(true).open(&csv)?;
    let mut earlier = csv::ReaderBuilder::new();
    let mut earlier = earlier.has_headers(false).from_reader(&rows);
    let done: HashSet<String> = earlier
        .deserialize::<(String, String, String)>()
        .map(|row| row.map(|(domain, ..)| domain))
        .collect::<Result<_, _>>()?;
    let mut csv = csv::Writer::from_writer(&rows);
    for domain in list.lines().filter(|domain| !done.contains(*domain)) {
        let call = client
            .enrichment(domain)
            .sections([EnrichmentSection::Firmographic]);
        let called = call.send().await;
        // The cost is saved before the result: a run that stops between the two pays again, but never forgets that it paid.
        let usage = client.ledger().usage();
        fs::write(&spent, serde_json::to_vec(&usage)?)?;
        match called {
            Ok(response) => {
                let facts = response.into_body().data.firmographic.unwrap_or_default();
                let (name, website) = (
                    facts.name.unwrap_or_default(),
                    facts.website.unwrap_or_default(),
                );
                csv.write_record([domain, &name, &website])?;
                csv.flush()?;
            }
            Err(stop) if stop.budget().is_some() => return Err(stop.into()),
            Err(error) => println!("{domain}: {error}"),
        }
        println!(
            "{domain}: {} credits spent, {} at risk",
            usage.spent, usage.at_risk
        );
    }
    Ok(())
}

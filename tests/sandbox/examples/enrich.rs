//! Enriches a list of domains under a budget, and goes on where an earlier run stopped, also after `kill -9`:
//! `cargo run -p company-intel-sandbox --example enrich -- domains.txt` writes `domains.txt.csv`, and beside it the journal of what is done
//! and paid. `--again` also calls what an earlier run may have been billed for without a response.

use std::fs::{self, File};

use company_intel::journal::{Called, Journal};
use company_intel::operations::EnrichmentCall;
use company_intel::types::{EnrichmentResponse, EnrichmentSection};
use company_intel::{Client, Credits, Response};
use company_intel_sandbox::Sandbox;

const BUDGET: Credits = Credits::new(200);
/// The maximum cost of a call, while the client has seen no price.
const AT_MOST: Credits = Credits::new(5);

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().ok_or("name a file of domains")?;
    let (address, key) = service().await?;

    let journal = Journal::open(format!("{path}.journal"), "enrich")?;
    let journal = journal.again(arguments.iter().any(|one| one == "--again"));
    let client = Client::builder(&address)
        .api_key(key)
        .budget(journal.budget(BUDGET))
        .assume_price(AT_MOST)
        .build()?;
    let mut rows = File::options();
    let rows = rows.create(true).append(true).open(format!("{path}.csv"))?;
    let mut rows = csv::Writer::from_writer(rows);
    for domain in fs::read_to_string(path)?.lines() {
        let call = client.enrichment(domain);
        let call = call.sections([EnrichmentSection::Firmographic]);
        let keep = |response: Response<EnrichmentResponse>| -> csv::Result<()> {
            let facts = response.body.data.firmographic.unwrap_or_default();
            rows.serialize((domain, facts.name, facts.website))?;
            Ok(rows.flush()?)
        };
        let called = journal.call(domain, call, EnrichmentCall::send, keep);
        match called.await? {
            Called::Stop(error) => return Err(error.into()),
            called => println!("{domain}: {called}"),
        }
    }
    let usage = journal.usage();
    println!("{} credits spent, {} at risk", usage.spent, usage.at_risk);
    Ok(())
}

/// The address and the key of the environment, or of a sandbox that ends with the process.
async fn service() -> Result<(String, String), Box<dyn std::error::Error>> {
    if let Ok(address) = std::env::var("COMPANY_INTEL_BASE_URL") {
        return Ok((address, std::env::var("COMPANY_INTEL_API_KEY")?));
    }
    let sandbox = Box::leak(Box::new(Sandbox::start().await?));
    Ok((sandbox.base_url(), sandbox.api_key().to_owned()))
}

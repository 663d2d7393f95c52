//! Writes all jobs of a company as lines of JSON: `cargo run -p company-intel-sandbox --example jobs > jobs.ndjson`.

use std::io::Write;

use company_intel::{Client, Credits, Error};
use company_intel_sandbox::Sandbox;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .budget(Credits::new(50))
        .build()?;

    let mut lines = std::io::stdout().lock();
    // A page is requested and billed when its first job is read, so memory holds only one page.
    let mut jobs = client.job_posts("example.com").limit(100).items();
    while let Some(job) = jobs.next().await {
        match job {
            Ok(job) => writeln!(lines, "{}", serde_json::to_string(&job)?)?,
            // The raw record, with the location of the error.
            Err(Error::Record(record)) => eprintln!("{record}"),
            Err(error) => return Err(error.into()),
        }
    }
    eprintln!("{} credits", client.budget().usage().spent);
    Ok(())
}

//! Responses in a file, so that no company is paid for twice: `cargo run -p company-intel-sandbox --example cache`.

use company_intel::Client;
use company_intel::cache::Cache;
use company_intel_sandbox::Sandbox;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let folder = tempfile::tempdir()?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .cache(Cache::open(folder.path().join("responses.sqlite"))?)
        .build()?;
    for company in ["example.com", "https://www.example.com/", "EXAMPLE.com"] {
        let response = client.headcount_trends(company).send().await?;
        println!("{company}: {:?}", response.outcome());
    }
    let usage = client.budget().usage();
    println!("spent {}, saved {}", usage.spent, usage.saved);
    Ok(())
}

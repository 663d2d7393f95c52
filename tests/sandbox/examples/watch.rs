//! Submits a company and polls until it is available: `cargo run -p company-intel-sandbox --example watch`.

use std::time::Duration;

use company_intel::types::AddCompanyRequest;
use company_intel_sandbox::Sandbox;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let client = sandbox.client()?;

    let submitted = client
        .add_company(AddCompanyRequest::new("Newcomer", "newcomer.example"))
        .send()
        .await?;
    let Some(wait) = submitted.body.wait(&client) else {
        println!("it was there already");
        return Ok(());
    };
    let mut polls = wait.deadline(Duration::from_secs(60)).polls();
    while let Some(poll) = polls.next().await {
        println!("{}", poll?.body.detail.status);
    }
    Ok(())
}

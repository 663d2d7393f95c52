//! Output of a subscriber for calls that fail at first: `cargo run -p company-intel-sandbox --example tracing`.

use company_intel::{Client, Credits};
use company_intel_sandbox::{Fault, Sandbox};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().without_time().init();
    let sandbox = Sandbox::builder()
        .fault("headcount_trends", Fault::status(429).retry_after(1))
        .start()
        .await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .budget(Credits::new(20))
        .build()?;
    let trend = client.headcount_trends("example.com").send().await?;
    if let Some(employees) = trend.body.data.total_employees {
        println!("{employees} employees");
    }
    Ok(())
}

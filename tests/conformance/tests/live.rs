//! Tests against the service itself, for those with a key: `COMPANY_INTEL_LIVE=1 cargo test -p conformance-tests live:: -- --nocapture`.
//! They cost nothing: only free operations are called, on a budget of zero.

use company_intel::{Client, Credits, Error};

#[tokio::test]
async fn free_operations_respond_as_documented() -> Result<(), Error> {
    if std::env::var("COMPANY_INTEL_LIVE").as_deref() != Ok("1") {
        eprintln!(
            "skipped: set COMPANY_INTEL_LIVE=1, COMPANY_INTEL_BASE_URL and COMPANY_INTEL_API_KEY to call the service"
        );
        return Ok(());
    }
    let client = Client::builder_from_env()?.budget(Credits::ZERO).build()?;
    let companies = client.company_search("example.com").send().await?;
    for drift in companies.drift() {
        println!("{drift:#}");
    }
    assert_eq!(client.budget().usage().spent, Credits::ZERO);
    Ok(())
}

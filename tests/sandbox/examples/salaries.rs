//! A report of the salaries that a company offers, with its test: `cargo run -p company-intel-sandbox --example salaries`.

use std::collections::BTreeMap;

use company_intel::{Client, Credits, Error};
use company_intel_sandbox::Sandbox;

/// Returns the highest salary in US dollars by the kind of job, from all posts; in pages of 100, for at most 10 credits.
async fn salaries(client: &Client, company: &str) -> Result<BTreeMap<String, i64>, Error> {
    let posts = client.job_posts(company).limit(100).items();
    let mut posts = posts.at_most(Credits::new(10));
    let mut report = BTreeMap::new();
    while let Some(post) = posts.next().await {
        match post {
            Ok(post) => {
                let highest = report.entry(post.type_.to_string()).or_default();
                *highest = post.salary_max_usd.unwrap_or_default().max(*highest);
            }
            // One post that does not decode costs only itself.
            Err(Error::Record(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(report)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let client = Client::builder(sandbox.base_url()).api_key(sandbox.api_key());
    for (kind, usd) in salaries(&client.build()?, "example.com").await? {
        println!("{kind:<12} up to ${usd}");
    }
    Ok(())
}

#[cfg(test)]
#[tokio::test(start_paused = true)]
async fn a_page_that_comes_late_and_a_bad_record_cost_no_report() {
    use company_intel::testing::{Reply, Script, assert_spent};
    use company_intel::types::{JobPost, JobType};

    // The default of a type has all that a response always has.
    let mut post = JobPost::default();
    (post.type_, post.salary_max_usd) = (JobType::FullTime, Some(110));
    let page = Reply::page(
        "/data",
        [serde_json::to_value(post).unwrap(), "no post".into()],
    )
    .with("/credits_consumed", 2)
    .with("/count", 2);
    let script = Script::new([Reply::new(429, "").header("retry-after", "20"), page]);
    let client = Client::builder("https://api.example.com").api_key("k");
    let client = client.transport(script).build().unwrap();
    let report = salaries(&client, "example.com").await.unwrap();
    assert_eq!(report["FULL_TIME"], 110);
    assert_spent(client.budget(), Credits::new(2));
}

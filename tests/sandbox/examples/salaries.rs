//! A report of the salaries that a company offers, with its tests: `cargo run -p company-intel-sandbox --example salaries`.

use company_intel::prelude::*;
use std::collections::BTreeMap;

use company_intel::{Client, Credits, Error};
use company_intel_sandbox::Sandbox;

/// Returns the lowest and highest salary in US dollars by kind of job, from all posts; in pages of 100, for at most 10 credits.
async fn salaries(client: &Client, company: &str) -> Result<BTreeMap<String, (i64, i64)>, Error> {
    let posts = client.job_posts(company).limit(100).items();
    let mut posts = posts.at_most(Credits::new(10));
    let mut report = BTreeMap::new();
    while let Some(post) = posts.next().await {
        let post = match post {
            Ok(post) => post,
            // A post that does not decode is skipped.
            Err(Error::Record(_)) => continue,
            Err(error) => return Err(error),
        };
        if let (Some(low), Some(high)) = (post.salary_min_usd, post.salary_max_usd) {
            let range = report.entry(post.type_.to_string()).or_insert((low, high));
            *range = (range.0.min(low), range.1.max(high));
        }
    }
    Ok(report)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .build()?;
    for (kind, (low, high)) in salaries(&client, "example.com").await? {
        println!("{kind:<12} ${low} to ${high}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use company_intel::testing::{Reply, Script, assert_spent};
    use company_intel::types::{JobPost, JobType};

    use super::*;

    fn post(usd: i64) -> serde_json::Value {
        // The default of a type has a value for every required member.
        let mut post = JobPost::default();
        post.type_ = JobType::FullTime;
        (post.salary_min_usd, post.salary_max_usd) = (Some(usd), Some(usd + 10));
        serde_json::to_value(post).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_page_that_comes_late_and_a_bad_record_cost_no_report() {
        let page = Reply::page("/data", [post(100), "no post".into(), post(70)])
            .with("/credits_consumed", 2)
            .with("/count", 3);
        let script = Script::new([Reply::new(429, "").header("retry-after", "20"), page]);
        let client = Client::builder("https://api.example.com")
            .api_key("k")
            .transport(script)
            .build()
            .unwrap();
        let report = salaries(&client, "example.com").await.unwrap();
        assert_eq!(report["FULL_TIME"], (70, 110));
        assert_spent(client.ledger(), Credits::new(2));
    }
}

//! A first look at the client, with a service on this machine that bills: `cargo run -p company-intel-sandbox --example tour`.

use std::time::Duration;

use company_intel::{Client, Credits, Response};
use company_intel_sandbox::Sandbox;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .build()?;
    let mut spent = Spent::default();

    // Searching is free, and a company that it finds can be passed on as it is.
    let search = spent.on(client.company_search("robotics").send().await?);
    let found = search.data.first().ok_or("no company of that name")?;
    let name = found.name.as_deref().unwrap_or_default();
    let website = found.website.as_deref().unwrap_or_default();
    println!("company    {name}, {website}");

    let headcount = spent.on(client.headcount_trends(found).send().await?);
    let headcount = headcount.data.unwrap_or_default();
    let (total, date) = (headcount.total_employees, headcount.date);
    let (total, date) = (total.unwrap_or_default(), date.unwrap_or_default());
    println!("headcount  {total} on {date}");
    for growth in &headcount.growth_periods {
        let months = growth.month_difference.unwrap_or_default();
        let change = growth.change_percentage.unwrap_or_default();
        println!("           {change:+3} % in {months} months");
    }

    let news = spent.on(client.news(found).limit(3).send().await?);
    println!("news       {} articles", news.total.unwrap_or_default());
    for article in &news.data {
        let title = article.title.as_deref().unwrap_or_default();
        let sentiment = article.sentiment.as_ref().map_or("", |s| s.as_str());
        println!("           {sentiment:<10}{title}");
    }

    let jobs = spent.on(client.job_posts(found).limit(3).send().await?);
    println!("jobs       {} posts", jobs.count.unwrap_or_default());
    for job in &jobs.data {
        let title = job.title.as_deref().unwrap_or_default();
        let salary = job.salary_min_usd.map(|usd| format!("from ${usd}"));
        println!("           {title:<32}{}", salary.unwrap_or_default());
    }

    // A company that is missing can be added. That takes a while; the status says when it is done.
    let added = client.add_company("Newcomer", "https://newcomer.example");
    let added = spent.on(added.send().await?);
    println!("addition   Newcomer");
    let detail = loop {
        let status = spent.on(client.request_status(&added).send().await?);
        let detail = status.detail.unwrap_or_default();
        println!(
            "           {}",
            detail.status.as_deref().unwrap_or_default()
        );
        if detail.company_uuid.is_some() || detail.reason.is_some() {
            break detail;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let headcount = spent.on(client.headcount_trends(&detail).send().await?);
    let headcount = headcount.data.unwrap_or_default();
    let total = headcount.total_employees.unwrap_or_default();
    println!("           {total} employees");

    println!("spent      {} credits, by the answers", spent.0);
    println!("billed     {}, by the service", sandbox.bill());
    Ok(())
}

/// What the answers say they cost, summed up exactly.
#[derive(Default)]
struct Spent(Credits);

impl Spent {
    fn on<T>(&mut self, response: Response<T>) -> T {
        let cost = response.meta.credits_consumed.unwrap_or_default();
        self.0 = self.0.checked_add(cost).unwrap_or(self.0);
        response.body
    }
}

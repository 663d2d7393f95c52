//! A first look at the client, with a service on this machine that bills: `cargo run -p company-intel-sandbox --example tour`.

use company_intel::Client;
use company_intel_sandbox::Sandbox;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .build()?;

    // Searching is free, and a company that it finds can be passed on as it is.
    let search = client.company_search("robotics").send().await?.into_body();
    let found = search.data.first().ok_or("no company of that name")?;
    let name = found.name.as_deref().unwrap_or_default();
    let website = found.website.as_deref().unwrap_or_default();
    println!("company    {name}, {website}");

    let headcount = client.headcount_trends(found).send().await?.into_body();
    let headcount = headcount.data;
    let (total, date) = (headcount.total_employees, headcount.date);
    let (total, date) = (total.unwrap_or_default(), date.unwrap_or_default());
    println!("headcount  {total} on {date}");
    for growth in &headcount.growth_periods {
        let months = growth.month_difference.unwrap_or_default();
        let change = growth.change_percentage.unwrap_or_default();
        println!("           {change:+3} % in {months} months");
    }

    let news = client.news(found).limit(3).send().await?.into_body();
    println!("news       {} articles", news.total.unwrap_or_default());
    for article in &news.data {
        let title = article.title.as_deref().unwrap_or_default();
        let sentiment = article.sentiment.as_ref().map_or("", |s| s.as_str());
        println!("           {sentiment:<10}{title}");
    }

    let jobs = client.job_posts(found).limit(3).send().await?.into_body();
    println!("jobs       {} posts", jobs.count.unwrap_or_default());
    for job in &jobs.data {
        let title = job.title.as_deref().unwrap_or_default();
        let salary = job.salary_min_usd.map(|usd| format!("from ${usd}"));
        println!("           {title:<32}{}", salary.unwrap_or_default());
    }

    // All of them, over as many pages as it takes, within a bound.
    let reviews = client.employee_reviews(found).items();
    let mut reviews = reviews.at_most("10".parse()?);
    let mut count = 0;
    while let Some(review) = reviews.next().await {
        review?;
        count += 1;
    }
    println!("reviews    {count}");

    // A company that is missing can be added. That takes a while; the status says when it is done.
    let added = client.add_company("Newcomer", "https://newcomer.example");
    let added = added.send().await?.into_body();
    println!("addition   Newcomer");
    let waiting = added.wait(&client).ok_or("it is known already")?;
    let mut polls = waiting.polls();
    let mut detail = None;
    while let Some(status) = polls.next().await {
        let told = status?.into_body().detail;
        println!("           {}", told.status.as_deref().unwrap_or_default());
        detail = Some(told);
    }
    let detail = detail.ok_or("nothing was told")?;
    let headcount = client.headcount_trends(&detail).send().await?.into_body();
    let headcount = headcount.data;
    let total = headcount.total_employees.unwrap_or_default();
    println!("           {total} employees");

    let spent = client.ledger().usage().spent;
    println!("spent      {spent} credits, by the ledger");
    println!("billed     {}, by the service", sandbox.bill());
    Ok(())
}

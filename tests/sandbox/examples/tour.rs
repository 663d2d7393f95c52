//! A first look at the client, with a local service that bills: `cargo run -p company-intel-sandbox --example tour`.

use company_intel::Client;
use company_intel::cache::Cache;
use company_intel::types::AddCompanyRequest;
use company_intel_sandbox::Sandbox;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .cache(Cache::in_memory())
        .build()?;

    // Searching is free; the identifier that it returns is an argument of other calls.
    let search = client.company_search("robotics").send().await?.into_body();
    let found = search.data.first().ok_or("no company of that name")?;
    let company = found.uuid.as_ref().ok_or("no identifier")?;
    println!("company    {}, {}", found.name, found.website);

    let headcount = client.headcount_trends(company).send().await?.into_body();
    let headcount = headcount.data;
    if let (Some(employees), Some(day)) = (headcount.total_employees, &headcount.date) {
        println!("headcount  {employees} on {day}");
    }
    for growth in &headcount.growth_periods {
        if let (Some(change), Some(months)) = (growth.change_percentage, growth.month_difference) {
            println!("           {change:+3} % in {months} months");
        }
    }

    let jobs = client.job_posts(company).limit(3).send().await?.into_body();
    // Members beside the records may be missing, without loss of records.
    println!("jobs       {} posts", jobs.count.unwrap_or_default());
    for job in &jobs.data {
        match job.salary_min_usd {
            Some(usd) => println!("           {:<32}from ${usd}", job.title),
            None => println!("           {}", job.title),
        }
    }

    // All of them, over as many pages as needed, within a limit.
    let jobs = client.job_posts(company).items();
    let mut jobs = jobs.at_most("15".parse()?);
    let mut count = 0;
    while let Some(job) = jobs.next().await {
        job?;
        count += 1;
    }
    println!("           {count} read");

    // A missing company can be added. This takes a while; the status says when it is done.
    let input = AddCompanyRequest::new("Newcomer", "https://newcomer.example");
    let added = client.add_company(input).send().await?.into_body();
    println!("addition   Newcomer");
    let waiting = added.wait(&client).ok_or("it is known already")?;
    let mut polls = waiting.polls();
    let mut company = None;
    while let Some(status) = polls.next().await {
        let detail = status?.into_body().detail;
        println!("           {}", detail.status);
        company = detail.company_uuid;
    }
    let company = company.ok_or("it was not added")?;
    let headcount = client.headcount_trends(&company).send().await?.into_body();
    if let Some(employees) = headcount.data.total_employees {
        println!("           {employees} employees");
    }

    // The response is stored: the same call costs nothing.
    client.headcount_trends(&company).send().await?;

    let usage = client.budget().usage();
    println!("spent      {} credits, by the budget", usage.spent);
    println!("saved      {} credits, by a stored response", usage.saved);
    println!("billed     {}, by the service", sandbox.bill());
    Ok(())
}

//! A list that fills a table every night, for at most 50 credits a month: `cargo run -p company-intel-sandbox --example nightly`. No company is
//! paid for again within a week, and a run that is killed goes on the next night.

use std::path::Path;
use std::time::Duration;

use company_intel::cache::Cache;
use company_intel::journal::Journal;
use company_intel::money::Period;
use company_intel::types::HeadcountResponse;
use company_intel::{Client, Credits, Response};
use company_intel_sandbox::Sandbox;
use rusqlite::Connection;

const MONTHLY: Credits = Credits::new(50);
const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);
const TABLE: &str = "CREATE TABLE IF NOT EXISTS headcount (company PRIMARY KEY, employees)";
const ROW: &str = "INSERT OR REPLACE INTO headcount VALUES (?1, ?2)";

/// Calls each company of the list, and puts its row into the table.
async fn night(
    sandbox: &Sandbox,
    folder: &Path,
    list: &[&str],
) -> Result<(), Box<dyn std::error::Error>> {
    let month = Period::monthly(jiff::tz::TimeZone::UTC);
    let journal = Journal::open_period(folder.join("nightly.journal"), "nightly", &month)?;
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .budget(journal.budget(MONTHLY))
        .cache(Cache::open(folder.join("responses.sqlite"))?)
        .build()?;
    let table = Connection::open(folder.join("companies.sqlite"))?;
    table.execute(TABLE, ())?;
    for company in list {
        let call = client.headcount_trends(*company).max_age(WEEK);
        match call.send().await {
            Ok(Response { body, .. }) => {
                let HeadcountResponse { data, .. } = body;
                table.execute(ROW, (company, data.total_employees))?;
            }
            // The rest is called in the next month.
            Err(error) if error.budget().is_some() => break,
            Err(error) => eprintln!("{company}: {error}"),
        }
    }
    let rows: u32 = table.query_row("SELECT count(*) FROM headcount", (), |row| row.get(0))?;
    let spent = journal.usage().spent;
    let saved = client.budget().usage().saved;
    println!("{rows} rows, {spent} credits spent this month, {saved} saved");
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sandbox = Sandbox::start().await?;
    let folder = tempfile::tempdir()?;
    let list = ["example.com", "quarry-software.example", "nobody.example"];
    for _ in 0..2 {
        night(&sandbox, folder.path(), &list).await?;
    }
    Ok(())
}

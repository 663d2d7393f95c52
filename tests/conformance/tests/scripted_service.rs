//! The scripted service, used as by the tests of a program that depends on the client.

use std::time::Duration;

use company_intel::testing::{Reply, Script};
use company_intel::{Client, Credits, Error};

#[tokio::test(start_paused = true)]
async fn a_busy_service_is_retried() -> Result<(), Error> {
    let busy = Reply::new(429, "").header("retry-after", "20");
    let script = Script::new([
        busy,
        Reply::new(200, reviewed_facts::payload("headcount_trends")),
    ]);
    let client = Client::builder("https://api.example.com/api")
        .api_key("k")
        .transport(script.clone())
        .build()?;
    client.headcount_trends("example.com").send().await?;

    let sent = script.sent();
    assert_eq!(sent.len(), 2);
    let path = reviewed_facts::path("headcount_trends");
    assert_eq!(sent[1].path, format!("/api{path}"));
    assert_eq!(sent[1].query, "company=example.com");
    assert_eq!(sent[1].at, Duration::from_secs(20));
    let spent = client.budget().usage().spent;
    assert_eq!(spent, Credits::from_micros(2_500_000));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_closure_answers_by_path() -> Result<(), Error> {
    let search = reviewed_facts::path("company_search");
    let script = Script::responding(move |sent| {
        if sent.path == search {
            Reply::new(200, r#"{"data": [{"uuid": "k7f3q9"}]}"#)
        } else {
            Reply::new(404, "")
        }
    });
    let client = Client::builder("https://api.example.com");
    let client = client.api_key("k").transport(script).build()?;
    let found = client.company_search("example").send().await?;
    assert_eq!(found.body.data.len(), 1);
    client.job_posts("k7f3q9").send().await.unwrap_err();
    Ok(())
}

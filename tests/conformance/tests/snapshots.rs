//! Snapshots of two requests and all error messages, for review. The assertions are elsewhere.

use company_intel::Error;
use company_intel::types::AddCompanyRequest;

use crate::faults::every_error::every_error;
use crate::support::calls::{KEY, sent};
use crate::support::server::Recorded;
use crate::support::snapshot::assert_snapshot;

/// Returns head and body, without the parts that differ by run or by version.
fn whole(request: &Recorded) -> String {
    let mut text = format!("{}\n", request.line);
    for (name, value) in &request.headers {
        let value = match name.as_str() {
            "host" => "127.0.0.1:[port]",
            "user-agent" => {
                assert!(value.starts_with("company-intel/"));
                "company-intel/[version]"
            }
            "x-api-key" => {
                assert_eq!(value, KEY);
                "[key]"
            }
            _ => value,
        };
        text += &format!("{name}: {value}\n");
    }
    format!("{text}\n{}", request.body).trim_end().to_owned() + "\n"
}

#[tokio::test]
async fn requests() {
    let get = sent(|client| client.job_posts("example.com").send()).await;
    let company = AddCompanyRequest::new("Example", "example.com");
    let post = sent(|client| client.add_company(company).send()).await;
    let text = format!("{}\n{}", whole(&get), whole(&post));
    assert_snapshot("requests", text);
}

#[tokio::test]
async fn error_messages() {
    let message = |(what, error): (String, Error)| format!("{what}\n    {error}\n");
    let messages: String = every_error().await.into_iter().map(message).collect();
    // A connection that takes too long has either cause, by the timer that ends first.
    let messages = messages.replace("operation timed out", "deadline has elapsed");
    assert_snapshot("errors", messages);
}

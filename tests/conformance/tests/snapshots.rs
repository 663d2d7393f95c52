//! Snapshots of all requests and all error messages, for review. The assertions are elsewhere.

use company_intel::Error;
use company_intel::types::AddCompanyRequest;
use company_intel::types::{EnrichmentSection, IndustryLevel};

use crate::support::calls::{KEY, sent};
use crate::support::every_error::every_error;
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
    use EnrichmentSection::{Firmographic, Technology};
    use IndustryLevel::{L3, L4};
    let c = "example.com";
    let get = sent(|client| client.news(c).send()).await;
    let post = sent(|client| {
        client
            .add_company(AddCompanyRequest::new("Example", c))
            .send()
    })
    .await;
    let mut text = format!("{}\n{}\n", whole(&get), whole(&post));
    for request in [
        get,
        sent(|client| {
            client
                .news(c)
                .unique_article(true)
                .limit(25)
                .offset(50)
                .send()
        })
        .await,
        sent(|client| client.enrichment(c).send()).await,
        sent(|client| {
            client
                .enrichment(c)
                .sections([Firmographic, Technology])
                .send()
        })
        .await,
        sent(|client| client.company_search("Müller & Söhne").send()).await,
        sent(|client| client.industry_search("food+drink").send()).await,
        sent(|client| client.industry_search("food+drink").level([L3, L4]).send()).await,
        sent(|client| client.request_status("r/1").send()).await,
        post,
        sent(|client| client.headcount_trends("https://example.com/").send()).await,
        sent(|client| client.employee_reviews(c).send()).await,
        sent(|client| client.employee_reviews(c).limit(100).offset(200).send()).await,
        sent(|client| client.product_reviews(c).send()).await,
        sent(|client| {
            client
                .product_reviews(c)
                .products(["a", "b"])
                .limit(50)
                .offset(5)
                .send()
        })
        .await,
        sent(|client| client.job_posts(c).send()).await,
        sent(|client| client.job_posts(c).limit(10).offset(30).send()).await,
        sent(|client| client.social_posts(c).send()).await,
        sent(|client| client.social_posts(c).limit(10).offset(30).send()).await,
    ] {
        text += request.line.strip_suffix(" HTTP/1.1").unwrap();
        text += "\n";
    }
    assert_snapshot("requests", text);
}

#[tokio::test]
async fn error_messages() {
    let message = |(what, error): (&str, Error)| format!("{what}\n    {error}\n");
    let messages: String = every_error().await.into_iter().map(message).collect();
    assert_snapshot("errors", messages);
}

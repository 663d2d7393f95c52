//! The life of a submitted company.

use company_intel::Client;
use company_intel::types::CompanyAdditionDetail;

use super::{LARGEST, Server};

async fn polls(client: &Client, name: &str, website: &str) -> Vec<CompanyAdditionDetail> {
    let added = client.add_company(name, website).send().await.unwrap();
    assert_eq!(added.body.already_exists, Some(false));
    assert_eq!(added.body.company, None);
    assert_eq!(added.body.status.as_deref(), Some("pending"));
    let mut details = Vec::new();
    for _ in 0..4 {
        let status = client.request_status(&added.body).send().await.unwrap();
        assert_eq!(status.body.request_id, added.body.request_id);
        details.push(status.body.detail);
    }
    details
}

#[tokio::test]
async fn a_new_company_is_pending_for_two_polls_and_then_usable() {
    let server = Server::start().await;
    let client = server.client();
    let website = "https://www.newcomer.example/about";
    assert!(client.headcount_trends(website).send().await.is_err());

    let details = polls(&client, "Newcomer", website).await;
    let states: Vec<_> = details
        .iter()
        .map(|d| {
            (
                d.status.as_deref().unwrap(),
                d.company_uuid.is_some(),
                d.reason.is_some(),
            )
        })
        .collect();
    assert_eq!(
        states,
        [
            ("pending", false, false),
            ("pending", false, false),
            ("completed", true, false),
            ("completed", true, false),
        ]
    );
    assert_eq!(details[0].domain.as_deref(), Some("newcomer.example"));
    assert_eq!(details[2].updated_at, details[3].updated_at);

    let added = &details[3];
    let news = client.news(added).send().await.unwrap().body;
    assert_eq!(news.total, Some(3));
    let headcount = client.headcount_trends(added).send().await.unwrap().body;
    assert_eq!(headcount.data.uuid, added.company_uuid);
    client.headcount_trends(website).send().await.unwrap();
    let search = client.company_search("newcomer").send().await.unwrap().body;
    assert_eq!(search.data[0].uuid, added.company_uuid);
}

#[tokio::test]
async fn a_company_whose_name_says_so_is_rejected_with_a_reason() {
    let server = Server::start().await;
    let client = server.client();
    let details = polls(&client, "RejectedRecord Me", "reject.example").await;
    let reasons: Vec<_> = details.iter().map(|d| d.reason.is_some()).collect();
    assert_eq!(reasons, [false, false, true, true]);
    assert_eq!(details[3].company_uuid, None);
    assert!(client.news("reject.example").send().await.is_err());
}

#[tokio::test]
async fn a_known_company_makes_no_request() {
    let server = Server::start().await;
    let added = server
        .client()
        .add_company("Another Name", "https://example.com/")
        .send()
        .await
        .unwrap();
    let body: serde_json::Value = serde_json::from_slice(&added.raw).unwrap();
    assert_eq!(body["already_exists"], true);
    assert_eq!(body["company"]["uuid"], LARGEST);
    assert!(body["request_id"].is_null(), "{body}");
}

#[tokio::test]
async fn requests_progress_on_their_own_and_the_same_submission_is_the_same_request() {
    let server = Server::start().await;
    let client = server.client();
    let first = client
        .add_company("One", "one.example")
        .send()
        .await
        .unwrap();
    let other = client
        .add_company("Two", "two.example")
        .send()
        .await
        .unwrap();
    let again = client
        .add_company("One", "one.example")
        .send()
        .await
        .unwrap();
    assert_ne!(first.body.request_id, other.body.request_id);
    assert_eq!(first.raw, again.raw);
    for _ in 0..3 {
        client.request_status(&first.body).send().await.unwrap();
    }
    let other = client.request_status(&other.body).send().await.unwrap();
    assert_eq!(other.body.detail.status.as_deref(), Some("pending"));
}

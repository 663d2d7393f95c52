//! The life of a submitted company.

use company_intel::types::{AddCompanyRequest, AddCompanyResponse};
use company_intel::{Client, Response};
use serde_json::Value;

use super::{LARGEST, Server};

/// Returns the raw body of a response, so that no test depends on a field's name in Rust.
fn sent<T>(response: &Response<T>) -> Value {
    serde_json::from_slice(&response.raw).unwrap()
}

async fn add(client: &Client, name: &str, website: &str) -> Response<AddCompanyResponse> {
    let company = AddCompanyRequest::new(name, website);
    client.add_company(company).send().await.unwrap()
}

/// Returns the status of a submission.
async fn status(client: &Client, added: &Response<AddCompanyResponse>) -> Value {
    let id = added.body.request_id.as_ref().unwrap();
    sent(&client.request_status(id).send().await.unwrap())
}

async fn polls(client: &Client, name: &str, website: &str) -> Vec<Value> {
    let added = add(client, name, website).await;
    let submitted = sent(&added);
    assert_eq!(submitted["already_exists"], false);
    assert_eq!(submitted["company"], Value::Null);
    assert_eq!(submitted["status"], "pending");
    let mut details = Vec::new();
    for _ in 0..4 {
        let status = status(client, &added).await;
        assert_eq!(status["request_id"], submitted["request_id"]);
        details.push(status["detail"].clone());
    }
    details
}

#[tokio::test]
async fn a_new_company_is_pending_for_two_polls_and_then_usable() {
    let server = Server::with_written_data().await;
    let client = server.client();
    let website = "https://www.newcomer.example/about";
    assert!(client.headcount_trends(website).send().await.is_err());

    let details = polls(&client, "Newcomer", website).await;
    let expected = ["pending", "pending", "completed", "completed"];
    for (detail, state) in details.iter().zip(expected) {
        assert_eq!(detail["status"], state);
        let has_company = detail["company_uuid"].is_string();
        assert_eq!(has_company, state == "completed", "{detail}");
        assert!(!detail["reason"].is_string(), "{detail}");
    }
    assert_eq!(details[0]["domain"], "newcomer.example");
    assert_eq!(details[2]["updated_at"], details[3]["updated_at"]);

    let added = &details[3]["company_uuid"];
    let id = added.as_str().unwrap();
    let headcount = sent(&client.headcount_trends(id).send().await.unwrap());
    assert_eq!(headcount["data"]["uuid"], *added);
    client.headcount_trends(website).send().await.unwrap();
    let search = sent(&client.company_search("newcomer").send().await.unwrap());
    assert_eq!(search["data"][0]["uuid"], *added);
}

#[tokio::test]
async fn a_company_whose_name_says_so_is_rejected_with_a_reason() {
    let server = Server::with_written_data().await;
    let client = server.client();
    let details = polls(&client, "RejectedRecord Me", "reject.example").await;
    let reasons = details.iter().map(|one| one["reason"].is_string());
    let reasons: Vec<_> = reasons.collect();
    assert_eq!(reasons, [false, false, true, true]);
    assert_eq!(details[3]["company_uuid"], Value::Null);
    let rejected = client.headcount_trends("reject.example").send().await;
    assert!(rejected.is_err());
}

#[tokio::test]
async fn a_known_company_makes_no_request() {
    let server = Server::with_written_data().await;
    let added = add(&server.client(), "Another Name", "https://example.com/").await;
    let body = sent(&added);
    assert_eq!(body["already_exists"], true);
    assert_eq!(body["company"]["uuid"], LARGEST);
    assert!(body["request_id"].is_null(), "{body}");
}

#[tokio::test]
async fn requests_progress_on_their_own_and_the_same_submission_is_the_same_request() {
    let server = Server::with_written_data().await;
    let client = server.client();
    let first = add(&client, "One", "one.example").await;
    let other = add(&client, "Two", "two.example").await;
    let again = add(&client, "One", "one.example").await;
    assert_ne!(sent(&first)["request_id"], sent(&other)["request_id"]);
    assert_eq!(first.raw, again.raw);
    for _ in 0..3 {
        status(&client, &first).await;
    }
    let other = status(&client, &other).await;
    assert_eq!(other["detail"]["status"], "pending");
}

//! `request_status`.

use company_intel::Client;
use company_intel::types::AddCompanyRequest;

use crate::paging::sandbox;
use crate::support::calls::{respond_with, sent};
use crate::support::records::has_drift;
use crate::support::served::check;
use crate::support::server::json_response;
use crate::support::wire::assert_get;

#[tokio::test]
async fn its_requests() {
    let id = "6f1d2c3b-4a59-4e87-9b60-1c2d3e4f5a6b";
    let request = sent(|client| client.request_status(id).send()).await;
    assert_get(request, "request_status", id, "");
}

#[tokio::test]
async fn a_status_whose_detail_is_another_one_is_read() {
    let body = r#"{"request_id": "r1", "request_type": "data_export", "detail": {"rows": 7, "status": "pending"}}"#;
    let call = |client: Client| client.request_status("r1").send();
    let response = respond_with(json_response(body), call).await.unwrap();
    assert_eq!(response.body.request_type, "data_export");
    assert_eq!(response.body.detail.status, "pending");
    assert_eq!(response.body.detail.created_at, None);
    assert!(has_drift(
        &response,
        "/detail/rows: an undocumented property"
    ));
    // Waiting needs the identifier alone.
    let done = r#"{"request_id": "r1", "request_type": "company_addition", "detail": {"company_uuid": "k7f3q9"}}"#;
    let call = |client: Client| client.request_status("r1").wait();
    let ended = respond_with(json_response(done), async |client| call(client).await);
    let detail = ended.await.unwrap().body.detail;
    assert_eq!(detail.company_uuid.unwrap(), "k7f3q9");
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    let new = AddCompanyRequest::new("New", "new.example");
    let added = client.add_company(new).send().await.unwrap();
    let id = added.body.request_id.as_ref().unwrap();
    for _ in 0..3 {
        check(client.request_status(id).send().await);
    }
}

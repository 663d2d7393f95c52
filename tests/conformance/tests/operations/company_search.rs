//! `company_search`.

use company_intel::Client;
use company_intel::types::CompanyRef;
use serde_json::json;

use crate::paging::sandbox;
use crate::support::calls::{respond_with, sent};
use crate::support::served::check;
use crate::support::server::json_response;
use crate::support::wire::assert_get;

#[tokio::test]
async fn its_requests() {
    let request = sent(|client| client.company_search("Nordwind").send()).await;
    assert_get(request, "company_search", "", "?query=Nordwind");
}

#[test]
fn a_result_without_an_identifier_is_no_company() {
    let mut found = company_intel::types::CompanySearchResult::default();
    let error = CompanyRef::try_from(&found).unwrap_err();
    assert_eq!(error.to_string(), "`CompanySearchResult` has no `uuid`");
    found.uuid = Some("".into());
    assert!(CompanyRef::try_from(&found).is_err());
    found.uuid = Some("k7f3q9".into());
    assert_eq!(CompanyRef::try_from(&found).unwrap(), "k7f3q9");
}

#[tokio::test]
async fn identifiers_of_companies_go_back_as_they_came() {
    for id in ["k7f3q9", "3d0c1a52-9b1e-4f6c-8a57-0e2b7c9d4f10", "42"] {
        let body = json!({"data": [{"uuid": id}]}).to_string();
        let call = |client: Client| client.company_search("x").send();
        let found = respond_with(json_response(&body), call).await.unwrap();
        let company = &found.body.data[0];
        let request = sent(|client| {
            client
                .headcount_trends(company.uuid.as_ref().unwrap())
                .send()
        })
        .await;
        let target = reviewed_facts::target("headcount_trends", "", &format!("?company={id}"));
        assert_eq!(request.line, format!("GET {target} HTTP/1.1"));
    }
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    check(client.company_search("o").send().await);
}

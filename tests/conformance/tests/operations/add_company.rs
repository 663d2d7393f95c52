//! `add_company`.

use company_intel::types::AddCompanyRequest;
use reviewed_facts::path;

use crate::paging::{COMPANY, sandbox};
use crate::support::calls::sent;
use crate::support::served::check;
use crate::support::wire::assert_common;

#[tokio::test]
async fn its_requests() {
    let request = sent(|client| {
        client
            .add_company(AddCompanyRequest::new(
                "Müller & Söhne",
                "https://mueller.example/",
            ))
            .send()
    })
    .await;
    assert_common(&request);
    let line = format!("POST {} HTTP/1.1", path("add_company"));
    assert_eq!(request.line, line);
    assert_eq!(request.header("content-type"), ["application/json"]);
    assert_eq!(
        request.body,
        r#"{"company_name":"Müller & Söhne","website":"https://mueller.example/"}"#,
    );
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    let known = AddCompanyRequest::new("Known", COMPANY);
    check(client.add_company(known).send().await);
    let new = AddCompanyRequest::new("New", "new.example");
    check(client.add_company(new).send().await);
}

#[tokio::test]
async fn for_a_company_that_is_known_there_is_nothing_to_wait_for() {
    let (_sandbox, client) = sandbox().await;
    let known = client.add_company(AddCompanyRequest::new("Known", COMPANY));
    let known = known.send().await.unwrap();
    let body: serde_json::Value = serde_json::from_slice(&known.raw).unwrap();
    assert_eq!(body["already_exists"], true);
    assert!(known.body.wait(&client).is_none());
}

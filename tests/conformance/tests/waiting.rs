//! Adding a company to a service that bills, and waiting for it. Pauses are real: a few seconds.

use company_intel::error::WaitingCause;
use company_intel::types::AddCompanyRequest;
use company_intel::{Client, Error, Response};
use company_intel_sandbox::Sandbox;
use serde_json::Value;

/// Returns the body of a response with the names of the document.
fn sent<T>(response: &Response<T>) -> Value {
    serde_json::from_slice(&response.raw).unwrap()
}

#[tokio::test]
async fn a_submitted_company_is_waited_for_until_it_is_there_or_refused() {
    let sandbox = Sandbox::start().await.unwrap();
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .build()
        .unwrap();
    let submit = async |name: &str, website: &str| {
        let submitted = client
            .add_company(AddCompanyRequest::new(name, website))
            .send()
            .await;
        submitted.unwrap().into_body()
    };
    let one = submit("New One", "new-one.example").await;
    let two = submit("New Two", "new-two.example").await;
    let refused = submit("Please reject", "refused.example").await;
    let spent = client.budget().usage().spent;
    assert_eq!(spent.micros(), sandbox.bill().total_micros);

    let (one, two, refused) = tokio::join!(
        one.wait(&client).unwrap(),
        async {
            let mut polls = client
                .request_status(two.request_id.as_ref().unwrap())
                .wait()
                .polls();
            let mut statuses = Vec::new();
            while let Some(poll) = polls.next().await {
                let sent = sent(&poll.unwrap());
                statuses.push(sent["detail"]["status"].clone());
            }
            statuses
        },
        refused.wait(&client).unwrap(),
    );
    let one = sent(&one.unwrap());
    let added = one["detail"]["company_uuid"].as_str().unwrap();
    assert_eq!(two, ["pending", "pending", "completed"]);
    let refused = refused.unwrap_err();
    let Error::Waiting(waiting) = &refused else {
        panic!("{refused:?}");
    };
    assert!(matches!(
        &waiting.cause,
        WaitingCause::Failed { reason } if reason.contains("does not belong")
    ));
    let body = std::str::from_utf8(refused.body().unwrap()).unwrap();
    assert!(body.contains("failed"), "{body}");

    // Nine status requests cost nothing, and the result can be used.
    assert_eq!(sandbox.bill().calls.len(), 12);
    assert_eq!(client.budget().usage().spent, spent);
    client.headcount_trends(added).send().await.unwrap();
    let spent = client.budget().usage().spent;
    assert_eq!(spent.micros(), sandbox.bill().total_micros);
}

#[tokio::test]
async fn for_a_company_that_is_known_there_is_nothing_to_wait_for() {
    let sandbox = Sandbox::start().await.unwrap();
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .build()
        .unwrap();
    let known = client
        .add_company(AddCompanyRequest::new("Known", "example.com"))
        .send()
        .await;
    let known = known.unwrap();
    assert_eq!(sent(&known)["already_exists"], true);
    assert!(known.body.wait(&client).is_none());
}

#[tokio::test]
async fn a_request_that_nobody_knows_ends_the_wait_at_once() {
    let sandbox = Sandbox::start().await.unwrap();
    let client = Client::builder(sandbox.base_url())
        .api_key(sandbox.api_key())
        .build()
        .unwrap();
    let error = client.request_status("nobody's").wait().await.unwrap_err();
    assert_eq!(error.status().unwrap().as_u16(), 404);
    let Error::Waiting(waiting) = error else {
        panic!("{error:?}");
    };
    assert!(matches!(
        waiting.cause,
        WaitingCause::Call(Error::Status(_))
    ));
    assert!(waiting.last.is_none());
}

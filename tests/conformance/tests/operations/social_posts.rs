//! `social_posts`.

use crate::paging::{COMPANY, assert_read_once, sandbox};
use crate::support::calls::sent;
use crate::support::served::{SERVED, check};
use crate::support::wire::assert_get;

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.social_posts("example.com").send()).await;
    assert_get(minimal, "social_posts", "", "?company=example.com");

    let full = sent(|client| {
        let call = client.social_posts("example.com");
        call.limit(10).offset(30).send()
    })
    .await;
    assert_get(
        full,
        "social_posts",
        "",
        "?company=example.com&limit=10&offset=30",
    );
}

#[tokio::test]
async fn all_records_come_once_and_cost_what_the_service_bills() {
    let (sandbox, client) = sandbox().await;
    // The last page is not full.
    assert_read_once!(sandbox, client, client.social_posts(COMPANY).items(), 14 in 2);
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.social_posts(company).limit(100).send().await);
    }
}

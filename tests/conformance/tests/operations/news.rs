//! `news`.

use crate::paging::{COMPANY, assert_read_once, sandbox};
use crate::support::calls::sent;
use crate::support::served::{SERVED, check};
use crate::support::wire::assert_get;

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.news("example.com").send()).await;
    assert_get(minimal, "news", "", "?company=example.com");

    let call = |unique| {
        sent(move |client| {
            let call = client.news("example.com").unique_article(unique);
            call.limit(25).offset(50).send()
        })
    };
    assert_get(
        call(true).await,
        "news",
        "",
        "?company=example.com&limit=25&offset=50&unique_article=true",
    );
    assert_get(
        call(false).await,
        "news",
        "",
        "?company=example.com&limit=25&offset=50&unique_article=false",
    );
}

#[tokio::test]
async fn all_records_come_once_and_cost_what_the_service_bills() {
    let (sandbox, client) = sandbox().await;
    // The last page is not full.
    assert_read_once!(sandbox, client, client.news(COMPANY).limit(15).items(), 37 in 3);
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.news(company).limit(100).send().await);
        check(client.news(company).unique_article(true).send().await);
    }
}

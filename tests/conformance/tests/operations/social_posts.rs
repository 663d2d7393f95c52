//! `social_posts`.

use crate::paging::{COMPANY, all, distinct, sandbox, spent};
use crate::support::calls::{refused, respond_with, sent};
use crate::support::records::{fields, left_out};
use crate::support::served::{SERVED, check};
use crate::support::server::json_response;
use crate::support::wire::{get, target};

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.social_posts("example.com").send()).await;
    assert_eq!(
        get(minimal),
        target("social_posts", "", "?company=example.com")
    );

    let full = sent(|client| {
        let call = client.social_posts("example.com");
        call.limit(10).offset(30).send()
    })
    .await;
    assert_eq!(
        get(full),
        target(
            "social_posts",
            "",
            "?company=example.com&limit=10&offset=30"
        )
    );
}

#[tokio::test]
async fn one_bad_record_costs_itself_alone() {
    let body = r#"{"count": 2, "data": {"uuid": "k7f3q9", "posts": [{"id": "a", "engagement_metrics": {"like_count": 2, "empathy_count": 1}},
        {"id": "b", "engagement_metrics": {"like_count": "many", "funny_count": 4}}]}}"#;
    let response = respond_with(json_response(body), |client| {
        client.social_posts("k7f3q9").send()
    });
    let response = response.await.unwrap();
    let posts = &response.body.data.posts;
    assert_eq!(fields(posts, "id"), ["a", "b"]);
    let [a, b] = [0, 1].map(|index| &posts[index].engagement_metrics);
    assert_eq!((a.like_count, a.funny_count), (Some(2), None));
    assert_eq!((b.like_count, b.funny_count), (None, Some(4)));
    let place = "/data/posts/1/engagement_metrics/like_count";
    assert_eq!(left_out(&response), [(place, "\"many\"")]);
}

#[tokio::test]
async fn all_records_come_once_and_cost_what_the_service_bills() {
    let (sandbox, client) = sandbox().await;
    // The last page is not full.
    let all = all!(client.social_posts(COMPANY).items());
    assert_eq!((distinct(&all), sandbox.bill().calls.len()), (14, 2));
    assert_eq!(client.budget().usage().calls, 2);
    spent(&sandbox, &client);
}

#[tokio::test]
async fn an_empty_company_is_refused() {
    refused("company", |client| client.social_posts("").send()).await;
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.social_posts(company).limit(100).send().await);
    }
}

//! One bad record among good ones: the others arrive, and it is handed over as it came.

use company_intel::{Client, Error, Records, Response};
use serde::Serialize;
use serde_json::{Value, json};

use crate::support::calls::respond_with;
use crate::support::server::json_response;

/// Index, path and bytes of each reject.
fn rejects<T>(records: &Records<T>) -> Vec<(usize, &str, &str)> {
    let rejects = records.rejects().iter();
    rejects
        .map(|reject| (reject.index, reject.path.as_str(), reject.raw.get()))
        .collect()
}

/// A field of each record, by its name in the document.
fn fields<T: Serialize>(records: &[T], name: &str) -> Vec<Value> {
    let values = records.iter().map(|one| serde_json::to_value(one).unwrap());
    values.map(|one| one[name].clone()).collect()
}

async fn read<T, F>(body: &str, call: impl FnOnce(Client) -> F) -> T
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let response = respond_with(json_response(body), call).await.unwrap();
    assert_eq!(response.raw, body);
    response.into_body()
}

#[tokio::test]
async fn news() {
    let body = r#"{"total": 4, "data": [
        {"id": 1},
        {"id": 2, "company_mentions": [{"uuid": "a"}, {"uuid":  [7]}]},
        {"id": 3},
        "not an article"
    ], "credits_consumed": 1}"#;
    let page = read(body, |client| client.news("k7f3q9").send()).await;
    assert_eq!(fields(&page.data, "id"), [1, 3]);
    let bad = r#"{"id": 2, "company_mentions": [{"uuid": "a"}, {"uuid":  [7]}]}"#;
    assert_eq!(
        rejects(&page.data),
        [
            (1, "/company_mentions/1/uuid", bad),
            (3, "", r#""not an article""#)
        ],
    );
    assert!(page.data.rejects()[0].message.contains("array"));
    let page = serde_json::to_value(page).unwrap();
    assert_eq!(
        (&page["total"], &page["credits_consumed"]),
        (&json!(4), &json!(1))
    );
}

#[tokio::test]
async fn job_posts() {
    let body =
        r#"{"data": [{"job_id": "a", "salary_min_usd": "a lot"}, {"job_id": "b"}], "count": 2}"#;
    let page = read(body, |client| client.job_posts("k7f3q9").send()).await;
    assert_eq!(fields(&page.data, "job_id"), ["b"]);
    let bad = r#"{"job_id": "a", "salary_min_usd": "a lot"}"#;
    assert_eq!(rejects(&page.data), [(0, "/salary_min_usd", bad)]);
}

#[tokio::test]
async fn employee_reviews() {
    let body = r#"{"data": {"employee_reviews": {"overall_rating": {"provider_a": 4.1}, "reviews": {"data": [{"id": 1}, {"id": 2, "rating": []}, {"id": 3}], "total": 3}}}}"#;
    let response = read(body, |client| client.employee_reviews("k7f3q9").send()).await;
    let value = serde_json::to_value(&response).unwrap();
    let summary = &value["data"]["employee_reviews"];
    assert_eq!(summary["overall_rating"]["provider_a"], 4.1);
    assert_eq!(summary["reviews"]["total"], 3);
    let reviews = response.data.employee_reviews.reviews;
    assert_eq!(reviews.data.len(), 2);
    assert_eq!(
        rejects(&reviews.data),
        [(1, "/rating", r#"{"id": 2, "rating": []}"#)]
    );
}

#[tokio::test]
async fn product_reviews_of_each_product() {
    let body = r#"{"data": {"product": [
        {"id": "lift", "reviews": {"data": [{"review_id": 1}, {"review_id": "two"}], "total": 2}},
        {"id": "tug", "reviews": {"data": [null, {"review_id": 4}], "total": 2}}
    ]}}"#;
    let response = read(body, |client| {
        let call = client.product_reviews("k7f3q9");
        call.products(["lift", "tug"]).send()
    })
    .await;
    let products = response.data.products;
    let lift = &products[0].reviews.as_ref().unwrap().data;
    let tug = &products[1].reviews.as_ref().unwrap().data;
    assert_eq!(fields(lift, "review_id"), [1]);
    assert_eq!(fields(tug, "review_id"), [4]);
    assert_eq!(
        rejects(lift),
        [(1, "/review_id", r#"{"review_id": "two"}"#)]
    );
    assert_eq!(rejects(tug), [(0, "", "null")]);
}

#[tokio::test]
async fn social_posts() {
    let body = r#"{"count": 2, "data": {"uuid": "k7f3q9", "posts": [{"id": "a"}, {"id": "b", "engagement_metrics": {"like_count": "many"}}]}}"#;
    let page = read(body, |client| client.social_posts("k7f3q9").send()).await;
    let posts = page.data.posts;
    assert_eq!(fields(&posts, "id"), ["a"]);
    let bad = r#"{"id": "b", "engagement_metrics": {"like_count": "many"}}"#;
    assert_eq!(
        rejects(&posts),
        [(1, "/engagement_metrics/like_count", bad)]
    );
}

#[tokio::test]
async fn a_page_of_rejects_is_still_a_page() {
    let page = read(r#"{"total": 2, "data": [1, 2]}"#, |client| {
        client.news("k7f3q9").send()
    })
    .await;
    assert!(page.data.is_empty());
    assert_eq!(rejects(&page.data), [(0, "", "1"), (1, "", "2")]);
}

#[tokio::test]
async fn a_null_inside_of_a_map_or_a_list_is_left_out_and_loses_nothing_around_it() {
    let body = r#"{"data": {"employee_reviews": {"overall_rating": {"provider_a": 4.1, "provider_b": null}}}}"#;
    let response = read(body, |client| client.employee_reviews("k7f3q9").send()).await;
    let value = serde_json::to_value(response).unwrap();
    let rating = &value["data"]["employee_reviews"]["overall_rating"];
    assert_eq!(*rating, json!({"provider_a": 4.1}));

    let body = r#"{"data": [{"id": 1, "countries": ["DEU", null]}]}"#;
    let page = read(body, |client| client.news("k7f3q9").send()).await;
    assert!(page.data.rejects().is_empty());
    assert_eq!(fields(&page.data, "countries"), [json!(["DEU"])]);
}

//! One bad record among good ones: the others arrive, and its raw JSON is returned beside them.

use company_intel::prelude::*;
use company_intel::{Client, Error, Records, Response};
use serde::Serialize;
use serde_json::{Value, json};

use crate::support::calls::respond_with;
use crate::support::payloads::essence;
use crate::support::server::json_response;
use crate::support::whole::whole;

/// Returns index, path and raw value of each reject.
fn rejects<T>(records: &Records<T>) -> Vec<(usize, &str, Value)> {
    let said = |text: &str| essence(&serde_json::from_str(text).unwrap());
    let rejects = records.rejects().iter();
    rejects
        .map(|reject| (reject.index, reject.path.as_str(), said(reject.raw.get())))
        .collect()
}

/// Returns a field of each record, by its name in the document.
fn fields<T: Serialize>(records: &[T], name: &str) -> Vec<Value> {
    let values = records.iter().map(|one| serde_json::to_value(one).unwrap());
    values.map(|one| one[name].clone()).collect()
}

async fn read<T, F>(operation: &str, body: &str, call: impl FnOnce(Client) -> F) -> T
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let body = whole(operation, body);
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert_eq!(response.raw, body);
    response.into_body()
}

#[tokio::test]
async fn news() {
    let body = r#"{"total": 4, "data": [
        {"id": 1},
        {"id": 2, "sentiment_score": [7]},
        {"id": 3},
        "not an article"
    ], "credits_consumed": 1}"#;
    let page = read("news", body, |client| client.news("k7f3q9").send()).await;
    assert_eq!(fields(&page.data, "id"), [1, 3]);
    let bad = json!({"id": 2.0, "sentiment_score": [7.0]});
    assert_eq!(
        rejects(&page.data),
        [
            (1, "/sentiment_score", bad),
            (3, "", json!("not an article"))
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
    let body = r#"{"data": [{"job_id": "a", "remote": "at times"}, {"job_id": "b"}], "count": 2}"#;
    let page = read("job_posts", body, |client| {
        client.job_posts("k7f3q9").send()
    })
    .await;
    assert_eq!(fields(&page.data, "job_id"), ["b"]);
    let bad = json!({"job_id": "a", "remote": "at times"});
    assert_eq!(rejects(&page.data), [(0, "/remote", bad)]);
}

#[tokio::test]
async fn employee_reviews() {
    let body = r#"{"data": {"employee_reviews": {"overall_rating": {"provider_a": 4.1}, "reviews": {"data": [{"id": 1}, {"id": 2, "rating": []}, {"id": 3}], "total": 3}}}}"#;
    let response = read("employee_reviews", body, |client| {
        client.employee_reviews("k7f3q9").send()
    })
    .await;
    let value = serde_json::to_value(&response).unwrap();
    let summary = &value["data"]["employee_reviews"];
    assert_eq!(summary["overall_rating"]["provider_a"], 4.1);
    assert_eq!(summary["reviews"]["total"], 3);
    let reviews = response.data.employee_reviews.reviews;
    assert_eq!(reviews.data.len(), 2);
    assert_eq!(rejects(&reviews.data), [(1, "/rating", json!({"id": 2.0}))]);
}

#[tokio::test]
async fn product_reviews_of_each_product() {
    let body = r#"{"data": {"product": [
        {"id": "lift", "reviews": {"data": [{"review_id": 1}, {"review_id": "two"}], "total": 2}},
        {"id": "tug", "reviews": {"data": [null, {"review_id": 4}], "total": 2}}
    ]}}"#;
    let response = read("product_reviews", body, |client| {
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
        [(1, "/review_id", json!({"review_id": "two"}))]
    );
    assert_eq!(rejects(tug), [(0, "", Value::Null)]);
}

#[tokio::test]
async fn social_posts() {
    let body = r#"{"count": 2, "data": {"uuid": "k7f3q9", "posts": [{"id": "a"}, {"id": "b", "engagement_metrics": {"like_count": "many"}}]}}"#;
    let page = read("social_posts", body, |client| {
        client.social_posts("k7f3q9").send()
    })
    .await;
    let posts = page.data.posts;
    assert_eq!(fields(&posts, "id"), ["a"]);
    let bad = json!({"id": "b", "engagement_metrics": {"like_count": "many"}});
    assert_eq!(
        rejects(&posts),
        [(1, "/engagement_metrics/like_count", bad)]
    );
}

#[tokio::test]
async fn a_page_of_rejects_is_still_a_page() {
    let page = read("news", r#"{"total": 2, "data": [1, 2]}"#, |client| {
        client.news("k7f3q9").send()
    })
    .await;
    assert!(page.data.is_empty());
    assert_eq!(
        rejects(&page.data),
        [(0, "", json!(1.0)), (1, "", json!(2.0))]
    );
}

#[tokio::test]
async fn a_null_inside_of_a_map_or_a_list_is_left_out_and_loses_nothing_around_it() {
    let body = r#"{"data": {"employee_reviews": {"overall_rating": {"provider_a": 4.1, "provider_b": null}}}}"#;
    let response = read("employee_reviews", body, |client| {
        client.employee_reviews("k7f3q9").send()
    })
    .await;
    let value = serde_json::to_value(response).unwrap();
    let rating = &value["data"]["employee_reviews"]["overall_rating"];
    assert_eq!(*rating, json!({"provider_a": 4.1}));

    let body = r#"{"data": [{"id": 1, "countries": ["DEU", null]}]}"#;
    let page = read("news", body, |client| client.news("k7f3q9").send()).await;
    assert!(page.data.rejects().is_empty());
    assert_eq!(fields(&page.data, "countries"), [json!(["DEU"])]);
}

#[tokio::test]
async fn a_record_without_a_number_is_no_record_with_a_zero() {
    let body = whole("headcount_trends", r#"{"data": {"total_employees": 7}}"#);
    let call = |client: Client| client.headcount_trends("k7f3q9").send();
    let headcount = respond_with(json_response(&body), call).await.unwrap();
    assert_eq!(headcount.body.data.total_employees, 7);
    for (sent, why) in [
        ("null", "invalid type: null"),
        (r#""KEY""#, "invalid type: string"),
        ("7.5", "invalid type: number"),
    ] {
        let body = body.replace(
            r#""total_employees":7"#,
            &format!(r#""total_employees":{sent}"#),
        );
        let error = respond_with(json_response(&body), call).await.unwrap_err();
        assert_eq!(error.path(), Some("/data/total_employees"), "{sent}");
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!(error.body().unwrap(), body.as_str());
    }
    let missing = body.replace(r#""total_employees":7,"#, "");
    for body in [missing.as_str(), r#"{"data": {}}"#] {
        let error = respond_with(json_response(body), call).await.unwrap_err();
        assert_eq!(error.path(), Some("/data"));
        assert_eq!(error.body().unwrap(), body);
    }
    // The same number as a string is read as that number.
    let text = body.replace(r#""total_employees":7"#, r#""total_employees":"7""#);
    let headcount = respond_with(json_response(&text), call).await.unwrap();
    assert_eq!(headcount.body.data.total_employees, 7);

    let news = whole("news", r#"{"data": [{"id": 1}, {"id": 2}]}"#);
    let news = news.replacen(r#""word_count":0"#, r#""words":0"#, 1);
    let call = |client: Client| client.news("k7f3q9").send();
    let page = respond_with(json_response(&news), call).await.unwrap();
    assert_eq!(page.body.data.len(), 1);
    assert!(page.body.data.rejects()[0].message.contains("`word_count`"));
}

#[tokio::test]
async fn what_is_no_number_costs_its_element_alone_and_is_kept() {
    let body = r#"{"data": {"growth_periods": [{"month_difference": 6, "change_percentage": 4.5},
        {"month_difference": 12, "change_percentage": 9}]}, "credits_consumed": 2.5}"#;
    let body = whole("headcount_trends", body);
    let call = |client: Client| client.headcount_trends("k7f3q9").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    let periods = &response.body.data.growth_periods;
    assert_eq!(fields(periods, "month_difference"), [12]);
    let [left_out] = response.set_aside() else {
        panic!("{:?}", response.set_aside());
    };
    assert_eq!(left_out.pointer, "/data/growth_periods/0");
    assert!(
        left_out
            .message
            .starts_with("at `/change_percentage`: invalid type")
    );
    let raw: Value = serde_json::from_str(left_out.raw.get()).unwrap();
    assert_eq!(raw["change_percentage"], 4.5);
    assert!(body.contains(left_out.raw.get()));
}

#[tokio::test]
async fn a_byte_order_mark_before_a_body_is_ignored() {
    let body = whole("news", r#"{"data": [{"id": 1}], "credits_consumed": 2}"#);
    let body = format!("\u{feff}{body}");
    let call = |client: Client| client.news("k7f3q9").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert_eq!(
        (response.body.data.len(), response.raw.len()),
        (1, body.len())
    );
    assert_eq!(response.reported_charge(), Some("2".parse().unwrap()));
    assert!(!response.drift().is_empty());
}

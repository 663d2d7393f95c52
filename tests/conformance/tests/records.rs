//! One bad record among good ones: the others arrive, and its raw JSON is returned beside them.

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

/// Returns pointer and raw JSON of each value that was left out.
fn left_out<T>(response: &Response<T>) -> Vec<(&str, &str)> {
    let left_out = response.set_aside().iter();
    left_out
        .map(|one| (one.pointer.as_str(), one.raw.get()))
        .collect()
}

async fn read<T, F>(operation: &str, body: &str, call: impl FnOnce(Client) -> F) -> Response<T>
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let body = whole(operation, body);
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert_eq!(response.raw, body);
    response
}

#[tokio::test]
async fn news() {
    let body = r#"{"total": 4, "data": [
        {"id": 1},
        {"id": 2, "sentiment_score": [7]},
        {"id": 3},
        "not an article"
    ], "credits_consumed": 1}"#;
    let response = read("news", body, |client| client.news("k7f3q9").send()).await;
    let page = &response.body;
    // A value of another kind costs itself alone.
    assert_eq!(fields(&page.data, "id"), [1, 2, 3]);
    assert_eq!(left_out(&response), [("/data/1/sentiment_score", "[7]")]);
    let bad = json!("not an article");
    assert_eq!(rejects(&page.data), [(3, "", bad)]);
    let page = serde_json::to_value(page).unwrap();
    assert_eq!(
        (&page["total"], &page["credits_consumed"]),
        (&json!(4), &json!(1))
    );
}

#[tokio::test]
async fn job_posts() {
    let body = r#"{"data": [{"job_id": "a", "remote": "at times"}, {"job_id": "b", "remote": "True"}], "count": 2}"#;
    let response = read("job_posts", body, |client| {
        client.job_posts("k7f3q9").send()
    })
    .await;
    let jobs = &response.body.data;
    assert_eq!(fields(jobs, "job_id"), ["a", "b"]);
    assert_eq!([jobs[0].remote, jobs[1].remote], [None, Some(true)]);
    assert_eq!(left_out(&response), [("/data/0/remote", "\"at times\"")]);
}

#[tokio::test]
async fn employee_reviews() {
    let body = r#"{"data": {"employee_reviews": {"overall_rating": {"provider_a": 4.1}, "reviews": {"data": [{"id": 1}, {"id": 2, "rating": []}, {"id": 3}], "total": 3}}}}"#;
    let response = read("employee_reviews", body, |client| {
        client.employee_reviews("k7f3q9").send()
    })
    .await;
    let value = serde_json::to_value(&response.body).unwrap();
    let summary = &value["data"]["employee_reviews"];
    assert_eq!(summary["overall_rating"]["provider_a"], 4.1);
    assert_eq!(summary["reviews"]["total"], 3);
    let reviews = &response.body.data.employee_reviews.reviews;
    assert_eq!(fields(&reviews.data, "id"), [1, 2, 3]);
    let place = "/data/employee_reviews/reviews/data/1/rating";
    assert_eq!(left_out(&response), [(place, "[]")]);
}

#[tokio::test]
async fn product_reviews_of_each_product() {
    let body = r#"{"data": {"product": [
        {"id": "lift", "reviews": {"data": [{"review_id": 1}, {"review_id": "two"}, 7], "total": 2}},
        {"id": "tug", "reviews": {"data": [null, {"review_id": 4}], "total": 2}}
    ]}}"#;
    let response = read("product_reviews", body, |client| {
        let call = client.product_reviews("k7f3q9");
        call.products(["lift", "tug"]).send()
    })
    .await;
    let products = &response.body.data.products;
    let lift = &products[0].reviews.as_ref().unwrap().data;
    let tug = &products[1].reviews.as_ref().unwrap().data;
    assert_eq!(fields(lift, "review_id"), [json!(1), Value::Null]);
    assert_eq!(fields(tug, "review_id"), [4]);
    assert_eq!(rejects(lift), [(2, "", json!(7.0))]);
    assert_eq!(rejects(tug), [(0, "", Value::Null)]);
    let place = "/data/product/0/reviews/data/1/review_id";
    assert_eq!(left_out(&response), [(place, "\"two\"")]);
}

#[tokio::test]
async fn social_posts() {
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
async fn a_page_of_rejects_is_still_a_page() {
    let page = read("news", r#"{"total": 2, "data": [1, 2]}"#, |client| {
        client.news("k7f3q9").send()
    });
    let page = page.await.body;
    assert!(page.data.is_empty());
    assert_eq!(
        rejects(&page.data),
        [(0, "", json!(1.0)), (1, "", json!(2.0))]
    );
}

#[tokio::test]
async fn a_null_inside_of_a_map_or_a_list_is_left_out_and_said() {
    let body = r#"{"data": {"employee_reviews": {"overall_rating": {"provider_a": 4.1, "provider_b": null}}}}"#;
    let response = read("employee_reviews", body, |client| {
        client.employee_reviews("k7f3q9").send()
    })
    .await;
    let said =
        "/data/employee_reviews/overall_rating/provider_b: of type null, documented as number";
    assert!(has_drift(&response, said));
    let value = serde_json::to_value(&response.body).unwrap();
    let rating = &value["data"]["employee_reviews"]["overall_rating"];
    assert_eq!(*rating, json!({"provider_a": 4.1}));

    let body = r#"{"data": [{"id": 1, "countries": ["DEU", null]}]}"#;
    let response = read("news", body, |client| client.news("k7f3q9").send()).await;
    let said = "/data/0/countries/1: of type null, documented as string";
    assert!(has_drift(&response, said));
    let page = &response.body;
    assert!(page.data.rejects().is_empty());
    assert_eq!(fields(&page.data, "countries"), [json!(["DEU"])]);
}

fn has_drift<T>(response: &Response<T>, line: &str) -> bool {
    let drift = response.drift();
    drift.iter().any(|one| one.to_string() == line)
}

#[tokio::test]
async fn a_record_without_a_number_is_no_record_with_a_zero() {
    let call = |client: Client| client.headcount_trends("k7f3q9").send();
    for (sent, read, is_left_out) in [
        ("7", Some(7), false),
        // The same number as a string is read as that number.
        (r#""7""#, Some(7), false),
        ("null", None, false),
        (r#""KEY""#, None, true),
        ("7.5", None, true),
    ] {
        let body = format!(r#"{{"data": {{"total_employees": {sent}, "social_id": "a"}}}}"#);
        let response = respond_with(json_response(&body), call).await.unwrap();
        assert_eq!(response.body.data.total_employees, read, "{sent}");
        assert_eq!(response.body.data.social_id, "a");
        let place = ("/data/total_employees", sent);
        let expected = [place].into_iter().filter(|_| is_left_out);
        assert_eq!(left_out(&response), expected.collect::<Vec<_>>());
        let said = "/data/total_employees: null, a required property";
        assert_eq!(has_drift(&response, said), sent == "null", "{sent}");
    }
}

#[tokio::test]
async fn what_is_no_number_costs_its_field_alone_and_is_kept() {
    let body = r#"{"data": {"growth_periods": [{"month_difference": 6, "change_percentage": 4.5},
        {"month_difference": 12, "change_percentage": 9}]}, "credits_consumed": 2.5}"#;
    let call = |client: Client| client.headcount_trends("k7f3q9").send();
    let response = respond_with(json_response(body), call).await.unwrap();
    let periods = &response.body.data.growth_periods;
    assert_eq!(fields(periods, "month_difference"), [6, 12]);
    assert_eq!(
        fields(periods, "change_percentage"),
        [Value::Null, json!(9)]
    );
    let place = "/data/growth_periods/0/change_percentage";
    assert_eq!(left_out(&response), [(place, "4.5")]);
    assert!(response.set_aside()[0].message.starts_with("invalid type"));
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

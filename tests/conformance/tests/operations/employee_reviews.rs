//! `employee_reviews`.

use company_intel::{Client, Credits};
use serde_json::json;

use crate::paging::{COMPANY, all, distinct, sandbox, spent};
use crate::support::calls::{argument, refused, respond_with, sent};
use crate::support::document::parameter_of;
use crate::support::payloads::essence;
use crate::support::records::{fields, has_drift, left_out, lines, lines_of, read};
use crate::support::served::{SERVED, check};
use crate::support::server::json_response;
use crate::support::whole::whole;
use crate::support::wire::{get, target};

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.employee_reviews("example.com").send()).await;
    assert_eq!(
        get(minimal),
        target("employee_reviews", "", "?company=example.com")
    );

    let full = sent(|client| {
        let call = client.employee_reviews("example.com");
        call.limit(100).offset(200).send()
    })
    .await;
    assert_eq!(
        get(full),
        target(
            "employee_reviews",
            "",
            "?company=example.com&limit=100&offset=200"
        ),
    );
}

#[tokio::test]
async fn a_limit_and_an_offset_of_zero_are_sent() {
    let request = sent(|client| {
        let call = client.employee_reviews("example.com");
        call.limit(0).offset(0).send()
    })
    .await;
    assert_eq!(
        get(request),
        target(
            "employee_reviews",
            "",
            "?company=example.com&limit=0&offset=0"
        ),
    );
}

#[tokio::test]
async fn one_bad_record_costs_itself_alone() {
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
async fn what_nobody_knows_yet_is_found_wherever_it_stands() {
    let body = r#"{
        "data": {
            "uuid": "k7f3q9",
            "employee_reviews": {
                "other_ratings": [{ "type": "parking", "value": 4 }, { "type": "parking", "value": 3 }],
                "reviews": {
                    "data": [{ "id": 1, "tilde~/slash": 1 }, { "id": 2, "tilde~/slash": null }, { "id": 3, "tilde~/slash": [{}] }],
                    "total": 3
                }
            }
        },
        "next_page": "abc",
        "limit": null
    }"#;
    let found = lines(body, |client| client.employee_reviews("a").send()).await;
    assert_eq!(
        found,
        [
            "/data/employee_reviews/other_ratings/0/type: `parking`, an undocumented enum value (2 times)",
            "/data/employee_reviews/reviews/data/0/tilde~0~1slash: an undocumented property (2 times)",
            "/next_page: an undocumented property",
        ]
    );
}

#[tokio::test]
async fn a_quote_shows_what_large_pages_take() {
    let (sandbox, client) = sandbox().await;
    let reviews = || client.employee_reviews(COMPANY);
    let quote = reviews().items().take(250).quote();
    // Without a default in the document, nothing says how many pages there are.
    let expected = if parameter_of("employee_reviews", "limit")["schema"]["default"] == 10 {
        (Some(25), "37.5".parse().ok())
    } else {
        (None, None)
    };
    assert_eq!((quote.calls, quote.at_most), expected);
    let large = || reviews().limit(100).items().take(250).quote();
    assert_eq!(
        (large().calls, large().at_most),
        (Some(3), "18".parse().ok())
    );

    let mut all = reviews().limit(100).items();
    while let Some(review) = all.next().await {
        review.unwrap();
    }
    let bill = sandbox.bill();
    assert_eq!(bill.calls.len(), 1);
    // The price of such a page is known from now on.
    let at_most = large().at_most.map(Credits::micros);
    assert_eq!(at_most, Some(3 * bill.total_micros));
}

#[tokio::test]
async fn what_stands_on_the_way_to_the_records_is_set_aside_too() {
    let body = r#"{"limit": [], "data": {"uuid": 7, "employee_reviews": {"overall_rating": {"a": "good"}, "other_ratings": {},
        "reviews": {"total": "one", "total_by_provider": {"a": 1.5}, "data": [{"id": 1}, {"id": "b"}]}}}}"#;
    let body = whole("employee_reviews", body);
    let call = |client: Client| client.employee_reviews("a.example").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert_eq!(lines_of(&response).len(), 7);
    let left_out = response.set_aside().iter();
    let mut left_out: Vec<_> = left_out.map(|one| one.pointer.as_str()).collect();
    left_out.sort_unstable();
    let summary = "/data/employee_reviews";
    assert_eq!(
        left_out,
        [
            format!("{summary}/other_ratings"),
            format!("{summary}/overall_rating/a"),
            format!("{summary}/reviews/data/1/id"),
            format!("{summary}/reviews/total"),
            format!("{summary}/reviews/total_by_provider/a"),
            "/limit".to_owned(),
        ]
    );
    let value = serde_json::to_value(&response.body).unwrap();
    let summary = json!({"reviews": {"data": [{"id": 1}, {}]}});
    // A number in place of a string is read as a string.
    let expected = json!({"data": {"uuid": "7", "employee_reviews": summary}});
    assert_eq!(essence(&value), essence(&expected));
    let reviews = response.into_body().data.employee_reviews;
    assert_eq!(reviews.reviews.data.len(), 2);
}

#[tokio::test]
async fn a_null_inside_of_a_map_is_left_out_and_said() {
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
}

#[tokio::test]
async fn all_records_come_once_and_cost_what_the_service_bills() {
    let (sandbox, client) = sandbox().await;
    // The last page is not full.
    let all = all!(client.employee_reviews(COMPANY).items());
    assert_eq!((distinct(&all), sandbox.bill().calls.len()), (26, 3));
    assert_eq!(client.budget().usage().calls, 3);
    spent(&sandbox, &client);
}

#[tokio::test]
async fn an_empty_company_is_refused() {
    refused("company", |client| client.employee_reviews("").send()).await;
}

#[tokio::test]
async fn a_limit_above_its_maximum_is_refused() {
    let limit = &parameter_of("employee_reviews", "limit")["schema"];
    let Some(maximum) = limit["maximum"].as_u64() else {
        return;
    };
    refused("limit", |client| {
        let call = client.employee_reviews("k7f3q9");
        call.limit(argument(maximum + 1)).send()
    })
    .await;
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.employee_reviews(company).limit(100).send().await);
    }
}

//! `headcount_trends`.

use company_intel::Client;
use serde_json::{Value, json};

use crate::paging::sandbox;
use crate::support::calls::{respond_with, sent};
use crate::support::records::{fields, has_drift, left_out};
use crate::support::served::{SERVED, check};
use crate::support::server::json_response;
use crate::support::whole::whole;
use crate::support::wire::assert_get;

#[tokio::test]
async fn its_requests() {
    let request = sent(|client| client.headcount_trends("example.com").send()).await;
    assert_get(request, "headcount_trends", "", "?company=example.com");
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
async fn arrays_never_pass_for_objects() {
    let body = whole(
        "headcount_trends",
        r#"{"data": {"growth_periods": [[6, 4]]}}"#,
    );
    let call = |client: Client| client.headcount_trends("a.example").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert!(response.body.data.growth_periods.is_empty());
    let left_out = &response.set_aside()[0];
    assert_eq!(left_out.pointer, "/data/growth_periods/0");
    assert_eq!(left_out.raw.get(), "[6,4]");
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.headcount_trends(company).send().await);
    }
}

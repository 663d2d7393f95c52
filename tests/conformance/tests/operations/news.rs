//! `news`.

use company_intel::Client;
use serde_json::{Value, json};

use crate::paging::{COMPANY, all, distinct, sandbox, spent};
use crate::support::calls::{refused, respond_with, sent};
use crate::support::payloads::essence;
use crate::support::records::{fields, has_drift, left_out, lines, lines_of, read, rejects};
use crate::support::served::{SERVED, check};
use crate::support::server::json_response;
use crate::support::whole::whole;
use crate::support::wire::{get, target};

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.news("example.com").send()).await;
    assert_eq!(get(minimal), target("news", "", "?company=example.com"));

    let call = |unique| {
        sent(move |client| {
            let call = client.news("example.com").unique_article(unique);
            call.limit(25).offset(50).send()
        })
    };
    assert_eq!(
        get(call(true).await),
        target(
            "news",
            "",
            "?company=example.com&limit=25&offset=50&unique_article=true"
        ),
    );
    assert_eq!(
        get(call(false).await),
        target(
            "news",
            "",
            "?company=example.com&limit=25&offset=50&unique_article=false"
        ),
    );
}

#[tokio::test]
async fn one_bad_record_costs_itself_alone() {
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

/// Decodes a malformed page; returns its decoded form, the number of rejects, and its drift.
async fn page_of(body: &str) -> (Value, usize, Vec<String>) {
    let body = whole("news", body);
    let call = |client: Client| client.news("a.example").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    let drift = lines_of(&response);
    let rejects = response.body.data.rejects().len();
    (
        essence(&serde_json::to_value(&response.body).unwrap()),
        rejects,
        drift,
    )
}

#[tokio::test]
async fn what_stands_beside_the_records_is_set_aside_and_costs_none_of_them() {
    let body = r#"{"total": {}, "limit": "10", "offset": "0", "count": 1.5, "status": true, "data": [{"id": 1}], "credits_consumed": "x"}"#;
    let (page, rejects, drift) = page_of(body).await;
    // A numeric string is read as a number, and a boolean as a string.
    let expected = json!({"limit": 10, "status": "true", "data": [{"id": 1}]});
    assert_eq!((page, rejects), (essence(&expected), 0));
    assert_eq!(
        drift,
        [
            "/count: of type number, documented as integer",
            "/credits_consumed: of type string, documented as number",
            "/limit: of type string, documented as integer",
            "/offset: of type string, documented as integer",
            "/status: of type boolean, documented as string",
            "/total: of type object, documented as integer",
        ]
    );
}

#[tokio::test]
async fn a_number_where_a_text_is_promised_is_read_as_one_and_costs_no_record() {
    let body = r#"{"status": 7, "data": [{"id": 1, "title": 1984, "publisher": 0.5}]}"#;
    let (page, rejects, drift) = page_of(body).await;
    let expected = json!({"status": "7", "data": [{"id": 1, "title": "1984", "publisher": "0.5"}]});
    assert_eq!((page, rejects), (essence(&expected), 0));
    assert_eq!(
        drift,
        [
            "/data/0/publisher: of type number, documented as string",
            "/data/0/title: of type integer, documented as string",
            "/status: of type integer, documented as string",
        ]
    );
    // A string in place of a number is read only if it is numeric.
    let (page, rejects, _) = page_of(r#"{"data": [{"id": "1"}, {"id": "one"}, {"id": ""}]}"#).await;
    assert_eq!((&page["data"][0]["id"], rejects), (&json!(1.0), 0));
    assert_eq!(
        (&page["data"][1], &page["data"][2]),
        (&json!({}), &json!({}))
    );
}

#[tokio::test]
async fn arrays_never_pass_for_objects() {
    let body = r#"{"data": [[], {"article_type": ["c", "l"]}, {"id": 1}]}"#;
    let body = whole("news", body);
    let call = |client: Client| client.news("a.example").send();
    let page = respond_with(json_response(&body), call)
        .await
        .unwrap()
        .into_body();
    assert_eq!(page.data.len(), 1);
    let paths: Vec<_> = page
        .data
        .rejects()
        .iter()
        .map(|one| one.path.as_str())
        .collect();
    assert_eq!(paths, ["", "/article_type"]);
    for reject in page.data.rejects() {
        let said = "invalid type: array, expected an object at line 1";
        assert!(reject.message.starts_with(said), "{}", reject.message);
    }
}

async fn lines_of_drift(body: &str) -> Vec<String> {
    lines(body, |client| client.news("k7f3q9").send()).await
}

#[tokio::test]
async fn null_properties_and_empty_lists_are_no_drift() {
    assert_eq!(
        lines_of_drift(r#"{"data": [{"tags": null, "types": null, "new": null}]}"#).await,
        [""; 0]
    );
    assert_eq!(
        lines_of_drift(r#"{"data": [null, {}, null]}"#).await,
        ["/data/0: of type null, documented as object (2 times)"]
    );
    assert_eq!(lines_of_drift(r#"{"data": []}"#).await, [""; 0]);
}

#[tokio::test]
async fn a_null_inside_of_a_list_is_left_out_and_said() {
    let body = r#"{"data": [{"id": 1, "countries": ["DEU", null]}]}"#;
    let response = read("news", body, |client| client.news("k7f3q9").send()).await;
    let said = "/data/0/countries/1: of type null, documented as string";
    assert!(has_drift(&response, said));
    let page = &response.body;
    assert!(page.data.rejects().is_empty());
    assert_eq!(fields(&page.data, "countries"), [json!(["DEU"])]);
}

#[tokio::test]
async fn all_records_come_once_and_cost_what_the_service_bills() {
    let (sandbox, client) = sandbox().await;
    // The last page is not full.
    let all = all!(client.news(COMPANY).limit(15).items());
    assert_eq!((distinct(&all), sandbox.bill().calls.len()), (37, 3));
    assert_eq!(client.budget().usage().calls, 3);
    spent(&sandbox, &client);
}

#[tokio::test]
async fn an_empty_company_is_refused() {
    refused("company", |client| client.news("").send()).await;
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.news(company).limit(100).send().await);
        check(client.news(company).unique_article(true).send().await);
    }
}

//! `job_posts`.

use company_intel::Client;
use company_intel::drift::DriftKind;

use crate::paging::{COMPANY, assert_read_once, sandbox};
use crate::support::calls::{respond_with, sent};
use crate::support::records::{fields, left_out, lines_of, read};
use crate::support::served::{SERVED, check};
use crate::support::server::json_response;
use crate::support::whole::whole;
use crate::support::wire::assert_get;

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.job_posts("example.com").send()).await;
    assert_get(minimal, "job_posts", "", "?company=example.com");

    let full = sent(|client| {
        let call = client.job_posts("example.com");
        call.limit(10).offset(30).send()
    })
    .await;
    assert_get(
        full,
        "job_posts",
        "",
        "?company=example.com&offset=30&limit=10",
    );
}

#[tokio::test]
async fn one_bad_record_costs_itself_alone() {
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
async fn what_is_missing_is_a_line_and_costs_no_record() {
    let body = r#"{"status": "success", "count": 2, "limit": 10, "offset": 0, "credits_consumed": 4, "data": [
        {"title": null, "salary_min_usd": null}, {"title": "Welder", "url": "https://a.example"}]}"#;
    let call = |client: Client| client.job_posts("k7f3q9").send();
    let body = whole("job_posts", body);
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert_eq!(response.raw, body);
    let titles: Vec<&str> = response.body.data.iter().map(|job| &*job.title).collect();
    assert_eq!(titles, ["", "Welder"]);
    assert!(response.body.data.rejects().is_empty());
    let drift = response.drift();
    let at = |pointer: &str| drift.iter().find(|one| one.pointer == pointer);
    for (pointer, kind, count) in [
        ("/data/0/title", DriftKind::Null, 1),
        ("/data/0/job_id", DriftKind::Missing, 2),
        ("/data/0/key_skills", DriftKind::Missing, 2),
    ] {
        let line = at(pointer).unwrap();
        assert_eq!((&line.kind, line.count), (&kind, count));
    }
    // The document allows null there.
    assert_eq!(at("/data/0/salary_min_usd"), None);
}

#[tokio::test]
async fn a_value_that_was_set_aside_says_which_of_its_types_is_wrong() {
    let body = r#"{"data": [{"job_id": "a"}, {"job_id": "b", "salary_min_usd": "a lot", "key_skills": {}, "remote": 1}, 7]}"#;
    let body = whole("job_posts", body);
    let call = |client: Client| client.job_posts("k7f3q9").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert_eq!(response.body.data.rejects().len(), 1);
    assert_eq!(response.set_aside().len(), 3);
    assert_eq!(
        lines_of(&response),
        [
            "/data/1/key_skills: of type object, documented as array",
            "/data/1/remote: of type integer, documented as boolean",
            "/data/1/salary_min_usd: of type string, documented as integer",
            "/data/2: of type integer, documented as object",
        ]
    );
}

#[tokio::test]
async fn all_records_come_once_and_cost_what_the_service_bills() {
    let (sandbox, client) = sandbox().await;
    // The last page is not full.
    assert_read_once!(sandbox, client, client.job_posts(COMPANY).limit(7).items(), 23 in 4);
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.job_posts(company).limit(100).offset(1).send().await);
    }
}

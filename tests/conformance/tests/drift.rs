//! `Response::drift`: differences between responses and the document. The snapshot has a paragraph for each disagreement that
//! `overrides/upstream` settles: its evidence in the observed form, and the same in the published form.

use company_intel::drift::{Drift, DriftKind};
use company_intel::{Client, Credits, Error, Response};
use serde_json::Value;

use crate::support::calls::respond_with;
use crate::support::document::type_of;
use crate::support::evidence::evidence;
use crate::support::operations::call;
use crate::support::placed::placed;
use crate::support::server::{Server, json_response};
use crate::support::snapshot::assert_snapshot;
use crate::support::whole::whole;

fn is_without_value(drift: &Drift) -> bool {
    matches!(drift.kind, DriftKind::Missing | DriftKind::Null)
}

/// Returns the lines of drift as a person would read them.
async fn lines<T, F>(body: &str, call: impl FnOnce(Client) -> F) -> Vec<String>
where
    F: Future<Output = Result<Response<T>, Error>>,
{
    let response = respond_with(json_response(body), call).await.unwrap();
    // The payloads have few fields besides those under test.
    let drift = response.drift();
    let others = drift.iter().filter(|one| !is_without_value(one));
    others.map(ToString::to_string).collect()
}

async fn lines_of_news(body: &str) -> Vec<String> {
    lines(body, |client| client.news("k7f3q9").send()).await
}

async fn lines_of_jobs(body: &str) -> Vec<String> {
    lines(body, |client| client.job_posts("k7f3q9").send()).await
}

/// Returns the drift of a payload of this type, in the response of an operation that has it.
async fn lines_of_type(name: &str, payload: &Value) -> Vec<String> {
    let (operation, body) = placed(name, payload);
    let body = whole(&operation, &body.to_string());
    let mut drift = call(&operation, &body).await.unwrap().drift;
    drift.retain(|line| !line.contains("a required property"));
    drift
}

#[tokio::test]
async fn every_disagreement_observed_and_published() {
    let mut text = String::new();
    for file in evidence() {
        let id = file.file_stem().unwrap().to_str().unwrap();
        let evidence: Value =
            serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let name = type_of(evidence["schema"].as_str().unwrap());
        let published = &evidence["published"];
        assert!(
            published.is_object(),
            "{id}: the evidence has no `published`, the payload as the document has it"
        );
        text += &format!("{id}\n");
        for (form, payload) in [("observed", &evidence["payload"]), ("published", published)] {
            let lines = lines_of_type(&name, payload).await;
            let lines = if lines.is_empty() {
                "no drift".to_owned()
            } else {
                lines.join("\n             ")
            };
            text += &format!("  {form:9}  {lines}\n");
        }
    }
    assert_snapshot("drift", text);
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
        ("/data/0/job_url", DriftKind::Missing, 1),
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
async fn the_payloads_of_the_reference_have_no_drift() {
    for (operation, payload) in reviewed_facts::all("payloads") {
        let returned = call(&operation, &payload).await.unwrap();
        assert_eq!(returned.drift, [""; 0], "{operation}");
    }
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
async fn a_value_that_was_set_aside_says_which_of_its_types_is_wrong() {
    let body = r#"{"data": [{"job_id": "a"}, {"job_id": "b", "salary_min_usd": "a lot", "key_skills": {}, "remote": 1}, 7]}"#;
    let body = whole("job_posts", body);
    let call = |client: Client| client.job_posts("k7f3q9").send();
    let response = respond_with(json_response(&body), call).await.unwrap();
    assert_eq!(response.body.data.rejects().len(), 1);
    assert_eq!(response.set_aside().len(), 3);
    let mut drift = response.drift();
    drift.retain(|one| !matches!(one.kind, DriftKind::Missing | DriftKind::Null));
    let lines: Vec<String> = drift.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "/data/1/key_skills: of type object, documented as array",
            "/data/1/remote: of type integer, documented as boolean",
            "/data/1/salary_min_usd: of type string, documented as integer",
            "/data/2: of type integer, documented as object",
        ]
    );
}

#[tokio::test]
async fn what_is_read_leniently_is_told_all_the_same() {
    // A charge that is not an amount is `None`, and a count that should be a string is kept: neither fails.
    let body = r#"{"data": {"product": [{"pros_list": [{"text": "a", "count": 12}], "star_distribution": {"a/b~c": {"5": "many"}}}]},
        "credits_consumed": "0.5"}"#;
    let found = lines(body, |client| client.product_reviews("a").send()).await;
    assert_eq!(
        found,
        [
            "/credits_consumed: of type string, documented as number",
            "/data/product/0/pros_list/0/count: of type integer, documented as string",
            "/data/product/0/star_distribution/a~1b~0c/5: of type string, documented as integer",
        ]
    );
}

#[tokio::test]
async fn null_properties_and_empty_lists_are_no_drift() {
    assert_eq!(
        lines_of_news(r#"{"data": [{"tags": null, "types": null, "new": null}]}"#).await,
        [""; 0]
    );
    assert_eq!(
        lines_of_news(r#"{"data": [null, {}, null]}"#).await,
        ["/data/0: of type null, documented as object (2 times)"]
    );
    assert_eq!(lines_of_jobs(r#"{"data": [{"type": ""}]}"#).await, [""; 0]);
    assert_eq!(lines_of_news(r#"{"data": []}"#).await, [""; 0]);
}

#[tokio::test]
async fn drift_needs_no_service_and_costs_nothing() {
    let server = Server::responding(json_response(
        r#"{"data": [{"new": 1}], "credits_consumed": 4}"#,
    ))
    .await;
    let limited = Client::builder(server.url())
        .api_key("k")
        .budget(Credits::from_micros(4_000_000))
        .build()
        .unwrap();
    let response = limited.job_posts("k7f3q9").send().await.unwrap();
    server.recorded().await;
    let before = limited.budget().usage();

    // Drift is computed on a thread that could not send anything, more than once, and for another view of the body.
    let lines = std::thread::spawn(move || {
        let first = response.drift();
        assert_eq!(response.drift(), first);
        assert_eq!(response.map(|_| ()).drift(), first);
        first
    });
    let lines = lines.join().unwrap();
    assert_eq!(lines[0].pointer, "/data/0/new");
    assert_eq!(limited.budget().usage(), before);
    assert_eq!(before.spent, Credits::from_micros(4_000_000));
}

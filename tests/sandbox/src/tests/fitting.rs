//! Documented fields without sample data are made up, and undocumented fields are not served.

use serde_json::{Value, json};

use super::edits::{rename_operation, replace_enum_value, schema as schema_of};
use super::{Reply, Server};

const JOBS: &str = "jobPosts?company=example.com";

#[tokio::test]
async fn an_operation_without_sample_data_is_served_with_made_up_values_of_its_schema() {
    let rename = |document: &mut Value| rename_operation(document, "jobPosts", "openings");
    let server = Server::with_document(rename).await;
    const OPENINGS: &str = "openings?company=example.com&limit=2&offset=1";
    let reply = server.get(OPENINGS).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.headers["x-sandbox-data"], "made-up: openings");
    let body = reply.json();
    let records = body["data"].as_array().unwrap();
    assert_eq!((records.len(), &body["count"]), (2, &Value::from(3)));
    assert_ne!(records[0], records[1]);
    assert_eq!((&body["limit"], &body["offset"]), (&2.into(), &1.into()));
    let again = server.get(OPENINGS).await;
    assert_eq!(again.text, reply.text);
    let document = &server.sandbox.service.document;
    let operation = document.operations.iter().find(|one| one.id == "openings");
    let schema = operation.unwrap().response.as_ref().unwrap();
    let broken = checked_tests::violations(&document.served, schema, &body, "");
    assert_eq!(broken, []);
}

#[tokio::test]
async fn a_field_that_no_sample_has_is_made_up_and_marked() {
    let field = json!({"type": "integer", "minimum": 3, "nullable": true});
    let add =
        |document: &mut Value| schema_of(document, "JobPost")["properties"]["team_size"] = field;
    let server = Server::with_document(add).await;
    let reply = server.get(JOBS).await;
    let mark = &reply.headers["x-sandbox-data"];
    assert_eq!(mark, "made-up: JobPost.team_size");
    let body = reply.json();
    let posts = body["data"].as_array().unwrap().iter();
    let sizes: Vec<_> = posts.map(|post| &post["team_size"]).collect();
    assert_eq!(sizes[..4], [&3.into(), &3.into(), &Value::Null, &4.into()]);
    // The other fields equal the samples, and other operations are unaffected.
    let plain = Server::start().await;
    let before = plain.get(JOBS).await;
    let url = |body: &Value| body["data"][0]["job_url"].clone();
    assert_eq!(url(&body), url(&before.json()));
    let marks = async |server: &Server| {
        let replies = server.full_responses().await.into_iter();
        let replies = replies.filter(|(operation, _)| *operation != "jobPosts");
        let mark = |(_, reply): (_, Reply)| reply.headers.get("x-sandbox-data").cloned();
        replies.map(mark).collect::<Vec<_>>()
    };
    assert_eq!(marks(&server).await, marks(&plain).await);
}

#[tokio::test]
async fn a_field_that_the_document_lacks_is_not_served() {
    let server = Server::with_document(|document| {
        let post = schema_of(document, "JobPost")["properties"].as_object_mut();
        post.unwrap().remove("job_id").unwrap();
    })
    .await;
    let body = server.body(JOBS).await;
    let post = &body["data"][0];
    assert!(post.get("job_id").is_none(), "{post}");
}

/// Returns the first post before and after a property is renamed and gets this schema, and the mark.
async fn renamed(schema: Option<Value>) -> (Value, Value, String) {
    let plain = Server::start().await;
    let before = plain.body(JOBS).await;
    let server = Server::with_document(|document| {
        let post = schema_of(document, "JobPost")["properties"].as_object_mut();
        let post = post.unwrap();
        let id = post.remove("job_id").unwrap();
        post.insert("job_number".to_owned(), schema.unwrap_or(id));
    })
    .await;
    let reply = server.get(JOBS).await;
    let mark = reply.headers["x-sandbox-data"].to_str().unwrap().to_owned();
    let after = reply.json();
    (before["data"][0].clone(), after["data"][0].clone(), mark)
}

#[tokio::test]
async fn a_renamed_field_has_the_value_of_the_sample_and_is_marked() {
    let (before, after, mark) = renamed(None).await;
    assert!(after.get("job_id").is_none(), "{after}");
    assert_eq!(after["job_number"], before["job_id"]);
    assert!(mark.contains("JobPost.job_number"), "{mark}");
}

#[tokio::test]
async fn a_field_of_another_kind_is_made_up_where_one_is_gone() {
    for (schema, expected) in [
        (json!({"type": "boolean"}), json!(true)),
        (
            json!({"type": "string", "format": "uri", "example": "https://example.com/1"}),
            json!("https://example.com/1"),
        ),
    ] {
        let (_, after, mark) = renamed(Some(schema)).await;
        assert_eq!(after["job_number"], expected);
        assert!(mark.contains("JobPost.job_number"), "{mark}");
    }
}

#[tokio::test]
async fn a_sample_of_another_type_and_an_enum_value_that_is_gone_are_made_up() {
    let retype = |document: &mut Value| {
        schema_of(document, "JobPost")["properties"]["title"] = json!({"type": "boolean"});
    };
    let server = Server::with_document(retype).await;
    let body = server.body(JOBS).await;
    assert_eq!(body["data"][0]["title"], true);

    let rename = |document: &mut Value| replace_enum_value(document, "Positive", "Enthusiastic");
    let server = Server::with_document(rename).await;
    let body = server.body("news?company=example.com").await;
    assert_eq!(body["data"][0]["sentiment"], "Enthusiastic");
    let neutral = &body["data"][2]["sentiment"];
    assert!(
        ["Negative", "Neutral"].contains(&neutral.as_str().unwrap()),
        "{neutral}"
    );
}

#[tokio::test]
async fn an_empty_text_is_served_where_an_alternative_allows_it() {
    let listed = json!({"type": "string", "enum": ["FULL_TIME", "PART_TIME", "CONTRACT"]});
    for (schema, is_served) in [
        (json!({"oneOf": [listed, {"enum": [""]}]}), true),
        (listed.clone(), false),
    ] {
        let retype = |document: &mut Value| {
            schema_of(document, "JobPost")["properties"]["type"] = schema.clone();
        };
        let server = Server::with_document(retype).await;
        let body = server.body(JOBS).await;
        let jobs = body["data"].as_array().unwrap();
        let served = jobs.iter().any(|job| job["type"] == "");
        assert_eq!(served, is_served, "{schema}");
    }
}

#[tokio::test]
async fn the_committed_samples_need_nothing_made_up_where_people_wrote_them() {
    let (fitted, written) = (Server::start().await, Server::with_written_data().await);
    let all = fitted.full_calls().len();
    let calls = fitted.full_responses().await.into_iter();
    let mut same = 0;
    for ((operation, fitted), (_, written)) in calls.zip(written.full_responses().await) {
        if !fitted.headers.contains_key("x-sandbox-data") {
            same += usize::from(fitted.json() == written.json());
        }
        assert_eq!(fitted.status, written.status, "{operation}");
    }
    // An update of the document changes some of them.
    assert!(same * 2 > all, "{same}");
}

#[tokio::test]
async fn a_document_that_says_a_day_gets_one() {
    let plain = Server::start().await;
    let edited = Server::with_document(|document| {
        schema_of(document, "JobPost")["properties"]["date_posted"] =
            json!({"type": "string", "format": "date"});
    });
    let [plain, edited] = [plain.body(JOBS).await, edited.await.body(JOBS).await];
    let posted = |body: &Value| body["data"][0]["date_posted"].as_str().unwrap().to_owned();
    let instant = posted(&plain);
    let (day, _) = instant.split_once('T').unwrap();
    assert_eq!(posted(&edited), day);
}

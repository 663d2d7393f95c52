//! Errors of calls that return no body.

use std::process::Command;

use company_intel::Client;

use crate::faults::every_error::every_error;
use crate::support::calls::{KEY, refused, respond_with};

#[tokio::test]
async fn an_empty_company_is_refused_before_anything_is_sent() {
    refused("company", |client| client.job_posts("").send()).await;
    refused("company", |client| client.enrichment("").send()).await;
    refused("company", |client| client.headcount_trends("").send()).await;
}

/// Runs the test below in a new process: changing variables of this one is not safe while other tests run.
fn from_env(base_url: Option<&str>, key: Option<&str>) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args([
        "--exact",
        "errors::in_a_child_process",
        "--ignored",
        "--nocapture",
    ]);
    for (name, value) in [
        ("COMPANY_INTEL_BASE_URL", base_url),
        ("COMPANY_INTEL_API_KEY", key),
    ] {
        match value {
            Some(value) => child.env(name, value),
            None => child.env_remove(name),
        };
    }
    let output = String::from_utf8(child.output().unwrap().stdout).unwrap();
    let line = output
        .lines()
        .find_map(|line| line.split_once("from_env: "));
    line.unwrap_or_else(|| panic!("{output}")).1.to_owned()
}

#[test]
#[ignore = "only says what the environment gives, for the test that reads it"]
fn in_a_child_process() {
    match Client::from_env() {
        Ok(client) => println!("from_env: {client:?}"),
        Err(error) => println!("from_env: {error}"),
    }
}

#[test]
fn the_environment_makes_a_client_or_says_which_variable_is_missing() {
    let url = Some("http://localhost/api");
    let client = from_env(url, Some(KEY));
    assert!(client.contains("http://localhost/api"), "{client}");
    assert!(!client.contains(KEY), "{client}");

    for (base_url, key, variable) in [
        (None, Some(KEY), "COMPANY_INTEL_BASE_URL"),
        (Some(""), Some(KEY), "COMPANY_INTEL_BASE_URL"),
        (url, None, "COMPANY_INTEL_API_KEY"),
        (url, Some(""), "COMPANY_INTEL_API_KEY"),
    ] {
        let error = from_env(base_url, key);
        assert!(error.starts_with(&format!("`{variable}` ")), "{error}");
        assert!(!error.contains(KEY), "{error}");
    }
    let refused = from_env(Some("http://api.example"), Some(KEY));
    assert!(refused.contains("plain http"), "{refused}");
}

#[tokio::test]
async fn an_error_that_ends_a_program_prints_its_message_and_each_fact_on_one_line() {
    let body = r#"{"detail": "no such company"}"#;
    let missing = format!(
        "HTTP/1.1 404 Not Found\r\nx-request-id: r-17\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let call = |client: Client| client.headcount_trends("a.example").send();
    let error = respond_with(missing, call).await.unwrap_err();
    assert_eq!(error.request_id(), Some("r-17"));
    let facts = [
        format!("message: {:?}", error.to_string()),
        "status: 404".to_owned(),
        "request_id: \"r-17\"".to_owned(),
        "record: \"charge: unknown, at most 2.5 credits\"".to_owned(),
        "body: 29 bytes".to_owned(),
    ];
    let line = format!("Status {{ {} }}", facts.join(", "));
    assert_eq!(format!("{error:?}"), line);
    let lines = format!("Status {{\n    {},\n}}", facts.join(",\n    "));
    assert_eq!(format!("{error:#?}"), lines);
}

#[tokio::test]
async fn no_error_prints_a_page_where_it_ends_a_program() {
    for (what, error) in every_error().await {
        let shown = format!("{error:?}");
        assert_eq!(shown.lines().count(), 1, "{what}: {shown}");
        let message = format!("{{ message: {:?}", error.to_string());
        assert!(shown.contains(&message), "{what}: {shown}");
        let facts = format!("{error:#?}");
        assert!(facts.lines().count() < 10, "{what}: {facts}");
    }
}

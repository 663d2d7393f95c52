//! The command line against a service that bills: its output, its cost, and its exit.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

mod account;
mod agents;
#[cfg(unix)]
mod batch;
mod cache;
mod cases;
mod ends;
mod journal;
#[cfg(target_os = "linux")]
mod paid;
mod resume;
mod service;
#[cfg(unix)]
mod signals;
mod tables;
mod unknown;
mod watch;

use serde_json::Value;

use service::{COMPANY, Service};

#[test]
fn records_come_as_json_or_csv() {
    let service = Service::plain("forms");
    let all = service.run(&["job-posts", COMPANY, "--all"]);
    assert_eq!((all.code, all.records().len()), (0, 23), "{all:?}");
    assert!(all.err.contains("credits spent"), "{all:?}");
    let page = service.run(&["job-posts", COMPANY]);
    assert_eq!(page.records().len(), 10, "{page:?}");
    let some = ["job-posts", COMPANY, "--max-records", "12", "--quiet"];
    let array = service.run(&[&some[..], &["--output", "json"]].concat());
    let array: Vec<Value> = serde_json::from_str(&array.out).unwrap();
    assert_eq!(array, all.records()[..12]);
    let one = service.run(&["headcount-trends", COMPANY, "--output", "json"]);
    assert!(serde_json::from_str::<Value>(&one.out).unwrap()["data"].is_object());

    let columns = ["--columns", "job_id,title"];
    let csv = service.run(&[&some[..], &["--output", "csv"], &columns].concat());
    let lines: Vec<&str> = csv.out.lines().collect();
    assert_eq!(
        lines[..2],
        ["job_id,title", "job-101-0,Senior Rust Engineer"]
    );
    assert_eq!((lines.len(), csv.err.as_str()), (13, ""));
}

/// Runs every command of the command line's page and compares the output. Redirected output is not compared.
#[test]
fn the_page_shows_what_the_program_says() {
    let service = Service::plain("readme");
    service.write(
        "companies.csv",
        "domain\nexample.com\nquarry-software.example\n",
    );
    let page = include_str!("../../../docs/command-line.md");
    let (_, block) = page.split_once("```text\n$ company-intel ").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    for shown in block.split("$ company-intel ") {
        let (command, expected) = shown.split_once('\n').unwrap();
        let (command, file) = match command.split_once(" >> ") {
            Some((command, _)) => (command, true),
            None => (command, false),
        };
        let arguments: Vec<&str> = command.split(' ').collect();
        let ran = service.run(&arguments);
        assert_eq!(ran.code, 0, "{command}: {ran:?}");
        let out = if file { "" } else { ran.out.as_str() };
        let address = service.sandbox.base_url();
        // The path as it was when the page was written.
        let said = format!("{out}{}", ran.err)
            .replace(&address, "http://127.0.0.1:8787/api")
            .replace(&reviewed_facts::path("job_posts"), "/v1/company/jobs");
        assert_eq!(said, expected, "{command}");
    }
}

#[test]
fn a_dry_run_shows_the_request_and_sends_nothing() {
    let service = Service::plain("dry");
    let dry = service.run(&["job-posts", COMPANY, "--dry-run", "--extra", "a=b"]);
    assert_eq!(dry.code, 0, "{dry:?}");
    assert!(dry.out.starts_with("GET http://127.0.0.1:"), "{dry:?}");
    let target = reviewed_facts::target("job_posts", "", "?company=example.com&a=b\n");
    assert!(dry.out.contains(&target), "{dry:?}");
    let priced = service.run(&["job-posts", COMPANY, "--dry-run"]);
    assert!(
        priced
            .out
            .contains("The call costs 4 credits at most, as observed."),
        "{priced:?}"
    );
    let whole = r#"{"company_name": "B", "website": "a.example"}"#;
    for given in [
        &["--company-name", "A", "--website", "a.example"][..],
        &["--body", whole, "--company-name", "A"],
    ] {
        let added = service.run(&[&["add-company", "--dry-run"], given].concat());
        let body = r#"{"company_name":"A","website":"a.example"}"#;
        assert!(added.out.contains(body), "{added:?}");
    }
    let missing = service.run(&["add-company", "--website", "a.example", "--dry-run"]);
    assert!(missing.err.contains("--company-name"), "{missing:?}");
    let partly = service.run(&["add-company", "--body", "{}", "--dry-run"]);
    assert!(
        partly.err.contains("missing field `company_name`"),
        "{partly:?}"
    );
    assert_eq!(service.calls(), 0);
}

#[test]
fn a_request_that_takes_its_time_is_waited_for() {
    let service = Service::plain("wait");
    let add = [
        "add-company",
        "--company-name",
        "A",
        "--website",
        "a.example",
    ];
    let added = service.run(&[&add[..], &["--wait"]].concat());
    let records = added.records();
    assert_eq!((added.code, records.len()), (0, 2), "{added:?}");
    assert_eq!(records[1]["detail"]["status"], "completed");
    let id = records[0]["request_id"].as_str().unwrap();
    let told = service.run(&["request-status", id, "--wait"]);
    assert_eq!(told.records().len(), 1, "{told:?}");
}

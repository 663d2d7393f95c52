//! Stored responses that are called again when they are old, and what has changed.

use rusqlite::Connection;
use serde_json::Value;

use super::service::{COMPANY, Service};

const DAY: u64 = 24 * 60 * 60 * 1000;

/// Makes the stored response of a company older, and replaces a value in it.
fn age(service: &Service, company: &str, days: u64, change: Option<(&str, &str)>) {
    let connection = Connection::open(service.folder.join("responses.sqlite")).unwrap();
    let (from, to) = change.unwrap_or_default();
    let update = "UPDATE responses SET stored_at = stored_at - ?1, body = replace(body, ?2, ?3) WHERE request LIKE ?4";
    let request = format!("%company={company}%");
    let changed = connection.execute(update, (days * DAY, from, to, request));
    assert_eq!(changed.unwrap(), 1);
}

const WATCH: [&str; 8] = [
    "watch",
    "headcount-trends",
    "--from",
    "list.txt",
    "--every",
    "30d",
    "--cache",
    "responses.sqlite",
];

#[test]
fn old_responses_are_called_again_the_oldest_first_and_their_changes_are_written() {
    let service = Service::plain("watched");
    service.write("list.txt", "example.com\nquarry-software.example\n");
    let first = service.run(&WATCH);
    assert_eq!(first.code, 0, "{first:?}");
    let mut lines: Vec<&str> = first.out.lines().collect();
    lines.sort_unstable();
    let expected = ["example.com", "quarry-software.example"]
        .map(|company| format!("{company}: stored for the first time"));
    assert_eq!(lines, expected);
    assert_eq!(service.calls(), 2);

    let again = service.run(&WATCH);
    assert_eq!((again.code, again.out.as_str()), (0, ""), "{again:?}");
    assert!(again.err.contains("Nothing is due"), "{again:?}");
    assert_eq!(service.calls(), 2);

    age(&service, "example.com", 40, Some(("1840", "1800")));
    age(&service, "quarry-software.example", 50, None);
    let dry = [&WATCH[..], &["--budget", "2.5", "--dry-run"]].concat();
    let dry = service.run(&dry);
    assert!(dry.out.contains("quarry-software.example"), "{dry:?}");
    assert!(dry.out.contains("1 of 2 inputs fit"), "{dry:?}");
    let bounded = ["--budget", "2.5", "--concurrency", "1", "--json"];
    let bounded = service.run(&[&WATCH[..], &bounded].concat());
    assert_eq!((bounded.code, service.calls()), (3, 3), "{bounded:?}");
    let records = bounded.records();
    let [record] = records.as_slice() else {
        panic!("{bounded:?}");
    };
    assert_eq!(record["company"], "quarry-software.example");
    assert_eq!(record["record"]["seconds"].as_u64().unwrap() / 86_400, 50);
    assert_eq!(record["record"]["changes"], Value::Array(Vec::new()));

    let last = service.run(&WATCH);
    assert_eq!((last.code, service.calls()), (0, 4), "{last:?}");
    let begin = "example.com: 2 changes in 40d\n";
    assert!(last.out.starts_with(begin), "{last:?}");
    let change = "  /data/total_employees: 1800 → 1840\n";
    assert!(last.out.contains(change), "{last:?}");
}

#[test]
fn a_page_is_watched_that_a_run_has_stored_and_records_are_told_apart() {
    let service = Service::plain("watched-page");
    let cache = ["--cache", "responses.sqlite"];
    let run = ["job-posts", COMPANY, "--max-age", "1d"];
    service.run(&[&run[..], &cache].concat());
    let title = ("Senior Rust Engineer", "Rust Engineer");
    age(&service, COMPANY, 8, Some(title));
    let watch = ["watch", "job-posts", COMPANY, "--every", "7d"];
    let watched = service.run(&[&watch[..], &cache].concat());
    let change = |index: u8| {
        format!(
            "  /data/{index}/title (job_id=job-101-{index}): \"Rust Engineer\" → \"Senior Rust Engineer\"\n"
        )
    };
    let expected = format!("2 changes in 8d\n{}{}", change(0), change(6));
    assert_eq!(
        (watched.code, watched.out.clone()),
        (0, expected),
        "{watched:?}"
    );
    assert_eq!(service.calls(), 2);

    let add = [
        "watch",
        "add-company",
        "--company-name",
        "A",
        "--website",
        "a.example",
    ];
    let never = service.run(&[&add[..], &["--every", "7d"], &cache].concat());
    assert_eq!((never.code, service.calls()), (1, 2), "{never:?}");
    assert!(
        never.err.contains("its response is not stored"),
        "{never:?}"
    );
    let none = [&watch[..4], &["0d"], &cache[..]].concat();
    assert_eq!(service.run(&none).code, 2);
}

//! Every example runs to its end, with the expected output.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that panics is a test that fails"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// Returns the folder in which cargo puts the examples, beside the tests.
fn folder() -> PathBuf {
    let tests = env::current_exe().unwrap();
    tests.parent().unwrap().parent().unwrap().join("examples")
}

fn run(example: &str, arguments: &[&Path]) -> Output {
    let mut command = Command::new(folder().join(example));
    command.args(arguments).output().unwrap()
}

/// Returns the output of an example, both standard output and standard error.
fn said(example: &str, arguments: &[&Path]) -> String {
    let output = run(example, arguments);
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8(said).unwrap();
    assert!(output.status.success(), "{example}: {said}");
    said
}

#[test]
fn every_example_runs_and_says_what_it_should() {
    let expected = BTreeMap::from([
        ("blocking", "example.com: 1840 employees"),
        ("cache", "spent 2.5, saved 5"),
        (
            "circuit_breaker",
            "was not sent: the service has failed three times (NotSent)",
        ),
        ("jobs", "\"job_id\":\"job-101-0\""),
        ("nightly", "2 rows, 5 credits spent this month, 5 saved"),
        ("rate_limit", "it waited for the rate limit of the customer"),
        ("tenants", "402 Payment Required"),
        ("tour", "21.7 credits for 11 calls, by the service"),
        ("tracing", "the service asks for a pause"),
        ("transport", "1 responses, "),
        ("watch", "completed"),
        ("weekly", "example.com: /data/total_employees: 1800 → 1840"),
    ]);
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let sources = fs::read_dir(sources).unwrap();
    let mut names: Vec<_> = sources
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_owned())
        // Two are run below. Two have other tests.
        .filter(|name| {
            let apart = ["command_line", "enrich", "many_workers", "salaries"];
            !apart.contains(&name.to_str().unwrap())
        })
        .map(|name| name.into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, expected.keys().copied().collect::<Vec<_>>());
    for (example, words) in expected {
        let said = said(example, &[]);
        assert!(said.contains(words), "{example}: {said}");
    }
}

#[test]
fn many_workers_share_a_budget_where_there_is_a_redis() {
    let said = said("many_workers", &[]);
    if said.contains("`redis-server` is not installed") {
        return;
    }
    // Returns the credits or the number that follow `name`.
    let after = |name: &str| -> f64 {
        let (_, rest) = said.split_once(name).unwrap();
        let is_more = |c: char| !c.is_ascii_digit() && c != '.';
        let amount = rest.split(is_more).next().unwrap();
        amount.parse().unwrap_or_else(|_| panic!("{name}: {said}"))
    };
    let bill = after("bill: ");
    let (spent, at_risk) = (after("spent: "), after("at_risk: "));
    // The call of the killed worker is at risk, and so is the one before it if the store had not recorded its end.
    assert!(spent <= bill && bill <= spent + at_risk, "{said}");
    assert!(at_risk <= 5.0, "{said}");
    // The lists would cost more than the limit, which is used up.
    assert!(spent + at_risk == 75.0, "{said}");
    assert_eq!(after(" calls: "), (spent + at_risk) / 2.5, "{said}");
    assert_eq!(after("reserved: "), 0.0, "{said}");
}

#[test]
fn a_list_is_enriched_once_and_its_cost_outlives_the_run() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("enrich");
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let list = folder.join("domains.txt");
    fs::write(&list, "example.com\nquarry-software.example\n").unwrap();
    let first = said("enrich", &[&list]);
    assert!(first.contains("example.com: done"), "{first}");
    let rows = fs::read_to_string(folder.join("domains.txt.csv")).unwrap();
    assert_eq!(rows.lines().count(), 2, "{rows}");
    let cost = first.lines().last().unwrap();
    assert!(cost.ends_with(" credits spent, 0 at risk"), "{cost}");
    let second = said("enrich", &[&list]);
    assert_eq!(
        second.matches("done by an earlier run").count(),
        2,
        "{second}"
    );
    assert_eq!(second.lines().last().unwrap(), cost);
    // Without a list it says so.
    let none = run("enrich", &[]);
    assert!(!none.status.success());
    assert!(
        String::from_utf8(none.stderr)
            .unwrap()
            .contains("name a file of domains")
    );
}

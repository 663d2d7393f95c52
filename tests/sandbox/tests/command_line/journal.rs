//! Content of a journal for later runs: finished calls, their cost, and the arguments of the run.

use std::fs;

use company_intel_sandbox::Fault;

use super::service::{COMPANY, Ran, Service};

const LIST: [&str; 5] = [
    "headcount-trends",
    "--from",
    "list.txt",
    "--concurrency",
    "1",
];
const RESUME: [&str; 2] = ["--resume", "run.journal"];

/// Runs over a list, one call at a time, on a budget.
fn run_list(service: &Service, budget: &str, more: &[&str]) -> Ran {
    service.run(&[&LIST[..], &RESUME, &["--budget", budget], more].concat())
}

fn run_jobs(service: &Service, more: &[&str]) -> Ran {
    let run = ["job-posts", COMPANY, "--budget", "60"];
    service.run(&[&run[..], &RESUME, more].concat())
}

#[test]
fn the_page_of_batches_shows_what_settling_says() {
    let service = Service::start("settle-page", |builder| {
        builder.fault("headcount_trends", Fault::status(500).billed())
    });
    service.write("list.txt", "example.com\nquarry-software.example\n");
    assert_eq!(run_list(&service, "30", &[]).code, 1);
    let page = include_str!("../../../../docs/batches.md");
    let (_, shown) = page
        .split_once("$ company-intel headcount-trends ")
        .unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let (arguments, expected) = shown.split_once('\n').unwrap();
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let ran = service.run(&[&["headcount-trends"], &arguments[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, expected), "{ran:?}");
}

/// Removes the times of attempts.
fn untimed(journal: &str) -> String {
    let parts = journal.split("\"at\":");
    let parts = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
    parts.collect()
}

#[test]
fn a_journal_that_broke_off_in_its_first_line_begins_again_and_pays_once() {
    let service = Service::plain("first-line");
    let first = run_jobs(&service, &[]);
    assert_eq!((first.code, service.calls()), (0, 1), "{first:?}");
    let path = service.folder.join("run.journal");
    let whole = fs::read_to_string(&path).unwrap();
    let header = whole.lines().next().unwrap();
    for (calls, length) in [(2, 1), (3, header.len() / 2), (4, header.len())] {
        fs::write(&path, header.get(..length).unwrap()).unwrap();
        let ran = run_jobs(&service, &[]);
        assert_eq!((ran.code, ran.records().len()), (0, 10), "{ran:?}");
        assert_eq!(service.calls(), calls);
        let same = fs::read_to_string(&path).unwrap();
        let same = same.replace(&format!("sandbox-{calls}"), "sandbox-1");
        assert_eq!(untimed(&same), untimed(&whole));
        let again = run_jobs(&service, &[]);
        assert_eq!((again.code, service.calls()), (0, calls), "{again:?}");
    }
    let lost = whole.split_once('\n').unwrap().1;
    for (text, why) in [
        (
            &header
                .get(..40)
                .unwrap()
                .replace("company-intel", "other-program"),
            "nothing was paid",
        ),
        (&"notes without an end".to_owned(), "nothing was paid"),
        (&"\0\0\0\0".to_owned(), "nothing was paid"),
        (&lost.to_owned(), "line 1: it does not name its run"),
    ] {
        fs::write(&path, text).unwrap();
        let refused = run_jobs(&service, &[]);
        assert_eq!((refused.code, service.calls()), (2, 4), "{refused:?}");
        assert!(refused.err.contains(why), "{refused:?}");
        assert!(refused.err.contains("name another file"), "{refused:?}");
        assert_eq!(&fs::read_to_string(&path).unwrap(), text, "it is kept");
    }
}

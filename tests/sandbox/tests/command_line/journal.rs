//! Content of a journal for later runs: finished calls, their cost, and the arguments of the run.

use std::fs;
use std::time::Duration;

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
/// An account whose store is away.
const AWAY: [&str; 4] = ["--account", "team", "--store", "redis://127.0.0.1:1/"];

/// Runs over a list, one call at a time, on a budget.
fn run_list(service: &Service, budget: &str, more: &[&str]) -> Ran {
    service.run(&[&LIST[..], &RESUME, &["--budget", budget], more].concat())
}

fn run_jobs(service: &Service, more: &[&str]) -> Ran {
    let run = ["job-posts", COMPANY, "--budget", "60"];
    service.run(&[&run[..], &RESUME, more].concat())
}

#[test]
fn a_call_that_was_refused_undoes_no_earlier_one() {
    let service = Service::start("free-again", |builder| {
        builder.fault("headcount_trends", Fault::reset().billed())
    });
    service.write("list.txt", "example.com\n");
    let first = run_list(&service, "30", &[]);
    assert_eq!((first.code, service.calls()), (1, 1), "{first:?}");
    let refused = run_list(&service, "3", &["--again"]);
    assert_eq!((refused.code, service.calls()), (3, 1), "{refused:?}");
    let held = run_list(&service, "30", &[]);
    assert_eq!((held.code, service.calls()), (1, 1), "{held:?}");
    assert!(held.err.contains("1 of 1 are left out"), "{held:?}");
}

#[test]
fn an_empty_balance_ends_a_list() {
    let balance = "5".parse().unwrap();
    let service = Service::start("balance", |builder| builder.balance(balance));
    let list =
        "example.com\nquarry-software.example\n3f0c1a52-7d84-4b6e-9a51-c2e8d90b4f17\nq7r2s9t4\n";
    service.write("list.txt", list);
    let ran = run_list(&service, "100", &[]);
    assert_eq!((ran.code, ran.records().len()), (3, 2), "{ran:?}");
    assert_eq!(service.sandbox.bill().refused, 1);
    assert!(ran.err.contains("or a greater balance"), "{ran:?}");

    // Each of the calls in flight has credits at risk, and is named.
    let pause = Duration::from_millis(500);
    let service = Service::start("balance-together", |builder| {
        let empty = Fault::status(402).always();
        builder
            .latency(pause..=pause)
            .fault("headcount_trends", empty)
    });
    service.write("list.txt", list);
    let ran = service.run(&["headcount-trends", "--from", "list.txt"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    for input in list.lines() {
        let words = format!("{input}: headcountTrends (");
        let is_named = ran.err.lines().any(|line| line.starts_with(&words));
        assert!(is_named, "{input}: {ran:?}");
    }
}

#[test]
fn a_journal_of_one_page_goes_on_to_more() {
    let service = Service::plain("extended");
    let page = run_jobs(&service, &[]);
    assert_eq!((page.code, page.records().len()), (0, 10), "{page:?}");
    let dry = run_jobs(&service, &["--max-records", "25", "--dry-run"]);
    assert!(
        dry.out.contains("2 calls, each of which costs 4 credits"),
        "{dry:?}"
    );
    for (more, records, calls) in [
        (&[][..], 0, 1),
        (&["--max-records", "12"], 2, 2),
        (&["--max-records", "12"], 0, 2),
        (&["--max-records", "5"], 0, 2),
        (&["--all"], 11, 4),
        (&["--all"], 0, 4),
        (&["--max-records", "99"], 0, 4),
        (&[], 0, 4),
    ] {
        let ran = run_jobs(&service, more);
        let counts = (ran.code, ran.records().len(), service.calls());
        assert_eq!(counts, (0, records, calls), "{more:?}: {ran:?}");
        let is_done = ran.err.contains("all of it is done");
        assert_eq!(is_done, records == 0, "{more:?}: {ran:?}");
        if is_done {
            let dry = run_jobs(&service, &[more, &["--dry-run"]].concat());
            assert!(dry.out.contains("no calls are left"), "{dry:?}");
        }
    }
}

#[test]
fn a_journal_is_of_one_service_and_one_form() {
    let service = Service::plain("identity");
    service.write("list.txt", "example.com\nquarry-software.example\n");
    let wrong = format!("{}/wrong", service.sandbox.base_url());
    let wrong = run_list(&service, "30", &["--base-url", &wrong]);
    assert_eq!((wrong.code, service.calls()), (1, 0), "{wrong:?}");
    let right = run_list(&service, "30", &[]);
    assert_eq!((right.code, service.calls()), (2, 0), "{right:?}");
    assert!(right.err.contains("its base URL: http"), "{right:?}");

    let service = Service::plain("form");
    let extra = ["--extra", "a=1", "--extra", "a=2"];
    let first = run_jobs(&service, &extra);
    let calls = service.calls();
    for (more, what) in [
        (&["--extra", "a=2"][..], "its arguments: "),
        (
            &[&extra[..], &["--output", "csv"]].concat(),
            "its output: ndjson, and not csv",
        ),
        (
            &[&extra[..], &["--columns", "title"]].concat(),
            "ndjson of title",
        ),
    ] {
        let other = run_jobs(&service, more);
        assert_eq!((other.code, service.calls()), (2, calls), "{other:?}");
        assert!(other.err.contains("journal of another run"), "{other:?}");
        assert!(other.err.contains(what), "{first:?} {other:?}");
    }
    // A dry run writes no records, so their format may differ.
    for form in [&["--output", "csv"], &["--columns", "title"]] {
        let dry = run_jobs(&service, &[&extra[..], form, &["--dry-run"]].concat());
        assert_eq!((dry.code, service.calls()), (0, calls), "{dry:?}");
        assert!(dry.out.contains("Nothing is sent."), "{dry:?}");
    }
}

#[test]
fn a_run_that_could_not_begin_leaves_the_header_to_the_next() {
    let service = Service::plain("header");
    let csv = ["--output", "csv", "--columns", "title"];
    let mut run = vec!["job-posts", COMPANY, "--budget", "60"];
    run.extend(RESUME.iter().chain(&csv));
    let mut without = service.command(&run);
    let without = without.env_remove("COMPANY_INTEL_API_KEY").output();
    let without = Ran::of(without.unwrap());
    assert_eq!((without.code, without.out.as_str()), (2, ""), "{without:?}");
    let bad = service.run(&[&run[..], &["--key-file", "none.key"]].concat());
    assert_eq!((bad.code, bad.out.as_str()), (2, ""), "{bad:?}");
    let plain = service.run(&[&run[..], &["--base-url", "http://example.com"]].concat());
    assert_eq!((plain.code, plain.out.as_str()), (2, ""), "{plain:?}");
    let right = service.run(&run);
    assert!(right.out.starts_with("title\n"), "{right:?}");
    let again = service.run(&run);
    assert_eq!((again.code, again.out.as_str()), (0, ""), "{again:?}");
}

#[test]
fn a_list_says_what_is_left_and_what_only_again_calls() {
    let service = Service::start("left", |builder| {
        builder.fault("headcount_trends", Fault::reset().billed())
    });
    let list = "example.com\nnobody.example\nquarry-software.example\n";
    service.write("list.txt", list);
    let first = run_list(&service, "30", &[]);
    assert_eq!(first.code, 1, "{first:?}");
    assert!(first.err.contains("2 of 3 failed"), "{first:?}");
    assert!(first.err.contains("`--again` also repeats"), "{first:?}");
    assert!(
        first.err.contains("only part of a page: 1 so far."),
        "{first:?}"
    );
    // One input is done, one was refused permanently, and one waits for `--again`.
    assert!(!first.err.contains("The same command"), "{first:?}");
    let dry = run_list(&service, "30", &["--dry-run"]);
    assert!(dry.out.contains("no calls are left"), "{dry:?}");
    assert!(
        dry.out.contains("only part of a page: 1 so far."),
        "{dry:?}"
    );
    let dry = run_list(&service, "30", &["--dry-run", "--again"]);
    assert!(dry.out.contains("For each of 1 of 3 inputs: "), "{dry:?}");

    let service = Service::start("left-for-later", |builder| {
        builder
            .fault("headcount_trends", Fault::reset().billed())
            .fault("headcount_trends", Fault::status(404))
            .fault("headcount_trends", Fault::status(429).always())
    });
    service.write("list.txt", list);
    let first = run_list(&service, "30", &[]);
    assert!(first.err.contains("3 of 3 failed"), "{first:?}");
    assert!(first.err.contains("`--again` also repeats"), "{first:?}");
    assert!(first.err.contains("The same command goes on"), "{first:?}");
    let journal = fs::read_to_string(service.folder.join("run.journal")).unwrap();
    let dry = run_list(&service, "30", &["--dry-run"]);
    assert!(dry.out.contains("For each of 1 of 3 inputs: "), "{dry:?}");
    let kept = fs::read_to_string(service.folder.join("run.journal")).unwrap();
    assert_eq!(kept, journal, "a dry run writes nothing");
}

#[test]
fn a_call_that_is_settled_by_hand_frees_the_budget_and_not_its_input() {
    for (charged, bill) in [
        ("2.5", "2.5 credits spent, 3.5 left"),
        ("0", "0 credits spent, 6 left"),
    ] {
        let service = Service::start(&format!("settle-{charged}"), |builder| {
            builder.fault("headcount_trends", Fault::reset().billed())
        });
        service.write("list.txt", "https://example.com/?a=b\n");
        let first = run_list(&service, "6", &[]);
        assert_eq!(first.code, 1, "{first:?}");
        let call = format!("https://example.com/?a=b={charged}");
        for (call, code, words) in [
            (
                "nobody.example=2.5",
                2,
                "`nobody.example` has nothing at risk; these calls have:\n  example.com?a=b (2.5 credits)",
            ),
            (
                "https://example.com/",
                2,
                "a number of credits follows the last `=`",
            ),
            (&*call, 0, &format!("1 call: {bill}")),
            (
                &*call,
                2,
                "`https://example.com/?a=b` has nothing at risk, and no other call has",
            ),
        ] {
            let ran = run_list(&service, "6", &[&["--settle", call], &AWAY[..]].concat());
            assert_eq!((ran.code, service.calls()), (code, 1), "{ran:?}");
            assert!(ran.err.contains(words), "{words}\n{ran:?}");
        }
        let held = run_list(&service, "6", &[]);
        assert_eq!((held.code, service.calls()), (1, 1), "{held:?}");
        assert!(held.err.contains("1 of 1 are left out"), "{held:?}");
        let again = run_list(&service, "6", &["--again"]);
        assert_eq!((again.code, service.calls()), (0, 2), "{again:?}");
    }
}

#[test]
fn a_single_call_is_settled_by_its_credits_alone() {
    let service = Service::start("settle-single", |builder| {
        builder.fault("headcount_trends", Fault::reset().billed())
    });
    let run = ["headcount-trends", COMPANY, "--budget", "6"];
    let run = [&run[..], &RESUME].concat();
    assert_eq!(service.run(&run).code, 1);
    for (call, code, said) in [
        (
            "example.com=1",
            2,
            "`example.com` has nothing at risk; these calls have:\n  the call (2.5 credits)\n",
        ),
        (
            "1",
            0,
            "settled: the call was charged 1 credit\n1 call: 1 credit spent, 5 left\n",
        ),
        (
            "1",
            2,
            "the call has nothing at risk, and no other call has\n",
        ),
    ] {
        let ran = service.run(&[&run[..], &["--settle", call]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (code, said), "{call}");
    }
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

#[test]
fn a_list_ends_when_nothing_answers() {
    let service = Service::plain("dead");
    let list: Vec<String> = (0..40).map(|n| format!("company-{n}.example")).collect();
    service.write("list.txt", &list.join("\n"));
    let ran = run_list(&service, "99", &["--base-url", "http://127.0.0.1:1"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    let failed = list
        .iter()
        .filter(|input| ran.err.contains(&format!("{input}: ")));
    assert_eq!(failed.count(), 5, "{ran:?}");
    assert!(ran.err.contains("The same command goes on"), "{ran:?}");
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

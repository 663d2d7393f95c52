//! The end of a run: its exit code, its messages, and the bytes of paid responses.

use std::fs::File;
use std::io::{BufRead, BufReader};

use company_intel_sandbox::Fault;

use super::service::{COMPANY, KEY, Ran, Service, replying};

#[test]
fn each_end_has_an_exit_code_and_says_what_to_do() {
    let service = Service::plain("ends");
    service.write("list.csv", "name\nA\n");
    service.write("no.journal", "something else\n");
    let cases: &[(i32, &[&str], &str)] = &[
        (2, &["job-posts"], "<COMPANY>"),
        (2, &["jobs", COMPANY], "unrecognized subcommand"),
        (
            2,
            &["enrichment", COMPANY, "--sections", "nope"],
            "[possible values: firmographic",
        ),
        (
            2,
            &["job-posts", COMPANY, "--limit", "many"],
            "`limit` is not a number",
        ),
        (2, &["job-posts", COMPANY, "--limit", "-1"], "`limit`"),
        (2, &["job-posts", COMPANY, "--extra", "a"], "NAME=VALUE"),
        (2, &["job-posts", ""], "`company`"),
        (
            2,
            &["job-posts", COMPANY, "--columns", "a", "--output", "csv"],
            "There are: job_id, ",
        ),
        (
            2,
            &["job-posts", "--from", "list.csv", "--column", "domain"],
            "Its first line has: name",
        ),
        (
            2,
            &["job-posts", "--from", "none.csv"],
            "none.csv: No such file",
        ),
        (2, &["job-posts", COMPANY, "--resume", "x"], "--budget"),
        (
            2,
            &[
                "job-posts",
                COMPANY,
                "--budget",
                "1",
                "--resume",
                "no.journal",
            ],
            "no.journal, line 1",
        ),
        (
            2,
            &[
                "job-posts",
                COMPANY,
                "--budget",
                "1",
                "--resume",
                "x",
                "--output",
                "json",
            ],
            "ndjson",
        ),
        (
            2,
            &["job-posts", COMPANY, "--key-file", "none.key"],
            "none.key: No such file",
        ),
        (
            2,
            &["job-posts", COMPANY, "--base-url", "http://example.com"],
            "https",
        ),
        (
            3,
            &["job-posts", COMPANY, "--budget", "1"],
            "the budget has 1 of 1 credit left",
        ),
        (
            1,
            &["job-posts", COMPANY, "--base-url", "http://127.0.0.1:1"],
            "no connection, nothing was sent",
        ),
        (
            2,
            &["headcount-trends", COMPANY, "--unbilled", "404,40"],
            "invalid value '40' for '--unbilled <STATUS>': expected a status code from 200 to 599",
        ),
        (1, &["headcount-trends", "nobody.example"], "404"),
    ];
    for (code, arguments, words) in cases {
        let ran = service.run(arguments);
        assert_eq!(ran.code, *code, "{arguments:?}: {ran:?}");
        assert!(ran.err.contains(words), "{arguments:?}: {ran:?}");
        for rust in ["message: ", "record: ", "charge: ", "Some("] {
            assert!(!ran.err.contains(rust), "{arguments:?}: {ran:?}");
        }
    }
    // A file that is not a journal stays unchanged.
    service.write("list.txt", "example.com");
    let wrong = service.run(&[
        "job-posts",
        COMPANY,
        "--budget",
        "1",
        "--resume",
        "list.txt",
    ]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
    let kept = std::fs::read_to_string(service.folder.join("list.txt"));
    assert_eq!(kept.unwrap(), "example.com");
    let one = service.run(&["headcount-trends", "nobody.example"]);
    assert!(!one.err.contains("--resume"), "{one:?}");
    let all = service.run(&["job-posts", COMPANY, "--all", "--budget", "5"]);
    assert!(all.err.contains("A run with `--resume FILE`"), "{all:?}");
    let mut without = service.command(&["job-posts", COMPANY]);
    let without = Ran::of(
        without
            .env_remove("COMPANY_INTEL_API_KEY")
            .output()
            .unwrap(),
    );
    assert_eq!(without.code, 2);
    assert!(
        without.err.contains("`COMPANY_INTEL_API_KEY` is missing"),
        "{without:?}"
    );
    service.write("key", &format!("{KEY}\n"));
    let mut from_file = service.command(&["job-posts", COMPANY, "--key-file", "key"]);
    let from_file = Ran::of(
        from_file
            .env_remove("COMPANY_INTEL_API_KEY")
            .output()
            .unwrap(),
    );
    assert_eq!(from_file.code, 0, "{from_file:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_was_paid_for_is_shown_where_it_cannot_be_written() {
    let service = Service::plain("full");
    let written = service.run(&["headcount-trends", COMPANY]);
    assert_eq!(written.code, 0, "{written:?}");
    let mut full = service.command(&["headcount-trends", COMPANY]);
    let device = File::options().write(true).open("/dev/full").unwrap();
    let full = Ran::of(full.stdout(device).output().unwrap());
    assert_eq!(full.code, 4, "{full:?}");
    assert!(full.err.contains("No space left on device"), "{full:?}");
    assert!(full.err.contains(written.out.trim_end()), "{full:?}");

    let mut page = service.command(&["job-posts", COMPANY]);
    let device = File::options().write(true).open("/dev/full").unwrap();
    let page = Ran::of(page.stdout(device).output().unwrap());
    assert_eq!(page.code, 4, "{page:?}");
    assert_eq!(page.err.matches("\"job_id\":").count(), 10, "{page:?}");

    let mut closed = service.command(&["job-posts", COMPANY, "--all", "--limit", "1"]);
    let mut child = closed.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let ended = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, 130, "{ended:?}");
    // After the reader is gone, no call is made except for the page that revealed it.
    assert!(service.calls() < 23, "{}", service.calls());
}

#[test]
fn bytes_that_cannot_be_read_are_not_lost() {
    let service = Service::start("unreadable", |builder| {
        builder.fault("*", Fault::invalid().times(2))
    });
    let page = service.run(&["job-posts", COMPANY, "--all"]);
    assert_eq!(page.code, 1, "{page:?}");
    assert!(page.err.contains("This response could not be"), "{page:?}");
    let one = service.run(&["headcount-trends", COMPANY]);
    assert_eq!((one.code, one.out.as_str()), (1, ""), "{one:?}");
    assert!(one.err.contains("This response could not be"), "{one:?}");
}

#[test]
fn a_used_up_budget_is_said_once() {
    let service = Service::plain("used-up");
    let list: Vec<String> = (0..12)
        .map(|n| format!("https://example.com/{n}"))
        .collect();
    service.write("list.txt", &list.join("\n"));
    let run = ["headcount-trends", "--from", "list.txt", "--budget", "9"];
    let ran = service.run(&run);
    assert_eq!((ran.code, ran.records().len()), (3, 3), "{ran:?}");
    for words in ["was not sent", "the budget has"] {
        assert_eq!(ran.err.matches(words).count(), 1, "{ran:?}");
    }
    assert!(
        ran.err.contains("3 calls: 7.5 credits spent, 1.5 left"),
        "{ran:?}"
    );
}

/// Whatever an argument, a file or its name holds: a terminal shows it, and does not obey it.
#[test]
#[cfg(unix)]
fn no_argument_and_no_line_of_a_file_steers_a_terminal() {
    const EVIL: &str = "\u{1b}[2J\u{9b}31m\u{202e}e\r\u{7}";
    let service = Service::plain("evil-arguments");
    service.write("list.csv", &format!("name,{EVIL}\nnobody.example,{EVIL}\n"));
    service.write(EVIL, "\u{1b}");
    std::fs::write(service.folder.join("not-utf-8"), b"\xff").unwrap();
    let file = format!("@{EVIL}-none");
    for arguments in [
        &[EVIL][..],
        &["job-posts", EVIL],
        &["job-posts", COMPANY, EVIL],
        &["job-posts", COMPANY, "--limit", EVIL],
        &["job-posts", COMPANY, "--columns", EVIL, "--output", "csv"],
        &["job-posts", COMPANY, "--extra", EVIL],
        &["job-posts", COMPANY, "--budget", EVIL],
        &["job-posts", COMPANY, "--unbilled", EVIL],
        &["job-posts", COMPANY, "--key-file", EVIL],
        &["job-posts", COMPANY, "--key-file", &file],
        &["job-posts", COMPANY, "--base-url", EVIL],
        &["job-posts", COMPANY, "--server", EVIL],
        &["job-posts", COMPANY, "--budget", "9", "--resume", EVIL],
        &["job-posts", COMPANY, "--account", EVIL, "--store", EVIL],
        &[
            "job-posts",
            COMPANY,
            "--dry-run",
            "--extra",
            &format!("a={EVIL}"),
        ],
        &["headcount-trends", "--from", "list.csv"],
        &["headcount-trends", "--from", "list.csv", "--column", EVIL],
        &["headcount-trends", "--from", "list.csv", "--column", &file],
        &["headcount-trends", "--from", &file],
        &["add-company", "--company-name", EVIL, "--website", EVIL],
        &[
            "add-company",
            "--company-name",
            EVIL,
            "--website",
            EVIL,
            "--dry-run",
        ],
        &["enrichment", COMPANY, "--sections", EVIL],
        &["mcp", "--budget", "1", "--tools", EVIL],
        &["--set-limit", "5", "--account", EVIL, "--store", EVIL],
        &["--completions", EVIL],
    ] {
        let ran = service.run(arguments);
        let shown = ran.out + &ran.err;
        let is_evil = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(
            !shown.is_empty() && !shown.contains(is_evil),
            "{arguments:?}: {shown:?}"
        );
    }
}

/// A cell may have more than one line.
#[test]
#[cfg(unix)]
fn an_input_begins_no_line_of_a_message() {
    let service = Service::plain("lines-of-cells");
    service.write("list.csv", "domain\n\"a.example\nall is well\"\n");
    let page = r#"{"count": 1, "data": [{"job_id": "a"}, {"job_id": "b"}]}"#;
    let address = replying(vec![page], || {});
    let list = ["job-posts", "--from", "list.csv", "--column", "domain"];
    let ran = service.run(&[&list[..], &["--base-url", &address]].concat());
    let words = r"a.example\nall is well: more records came than the total says: 1.";
    assert!(ran.err.contains(words), "{ran:?}");
}

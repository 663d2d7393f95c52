//! The end of a run: its exit code, its messages, and the bytes of paid responses.

use std::fs::File;
use std::io::{BufRead, BufReader};

use super::service::{COMPANY, Ran, Service};

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

//! Paid responses are written, or printed where they cannot be written; a later run does not pay for them again.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use company_intel_sandbox::Fault;
use serde_json::Value;

use super::service::{COMPANY, Ran, Service, replying};

/// Runs with a journal that is limited to this many bytes.
fn bounded(service: &Service, most: usize, arguments: &[&str]) -> Ran {
    let program = service.command(arguments);
    let mut command = Command::new("sh");
    let limit = format!("trap '' XFSZ; exec prlimit --fsize={most} \"$0\" \"$@\"");
    command.args(["-c", &limit]).arg(program.get_program());
    command
        .args(program.get_args())
        .current_dir(&service.folder)
        .stdin(Stdio::null());
    for (name, value) in program.get_envs() {
        command.env(name, value.unwrap());
    }
    Ran::of(command.output().unwrap())
}

/// Returns how long `whole.journal` is up to the end of the line that names its call.
fn length_with_attempt(service: &Service) -> usize {
    let journal = fs::read_to_string(service.folder.join("whole.journal")).unwrap();
    let (before, after) = journal.split_once("{\"attempt\"").unwrap();
    let (sent, _) = after.split_once('\n').unwrap();
    before.len() + "{\"attempt\"".len() + sent.len() + 1
}

#[test]
fn a_journal_that_cannot_be_written_costs_no_record() {
    for (operation, records) in [("headcount-trends", 1), ("job-posts", 10)] {
        let service = Service::plain(&format!("bounded-{operation}"));
        let run = |journal| [operation, COMPANY, "--budget", "20", "--resume", journal];
        let whole = service.run(&run("whole.journal"));
        assert_eq!(whole.code, 0, "{whole:?}");
        let ran = bounded(&service, length_with_attempt(&service), &run("run.journal"));
        assert_eq!(ran.code, 4, "{ran:?}");
        assert!(ran.err.contains("the journal cannot be written"), "{ran:?}");
        assert_eq!(ran.records().len(), records, "{ran:?}");
        let calls = service.calls();
        let ran = bounded(&service, 0, &run("none.journal"));
        assert_eq!((ran.code, service.calls()), (4, calls), "{ran:?}");
        // A call without an end in the journal is not repeated.
        let again = service.run(&run("run.journal"));
        assert_eq!((again.code, service.calls()), (2, calls), "{again:?}");
    }
}

/// The journal has no room for the end of a call that ends the list, too.
#[test]
fn a_failure_that_cannot_be_noted_is_shown() {
    let service = Service::start("bounded-failure", |builder| {
        builder.fault("headcount_trends", Fault::status(402).always())
    });
    service.write("list.txt", "example.com\n");
    let run = |journal| {
        let run = ["headcount-trends", "--from", "list.txt"];
        [&run[..], &["--budget", "20", "--resume", journal]].concat()
    };
    let whole = service.run(&run("whole.journal"));
    assert_eq!(whole.code, 3, "{whole:?}");
    let length = length_with_attempt(&service);
    let ran = bounded(&service, length, &run("run.journal"));
    assert_eq!(ran.code, 4, "{ran:?}");
    for words in ["the journal cannot be written", "example.com: ", "402"] {
        assert!(ran.err.contains(words), "{words}: {ran:?}");
    }
}

#[test]
fn what_a_reader_left_behind_is_shown_and_done() {
    for (operation, words, cost) in [
        ("headcount-trends", "\"total_employees\"", "2.5"),
        ("job-posts", "\"job_id\":", "4"),
    ] {
        let service = Service::plain(&format!("left-{operation}"));
        let run = [
            operation,
            COMPANY,
            "--budget",
            "20",
            "--resume",
            "run.journal",
        ];
        let whole = service.run(&run[..2]);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut closed = service.command(&run);
        let closed = Ran::of(closed.stdout(writer).output().unwrap());
        assert_eq!(closed.code, 130, "{closed:?}");
        assert_eq!(
            closed.err.matches(words).count(),
            whole.out.matches(words).count(),
            "{closed:?}"
        );
        let calls = service.calls();
        let again = service.run(&run);
        assert_eq!((again.code, service.calls()), (0, calls), "{again:?}");
        let bill = format!("1 call: {cost} credits spent, ");
        assert!(again.err.contains(&bill), "{again:?}");
        assert!(!again.err.contains("at risk"), "{again:?}");
    }
}

#[test]
fn what_can_neither_be_written_nor_shown_is_called_again_only_on_demand() {
    let service = Service::plain("lost");
    let run = [
        "headcount-trends",
        COMPANY,
        "--budget",
        "20",
        "--resume",
        "run.journal",
    ];
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let mut lost = service.command(&run);
    let lost = Ran::of(lost.stdout(full()).stderr(full()).output().unwrap());
    assert_eq!((lost.code, service.calls()), (4, 1), "{lost:?}");
    let held = service.run(&run);
    assert_eq!((held.code, service.calls()), (2, 1), "{held:?}");
    let again = service.run(&[&run[..], &["--again"]].concat());
    assert_eq!((again.code, again.records().len()), (0, 1), "{again:?}");
    assert!(again.err.contains("2 calls: 5 credits spent"), "{again:?}");
}

/// JSON escapes hide the characters in the response, and decoding restores them, also for readers of the output.
#[test]
fn no_character_of_the_service_steers_the_terminal_and_none_is_lost() {
    const EVIL: &str = "a\u{202e}b\u{2066}\u{9b}31m\u{7f}";
    let is_evil = |text: &str| {
        text.contains(|c: char| {
            c.is_control() && c != '\n'
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        })
    };
    let page = format!(r#"{{"count": 1, "data": [{{"job_id": "{EVIL}", "title": "\u001b[2J"}}]}}"#);
    let page: &'static str = page.leak();
    let service = Service::plain("terminal");
    let columns = ["--columns", "job_id,title", "--output"];
    let run = |reply, output, columns: &[&str]| {
        let address = replying(vec![reply], || {});
        let run = ["job-posts", COMPANY, "--base-url", &address];
        service.run(&[&run[..], columns, &[output]].concat())
    };
    // These formats are for programs, so their characters are unchanged.
    let csv = run(page, "csv", &columns);
    assert!(csv.out.contains(&format!("{EVIL},\u{1b}[2J")), "{csv:?}");
    let json = run(page, "ndjson", &["--output"]);
    assert_eq!(json.records()[0]["job_id"], EVIL, "{json:?}");

    // A response that is not a page is printed as the same JSON.
    let other = format!(r#"{{"data": "{EVIL}"}}"#);
    let shown = run(other.leak(), "ndjson", &["--output"]);
    assert_eq!((shown.code, is_evil(&shown.err)), (1, false), "{shown:?}");
    let line = shown.err.lines().find(|line| line.starts_with('{'));
    let read: Value = serde_json::from_str(line.unwrap()).unwrap();
    assert_eq!(read["data"], EVIL);
    // A response that is not JSON is printed as Base64.
    let shown = run("gateway \u{9b}31m", "ndjson", &["--output"]);
    assert_eq!((shown.code, is_evil(&shown.err)), (1, false), "{shown:?}");
    assert!(
        shown.err.contains("in Base64:\nZ2F0ZXdheSDCmzMxbQ=="),
        "{shown:?}"
    );
}

/// The output exceeds the capacity of a pipe, so the run blocks within it and is killed there.
#[test]
fn the_rest_of_a_page_in_which_a_run_was_killed_is_called_only_on_demand() {
    let service = Service::plain("killed");
    let posts: Vec<Value> = (0..400)
        .map(|post| serde_json::json!({"job_id": post.to_string(), "title": "x".repeat(1000)}))
        .collect();
    let page = |posts: &[Value]| {
        let page = serde_json::json!({"count": 400, "credits_consumed": 4, "data": posts});
        &*page.to_string().leak()
    };
    let (asked, asks) = std::sync::mpsc::channel();
    let address = replying(vec![page(&posts), page(&posts[300..])], move || {
        asked.send(()).unwrap();
    });
    let run = ["job-posts", COMPANY, "--all", "--base-url", &address];
    let run = [&run[..], &["--budget", "40", "--resume", "run.journal"]].concat();
    let mut child = service.command(&run).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    for _ in 0..3 {
        out.read_line(&mut line).unwrap();
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(asks.try_iter().count(), 1);
    let journal = fs::read_to_string(service.folder.join("run.journal")).unwrap();
    assert!(
        journal.lines().last().unwrap().starts_with("{\"within\""),
        "{journal}"
    );

    let held = service.run(&run);
    assert_eq!((held.code, asks.try_iter().count()), (2, 0), "{held:?}");
    assert!(held.err.contains("only part of its page"), "{held:?}");
    let dry = service.run(&[&run[..], &["--dry-run"]].concat());
    assert!(dry.out.contains("no calls are left"), "{dry:?}");
    let again = service.run(&[&run[..], &["--again"]].concat());
    assert_eq!(asks.try_iter().count(), 1, "{again:?}");
    // The cost of the page and the cost of its repetition each count once.
    assert!(
        again.err.contains("2 calls: 8 credits spent, 32 left"),
        "{again:?}"
    );
}

//! A statement of the sandbox beside the journals of runs.

use company_intel_sandbox::Fault;

use crate::service::{COMPANY, Ran, Service};

const RUN: [&str; 6] = [
    "headcount-trends",
    COMPANY,
    "--budget",
    "30",
    "--resume",
    "run.journal",
];

impl Service {
    fn reconcile(&self, more: &[&str]) -> Ran {
        let run = ["reconcile", "statement.csv", "--journal", "run.journal"];
        self.run(&[&run[..], more].concat())
    }
}

#[test]
fn the_books_agree_with_the_statement() {
    let service = Service::plain("reconcile-clean");
    let pages = ["job-posts", COMPANY, "--all", "--budget", "30"];
    let ran = service.run(&[&pages[..], &["--resume", "run.journal"]].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
    service.write("statement.csv", &service.sandbox.bill().statement());
    let clean = service.reconcile(&[]);
    assert_eq!(clean.code, 0, "{clean:?}");
    assert_eq!(
        clean.out,
        "statement.csv: 3 charges, 12 credits\n\
         run.journal: 3 attempts, 12 credits charged, 0 at risk\n\
         \u{20} charged as booked: 3\n"
    );
}

#[test]
fn a_call_at_risk_is_settled_by_the_statement() {
    let service = Service::start("reconcile-risk", |builder| {
        builder.fault("headcount_trends", Fault::status(500).billed())
    });
    let lost = service.run(&RUN);
    assert_eq!(lost.code, 1, "{lost:?}");
    assert!(lost.err.contains("2.5 at risk"), "{lost:?}");
    service.write("statement.csv", &service.sandbox.bill().statement());
    let compared = service.reconcile(&[]);
    assert_eq!(compared.code, 1, "{compared:?}");
    let line = "  at risk, and on the statement: 1\n    record 1: 2.5 credits of headcountTrends, request sandbox-1 | headcountTrends, attempt 1: 2.5 credits at risk, request sandbox-1\n";
    assert!(compared.out.contains(line), "{compared:?}");
    let settled = service.reconcile(&["--settle"]);
    assert_eq!(settled.code, 0, "{settled:?}");
    assert!(settled.out.contains("settled: 1 call\n"), "{settled:?}");
    let clean = service.reconcile(&[]);
    assert!(clean.out.contains("charged as booked: 1\n"), "{clean:?}");
    // It was billed, and brought nothing: a second call is a second charge.
    let held = service.run(&RUN);
    assert_eq!((held.code, service.calls()), (2, 1), "{held:?}");
    let again = service.run(&[&RUN[..], &["--again"]].concat());
    assert!(again.err.contains("5 credits spent, 25 left"), "{again:?}");
}

#[test]
fn what_a_complete_statement_lacks_was_free_and_is_called_again() {
    let service = Service::start("reconcile-free", |builder| {
        builder.fault("headcount_trends", Fault::status(500).billed())
    });
    assert_eq!(service.run(&RUN).code, 1);
    service.write("statement.csv", "request_id,operation,credits\n");
    let compared = service.reconcile(&["--settle"]);
    assert_eq!(compared.code, 1, "{compared:?}");
    assert!(
        compared
            .out
            .contains("booked, and not on the statement: 1\n"),
        "{compared:?}"
    );
    let complete = service.reconcile(&["--settle", "--complete"]);
    assert_eq!(complete.code, 0, "{complete:?}");
    let goes_on = service.run(&RUN);
    assert_eq!(goes_on.code, 0, "{goes_on:?}");
    assert!(
        goes_on.err.contains("2.5 credits spent, 27.5 left"),
        "{goes_on:?}"
    );
}

#[test]
fn nothing_is_matched_by_its_amount() {
    let service = Service::plain("reconcile-unknown");
    assert_eq!(service.run(&RUN).code, 0);
    for (statement, options, expected) in [
        (
            r#"[{"cost": 2.5, "id": "other"}]"#,
            &["--credits", "cost", "--request-id", "id"][..],
            "charged, and in no book: 1\n  record 1: 2.5 credits, request other\n",
        ),
        (
            "{\"credits\": 2.5}\n{\"credits\": \"1\"}\n",
            &[],
            "charged, without an id to compare: 2\n  record 1: 2.5 credits\n",
        ),
        (
            "credits,request_id\n2,sandbox-1\n",
            &[],
            "  charged otherwise than booked: 1\n    record 1: 2 credits, request sandbox-1 | headcountTrends, attempt 1: 2.5 credits charged, request sandbox-1\n",
        ),
    ] {
        service.write("statement.csv", statement);
        let ran = service.reconcile(options);
        assert_eq!(ran.code, 1, "{ran:?}");
        assert!(ran.out.contains(expected), "{expected}{ran:?}");
        assert!(
            ran.err.contains("the statement and the books differ"),
            "{ran:?}"
        );
    }
}

#[test]
fn a_file_that_is_no_statement_says_where() {
    let service = Service::plain("reconcile-bad");
    assert_eq!(service.run(&RUN).code, 0);
    for (statement, options, problem) in [
        (
            "amount,request_id\n2,a\n",
            &[][..],
            "statement.csv: no record has `credits`: name another column with `--credits`. There are: amount, request_id",
        ),
        (
            "credits,request_id\n2,a\n-2,b\n",
            &[],
            "statement.csv, record 2: ",
        ),
        (
            "credits\n2\n",
            &["--request-id", "id"],
            "no record has `id`",
        ),
        (
            "[{\"credits\": 2}, 3]",
            &[],
            "statement.csv, record 2: `3` is not an object",
        ),
        ("{\"credits\": 2", &[], "statement.csv, record 1: EOF"),
    ] {
        service.write("statement.csv", statement);
        let ran = service.reconcile(options);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains(problem), "{problem}\n{ran:?}");
    }
    service.write("statement.csv", "credits\n");
    service.write("other.txt", "no journal\n");
    for (journal, problem) in [
        ("none.journal", "none.journal: "),
        ("other.txt", "other.txt, line 1: it does not name its run"),
    ] {
        let ran = service.run(&["reconcile", "statement.csv", "--journal", journal]);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains(problem), "{problem}\n{ran:?}");
        assert!(!service.folder.join("none.journal").exists());
    }
}

#[test]
fn the_page_of_budgets_shows_what_the_program_says() {
    let service = Service::start("reconcile-page", |builder| {
        builder.fault("headcount_trends", Fault::status(500).billed())
    });
    service.write("list.txt", "example.com\nquarry-software.example\n");
    let list = [
        "headcount-trends",
        "--from",
        "list.txt",
        "--concurrency",
        "1",
    ];
    let run = ["--budget", "30", "--resume", "run.journal"];
    assert_eq!(service.run(&[&list[..], &run].concat()).code, 1);
    // A run that was killed in its next call.
    let path = service.folder.join("run.journal");
    let killed = "{\"began\":{\"input\":\"example.org\",\"at_most\":2.5}}\n";
    let journal = std::fs::read_to_string(&path).unwrap() + killed;
    std::fs::write(&path, journal).unwrap();
    service.write("statement.csv", "id,cost\nsandbox-1,2.5\nsandbox-2,2.5\n");

    let page = include_str!("../../../../docs/budgets.md");
    let (_, shown) = page.split_once("$ company-intel reconcile ").unwrap();
    let (shown, _) = shown.split_once("```").unwrap();
    let (arguments, expected) = shown.split_once('\n').unwrap();
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let ran = service.run(&[&["reconcile"], &arguments[..]].concat());
    assert_eq!(format!("{}{}", ran.out, ran.err), expected);
}

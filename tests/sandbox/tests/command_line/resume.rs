//! Lists, and runs that resume earlier ones: nothing is paid for twice.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command};
use std::time::Duration;

use super::service::{COMPANY, Ran, Service, interrupt};

/// The first run ends within its budget; the last one has other spellings in another order.
#[test]
fn each_line_has_its_row_and_each_company_is_paid_for_once_whatever_its_spelling() {
    for output in ["ndjson", "csv"] {
        let service = Service::plain(&format!("spellings-{output}"));
        let list = "www.example.com\nexample.com\nquarry-software.example\nhttps://EXAMPLE.com/\n";
        service.write("list.txt", list);
        let run = |budget| {
            let run = [
                "headcount-trends",
                "--from",
                "list.txt",
                "--concurrency",
                "1",
            ];
            let more = [
                "--output",
                output,
                "--save",
                "out",
                "--resume",
                "run.journal",
            ];
            service.run(&[&run[..], &more, &["--budget", budget]].concat())
        };
        let rows = || {
            let rows = std::fs::read_to_string(service.folder.join("out")).unwrap();
            let named = list.lines().filter(|line| {
                let csv = format!("{line},");
                let json = format!("{{\"company\":\"{line}\"");
                rows.lines()
                    .any(|row| row.starts_with(&csv) || row.starts_with(&json))
            });
            (named.count(), rows.lines().count())
        };
        let head = usize::from(output == "csv");
        let first = run("2.5");
        assert_eq!((first.code, service.calls()), (3, 1), "{first:?}");
        assert_eq!(rows(), (3, 3 + head));
        let second = run("30");
        assert_eq!((second.code, service.calls()), (0, 2), "{second:?}");
        assert_eq!(rows(), (4, 4 + head));
        let other = "http://quarry-software.example/\nexample.com\nWWW.example.com\n";
        service.write("list.txt", other);
        let third = run("30");
        assert_eq!((third.code, service.calls()), (0, 2), "{third:?}");
        assert!(third.err.contains("2 of 2 are done"), "{third:?}");
    }
}

/// Interrupts a run after some lines, and returns its output.
#[cfg(unix)]
fn interrupted(mut command: Command, after: usize) -> Ran {
    let mut child = command.spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    for _ in 0..after {
        out.read_line(&mut text).unwrap();
    }
    interrupt(&child);
    out.read_to_string(&mut text).unwrap();
    let mut ran = Ran::of(child.wait_with_output().unwrap());
    ran.out = text;
    ran
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_keeps_what_it_paid_for_and_goes_on_behind_it() {
    let pause = Duration::from_millis(150);
    let service = Service::start("interrupted", |builder| builder.latency(pause..=pause));
    let run = [
        "job-posts",
        COMPANY,
        "--all",
        "--limit",
        "2",
        "--assume-price",
        "4",
    ];
    let run = [&run[..], &["--budget", "60", "--resume", "run.journal"]].concat();
    let first = interrupted(service.command(&run), 3);
    assert_eq!(first.code, 130, "{first:?}");
    let some = first.records().len();
    assert!((4..23).contains(&some), "{first:?}");
    let second = service.run(&run);
    assert_eq!(second.code, 0, "{second:?}");
    let all = [first.records(), second.records()].concat();
    let ids: BTreeSet<&str> = all
        .iter()
        .map(|job| job["job_id"].as_str().unwrap())
        .collect();
    assert_eq!((all.len(), ids.len()), (23, 23));
    // 23 records in pages of 2, each page requested once.
    assert_eq!(service.calls(), 12);
    let billed = service.sandbox.bill().total();
    assert!(
        second
            .err
            .contains(&format!("12 calls: {billed} credits spent")),
        "{second:?}"
    );
}

#[test]
#[cfg(unix)]
fn a_list_that_is_interrupted_pays_for_each_input_once() {
    let pause = Duration::from_millis(100);
    let service = Service::start("list-interrupted", |builder| builder.latency(pause..=pause));
    let companies: Vec<String> = (0..40).map(|n| format!("company-{n}.example")).collect();
    service.write("list.txt", &companies.join("\n"));
    let run = ["company-search", "--from", "list.txt", "--concurrency", "3"];
    let run = [&run[..], &["--budget", "9", "--resume", "run.journal"]].concat();
    let first = interrupted(service.command(&run), 5);
    assert_eq!(first.code, 130, "{first:?}");
    assert!(first.err.contains("are left"), "{first:?}");
    assert!(first.err.contains("The same command goes on"), "{first:?}");
    let second = service.run(&run);
    assert_eq!(second.code, 0, "{second:?}");
    let all = [first.records(), second.records()].concat();
    let inputs: BTreeSet<&str> = all
        .iter()
        .map(|one| one["query"].as_str().unwrap())
        .collect();
    assert_eq!((all.len(), inputs.len(), service.calls()), (40, 40, 40));
}

#[test]
#[cfg(unix)]
fn a_run_that_is_killed_forgets_no_call_in_flight() {
    let pause = Duration::from_secs(2);
    for (name, end) in [
        ("killed", kill as fn(&mut Child)),
        // A second signal does not wait for it.
        ("stopped-twice", |child| {
            interrupt(child);
            std::thread::sleep(Duration::from_millis(300));
            interrupt(child);
        }),
    ] {
        let service = Service::start(name, |builder| builder.latency(pause..=pause));
        let run = [
            "headcount-trends",
            COMPANY,
            "--budget",
            "10",
            "--resume",
            "run.journal",
        ];
        let mut child = service.command(&run).spawn().unwrap();
        let journal = service.folder.join("run.journal");
        while !std::fs::read_to_string(&journal).is_ok_and(|text| text.contains("attempt")) {
            std::thread::sleep(Duration::from_millis(5));
        }
        end(&mut child);
        child.wait().unwrap();
        let again = service.run(&run);
        assert_eq!(again.code, 2, "{name}: {again:?}");
        assert!(again.err.contains("`--again` repeats it"), "{again:?}");
        let again = service.run(&[&run[..], &["--again"]].concat());
        assert_eq!(again.code, 0, "{name}: {again:?}");
        assert!(
            again.err.contains("2.5 credits spent, 2.5 at risk, 5 left"),
            "{name}: {again:?}"
        );
    }
}

#[cfg(unix)]
fn kill(child: &mut Child) {
    child.kill().unwrap();
}

//! Stored responses of several runs: each company is paid for once.

use std::fs;
use std::path::Path;
use std::time::Duration;

use company_intel::Credits;
use company_intel_sandbox::Fault;
use serde_json::Value;

use super::service::{COMPANY, Ran, Service};

/// Two companies in eight spellings.
const LIST: &str = "example.com\nwww.example.com\nhttps://example.com/\nEXAMPLE.com\n\
    quarry-software.example\nhttp://quarry-software.example\nwww.quarry-software.example/\nhttps://www.quarry-software.example\n";
const RUN: [&str; 5] = [
    "headcount-trends",
    "--from",
    "list.txt",
    "--cache",
    "responses.sqlite",
];

/// Pages are stored one by one, and the status of a submission never.
#[test]
fn pages_are_stored_and_polls_are_not() {
    let service = Service::plain("cached-pages");
    let pages = [
        "job-posts",
        COMPANY,
        "--all",
        "--max-age",
        "1d",
        "--cache",
        "responses.sqlite",
    ];
    let first = service.run(&pages);
    let calls = service.calls();
    let again = service.run(&pages);
    assert_eq!(first.out, again.out);
    assert_eq!((again.records().len(), service.calls()), (23, calls));
    let add = [
        "add-company",
        "--company-name",
        "A",
        "--website",
        "a.example",
        "--wait",
    ];
    let added = service.run(&[&add[..], &["--cache", "responses.sqlite"]].concat());
    assert_eq!(added.code, 0, "{added:?}");
}

#[test]
fn processes_at_the_same_time_pay_once() {
    let pause = Duration::from_millis(400);
    let service = Service::start("cached-together", |builder| builder.latency(pause..=pause));
    service.write("list.txt", LIST);
    let running: Vec<_> = (0..8)
        .map(|_| service.command(&RUN).spawn().unwrap())
        .collect();
    for process in running {
        let ran = Ran::of(process.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.records().len()), (0, 8), "{ran:?}");
    }
    assert_eq!(service.calls(), 2);
}

/// Starts a service that also knows the companies `company-0.example` to `company-399.example`.
fn of_many(name: &str) -> Service {
    let given = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-data"));
    fs::create_dir_all(&folder).unwrap();
    for file in fs::read_dir(given).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.join(file.file_name())).unwrap();
    }
    let path = folder.join("companies.json");
    let text = fs::read_to_string(&path).unwrap();
    let mut companies: Vec<Value> = serde_json::from_str(&text).unwrap();
    let first = companies[0].clone();
    for number in 0..400 {
        let mut company = first.clone();
        company["domain"] = format!("company-{number}.example").into();
        company["uuid"] = format!("10000000-0000-4000-8000-{number:012}").into();
        company["also_known_as"] = format!("1{number:07}").into();
        company["seed"] = (20_000 + number).into();
        companies.push(company);
    }
    fs::write(&path, serde_json::to_string(&companies).unwrap()).unwrap();
    let pause = Duration::from_millis(1)..=Duration::from_millis(8);
    Service::start(name, |builder| builder.data(folder).latency(pause))
}

/// A fifth of its lines repeat companies in other spellings.
fn long_list() -> String {
    let mut lines = Vec::new();
    for number in 0..400 {
        let domain = format!("company-{number}.example");
        if number % 4 == 0 {
            lines.push(format!("https://www.{domain}/"));
        }
        lines.push(domain);
    }
    lines.join("\n")
}

/// The output of a process is read once those before it have ended: until then, it waits to write more.
#[test]
#[ignore = "makes 800 calls; run by .ci/run"]
fn a_long_list_costs_its_distinct_companies_in_one_process_or_in_several_at_once() {
    let run = [&RUN[..], &["--budget", "1000"]].concat();
    for processes in [1, 4] {
        let service = of_many(&format!("long-list-{processes}"));
        service.write("list.txt", &long_list());
        for _ in 0..2 {
            let running: Vec<_> = (0..processes)
                .map(|_| service.command(&run).spawn().unwrap())
                .collect();
            for process in running {
                let ran = Ran::of(process.wait_with_output().unwrap());
                assert_eq!((ran.code, ran.records().len()), (0, 500), "{ran:?}");
            }
            assert_eq!(service.calls(), 400);
            assert_eq!(service.sandbox.bill().total(), Credits::new(1000));
        }
    }
}

/// It waits for the end of a lease.
#[test]
#[ignore = "takes eleven seconds; run by .ci/run"]
fn a_killed_process_holds_up_the_others_for_the_time_of_its_lease() {
    let service = Service::start("cached-killed", |builder| {
        builder.fault("headcount_trends", Fault::slow(Duration::from_secs(60)))
    });
    let run = ["headcount-trends", COMPANY, "--cache", "responses.sqlite"];
    let mut first = service.command(&run).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let others: Vec<_> = (0..4)
        .map(|_| service.command(&run).spawn().unwrap())
        .collect();
    first.kill().unwrap();
    first.wait().unwrap();
    for process in others {
        let ran = Ran::of(process.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.records().len()), (0, 1), "{ran:?}");
    }
    // That of the killed process, which may have been billed, and one for all others.
    assert_eq!(service.calls(), 2);
}

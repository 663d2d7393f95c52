//! Ctrl-C, and readers of standard output and standard error that are gone or do not read.

use std::fs::File;
use std::process::Child;
use std::sync::mpsc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::service::{COMPANY, Ran, Service, interrupt, replying};

/// Returns the arguments for a list of `length` inputs.
fn list(service: &Service, length: usize) -> [&'static str; 5] {
    let inputs: Vec<String> = (0..length)
        .map(|n| format!("company-{n}.example"))
        .collect();
    service.write("list.txt", &inputs.join("\n"));
    ["company-search", "--from", "list.txt", "--concurrency", "3"]
}

/// Waits for a program that has to end soon, and returns its result.
fn ended(mut child: Child) -> Ran {
    let deadline = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > deadline {
            child.kill().unwrap();
            panic!("it goes on");
        }
        sleep(Duration::from_millis(10));
    }
    Ran::of(child.wait_with_output().unwrap())
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_said_ends_no_run() {
    let full = || File::options().write(true).open("/dev/full").unwrap();
    let service = Service::plain("unheard");
    let cases: &[(i32, &[&str])] = &[
        (2, &["job-posts", COMPANY, "--limit", "many"]),
        (1, &["headcount-trends", "nobody.example"]),
        (0, &["headcount-trends", COMPANY]),
    ];
    for (code, arguments) in cases {
        let mut command = service.command(arguments);
        let ran = Ran::of(command.stderr(full()).output().unwrap());
        assert_eq!(ran.code, *code, "{arguments:?}: {ran:?}");
    }

    let pause = Duration::from_millis(100);
    let service = Service::start("unheard-signal", |builder| builder.latency(pause..=pause));
    let run = list(&service, 100);
    let child = service.command(&run).stderr(full()).spawn().unwrap();
    while service.calls() < 3 {
        sleep(Duration::from_millis(5));
    }
    interrupt(&child);
    let ran = ended(child);
    assert_eq!(ran.code, 130, "{ran:?}");
    // Responses to calls in flight arrived and were written.
    assert_eq!(ran.records().len(), service.calls());
    assert!(service.calls() < 50, "{}", service.calls());
}

#[test]
fn a_second_signal_ends_a_run_whose_reader_stalls() {
    let service = Service::plain("stalled");
    let run = list(&service, 4000);
    let child = service.command(&run).spawn().unwrap();
    // Until the pipe is full.
    let mut calls = 0;
    while calls == 0 || calls < service.calls() {
        calls = service.calls();
        sleep(Duration::from_millis(300));
    }
    assert!(calls < 4000, "{calls}");
    interrupt(&child);
    sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(ended(child).code, 130);
}

#[test]
fn a_poll_in_flight_ends_before_the_run_does() {
    for (reply, code) in [
        (r#"{"detail": {"company_uuid": "an-id"}}"#, 0),
        (r#"{"detail": {"status": "pending"}}"#, 130),
    ] {
        let service = Service::plain("poll");
        let (asked, asks) = mpsc::channel();
        let address = replying(vec![reply], move || {
            asked.send(()).unwrap();
            sleep(Duration::from_millis(500));
        });
        let run = ["request-status", "an-id", "--wait", "--base-url", &address];
        let journal = ["--budget", "5", "--resume", "run.journal"];
        // The price of an undocumented parameter is unknown.
        let price = ["--extra", "a=b", "--assume-price", "2"];
        let child = service
            .command(&[&run[..], &journal, &price].concat())
            .spawn()
            .unwrap();
        asks.recv().unwrap();
        interrupt(&child);
        let ran = ended(child);
        assert_eq!(ran.code, code, "{ran:?}");
        assert_eq!(ran.out.is_empty(), code != 0, "{ran:?}");
        assert!(ran.err.contains("1 call: "), "{ran:?}");
    }
}

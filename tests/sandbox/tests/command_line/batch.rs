//! The example `enrich`, a batch of a few lines: killed at any instant, it pays for nothing twice and loses nothing that it paid for.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

use company_intel_sandbox::Fault;

use super::service::{Ran, Service};

const INPUTS: usize = 30;

/// A service, and a list of inputs that all mean the same company.
struct Batch {
    service: Service,
}

impl Batch {
    fn new(name: &str, faults: &[Fault]) -> Self {
        let pause = Duration::from_millis(8);
        let service = Service::start(name, |builder| {
            let faults = faults.iter().cloned();
            faults.fold(builder.latency(pause..=pause), |builder, fault| {
                builder.fault("enrichment", fault)
            })
        });
        let list: Vec<String> = (0..INPUTS)
            .map(|n| format!("https://example.com/{n}"))
            .collect();
        service.write("domains.txt", &list.join("\n"));
        Self { service }
    }

    fn command(&self, more: &[&str]) -> Command {
        let arguments = [&["domains.txt"], more].concat();
        self.service.example("enrich", &arguments)
    }

    fn run(&self, more: &[&str]) -> Ran {
        Ran::of(self.command(more).output().unwrap())
    }

    fn start(&self) -> Child {
        self.command(&[]).spawn().unwrap()
    }

    fn rows(&self) -> BTreeSet<String> {
        let rows = fs::read_to_string(self.service.folder.join("domains.txt.csv"));
        let rows = rows.unwrap_or_default();
        // What a kill cut off has no end.
        let whole = rows.split_inclusive('\n').filter(|row| row.ends_with('\n'));
        let inputs = whole.map(|row| row.split(',').next().unwrap().to_owned());
        inputs.collect()
    }
}

/// The amount in front of some words.
fn amount(text: &str, words: &str) -> f64 {
    let (before, _) = text.split_once(words).unwrap();
    before.rsplit([' ', '\n']).next().unwrap().parse().unwrap()
}

#[test]
fn a_batch_that_is_killed_at_any_instant_pays_for_nothing_twice() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let batch = Batch::new("batch-killed", &[]);
    let mut kills = 0;
    while batch.rows().len() < INPUTS / 2 {
        let mut child = batch.start();
        sleep(Duration::from_millis(random.u64(10..120)));
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        assert!(kills < 300);
    }
    let last = batch.run(&[]);
    assert_eq!(last.code, 0, "{last:?}");
    // Each input was kept, or its call is at risk.
    let rows = batch.rows();
    let lost = last.out.matches("may have been billed").count();
    assert_eq!(rows.len() + lost, INPUTS, "{last:?}");
    let bill = batch.service.sandbox.bill();
    let billed: f64 = bill.total().to_string().parse().unwrap();
    let (spent, at_risk) = (
        amount(&last.out, " credits spent"),
        amount(&last.out, " at risk"),
    );
    assert!(
        spent <= billed && billed <= spent + at_risk,
        "{billed} {last:?}"
    );

    // And each was paid for once: those that were kept, and those that were killed between the charge and its response.
    let micros = f64::from(u32::try_from(bill.calls[0].micros).unwrap());
    let paid = (spent * 1e6 / micros).round() as usize;
    assert!((rows.len()..=rows.len() + lost).contains(&paid), "{last:?}");
    assert_eq!((spent * 1e6).round(), micros * paid as f64, "{last:?}");

    let calls = batch.service.calls();
    let again = batch.run(&["--again"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert_eq!(batch.rows().len(), INPUTS, "{again:?}");
    assert_eq!(batch.service.calls(), calls + lost);
    let calls = batch.service.calls();
    let nothing = batch.run(&["--again"]);
    assert_eq!((nothing.code, batch.service.calls()), (0, calls));
}

#[test]
fn a_response_that_was_paid_for_and_not_kept_is_kept_by_the_next_run_without_a_call() {
    let batch = Batch::new("batch-brought", &[]);
    let whole = batch.run(&[]);
    assert_eq!((whole.code, batch.rows().len()), (0, INPUTS), "{whole:?}");
    // Killed before it kept the last response.
    let folder = &batch.service.folder;
    let journal = fs::read_to_string(folder.join("domains.txt.journal")).unwrap();
    let (before, done) = journal.trim_end().rsplit_once('\n').unwrap();
    assert!(done.starts_with("{\"done\""), "{done}");
    fs::write(folder.join("domains.txt.journal"), format!("{before}\n")).unwrap();
    let rows = fs::read_to_string(folder.join("domains.txt.csv")).unwrap();
    let (before, row) = rows.trim_end().rsplit_once('\n').unwrap();
    fs::write(folder.join("domains.txt.csv"), format!("{before}\n")).unwrap();

    let calls = batch.service.calls();
    let next = batch.run(&[]);
    assert_eq!((next.code, batch.service.calls()), (0, calls), "{next:?}");
    assert_eq!(next.out.matches(": done\n").count(), 1, "{next:?}");
    let kept = fs::read_to_string(folder.join("domains.txt.csv")).unwrap();
    assert_eq!(kept, format!("{before}\n{row}\n"));
}

#[test]
fn what_does_not_decode_is_in_the_journal_and_called_again_only_on_demand() {
    let batch = Batch::new("batch-html", &[Fault::html()]);
    let first = batch.run(&[]);
    assert_eq!(
        (first.code, batch.rows().len()),
        (0, INPUTS - 1),
        "{first:?}"
    );
    let journal = batch.service.folder.join("domains.txt.journal");
    let journal = fs::read_to_string(journal).unwrap();
    assert!(journal.contains("<!doctype html>"), "{journal}");
    let calls = batch.service.calls();
    let second = batch.run(&[]);
    assert_eq!(batch.service.calls(), calls, "{second:?}");
    assert!(second.out.contains("https://example.com/0: "), "{second:?}");
    let again = batch.run(&["--again"]);
    assert_eq!((again.code, batch.rows().len()), (0, INPUTS), "{again:?}");
}

#[test]
fn a_journal_of_two_processes_or_of_another_run_is_refused() {
    let batch = Batch::new("batch-locked", &[]);
    let mut first = batch.start();
    let journal = batch.service.folder.join("domains.txt.journal");
    while !fs::read_to_string(&journal).is_ok_and(|text| text.contains("attempt")) {
        sleep(Duration::from_millis(2));
    }
    let second = batch.run(&[]);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.code, 1, "{second:?}");
    assert!(
        second.err.contains("another run is writing it"),
        "{second:?}"
    );

    let text = fs::read_to_string(&journal).unwrap();
    let other = text.replacen("\"enrich\"", "\"other\"", 1);
    fs::write(&journal, &other).unwrap();
    let refused = batch.run(&[]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(
        refused.err.contains("its name: other, and not enrich"),
        "{refused:?}"
    );
    assert_eq!(fs::read_to_string(&journal).unwrap(), other, "it stays");
}

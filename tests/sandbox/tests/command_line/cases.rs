//! The files of `tests/sandbox/cases`, whose page describes their form: runs of the program, one after the other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use company_intel_sandbox::{Builder, Fault};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::account::{NO_REDIS, Redis, redis};
use super::service::{Ran, Service, replying};

/// Words by which a value of Rust would be shown to a person.
const RUST: [&str; 4] = ["message: ", "record: ", "charge: ", "Some("];

/// Scenarios that run at the same time.
const AT_ONCE: usize = 8;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    #[serde(default)]
    service: Behavior,
    /// Files that are there before the runs, by name.
    #[serde(default)]
    files: BTreeMap<String, String>,
    runs: Vec<Run>,
    /// For [`Rows`].
    #[serde(default, rename = "rows")]
    _rows: Vec<Vec<String>>,
}

/// Values for `$1`, `$2` and so on: a case is played once for each row.
#[derive(Deserialize)]
struct Rows {
    #[serde(default)]
    rows: Vec<Vec<String>>,
}

/// How the service behaves.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Behavior {
    balance: Option<String>,
    #[serde(default)]
    latency_ms: u64,
    /// Operation and fault, as on the command line of the sandbox.
    #[serde(default)]
    faults: Vec<String>,
    /// Bodies of the responses of another service, one for each of its calls.
    #[serde(default)]
    replies: Vec<String>,
    /// True with a store for accounts.
    #[serde(default)]
    redis: bool,
}

impl Behavior {
    fn configure(&self, mut builder: Builder) -> Builder {
        let pause = Duration::from_millis(self.latency_ms);
        builder = builder.latency(pause..=pause);
        if let Some(balance) = &self.balance {
            builder = builder.balance(balance.parse().unwrap());
        }
        for fault in &self.faults {
            let (operation, fault) = fault.split_once('=').unwrap();
            builder = builder.fault(operation, fault.parse::<Fault>().unwrap());
        }
        builder
    }
}

/// A run, and what it does.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    run: Arguments,
    /// Files that are written before the run.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Variables of the environment; null takes one away.
    #[serde(default)]
    env: BTreeMap<String, Option<String>>,
    sees: Sees,
}

/// Arguments in one line, or one by one if some contain blanks.
#[derive(Deserialize)]
#[serde(untagged)]
enum Arguments {
    Line(String),
    List(Vec<String>),
}

/// What a run leaves behind. Members that are absent are not compared.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
struct Sees {
    /// Exit code.
    code: i32,
    /// Number of records, in lines of JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<usize>,
    /// Number of elements of the JSON array that is standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<usize>,
    /// Number of billed calls, and of refused ones, of all runs so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<u64>,
    /// Credits that were billed so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    billed: Option<String>,
    /// Standard output and standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    err: Option<String>,
    /// How often standard error has some words.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    times: BTreeMap<String, usize>,
    /// Words of standard output, each after a line feed if it begins with one, and words that it lacks.
    #[serde(skip_serializing)]
    prints: Vec<String>,
    #[serde(skip_serializing)]
    prints_no: Vec<String>,
    /// Words of standard error, and words that it lacks.
    #[serde(skip_serializing)]
    says: Vec<String>,
    #[serde(skip_serializing)]
    says_no: Vec<String>,
    /// Files that stay as they were, or absent.
    #[serde(skip_serializing)]
    keeps: Vec<String>,
}

/// Where a case is played: its service, and the words that stand for addresses.
struct Stage {
    service: Service,
    addresses: Vec<(&'static str, String)>,
    _store: Option<Redis>,
}

impl Stage {
    /// Prepares a case; `None` if the store is not installed.
    fn of(name: &str, case: &Case) -> Option<Self> {
        let service = Service::start(name, |builder| case.service.configure(builder));
        for (name, text) in &case.files {
            service.write(name, text);
        }
        let mut addresses = vec![("BASE_URL", service.sandbox.base_url())];
        if !case.service.replies.is_empty() {
            let replies = case.service.replies.iter();
            let replies = replies.map(|reply| &*reply.clone().leak());
            addresses.push(("REPLIES", replying(replies.collect(), || {})));
        }
        let mut store = None;
        if case.service.redis {
            let (server, url) = redis(&service)?;
            addresses.push(("STORE", url));
            store = Some(server);
        }
        Some(Self {
            service,
            addresses,
            _store: store,
        })
    }

    fn meant(&self, word: &str) -> String {
        let mut meant = word.to_owned();
        for (name, address) in &self.addresses {
            meant = meant.replace(name, address);
        }
        meant
    }

    fn command(&self, run: &Run) -> Command {
        let arguments: Vec<String> = match &run.run {
            Arguments::Line(line) => line.split_whitespace().map(|one| self.meant(one)).collect(),
            Arguments::List(list) => list.iter().map(|one| self.meant(one)).collect(),
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut command = self.service.command(&arguments);
        for (name, value) in &run.env {
            match value {
                Some(value) => command.env(name, self.meant(value)),
                None => command.env_remove(name),
            };
        }
        command
    }
}

impl Run {
    /// Runs the program. Returns what differs.
    fn problems(&self, stage: &Stage) -> Vec<String> {
        let service = &stage.service;
        for (name, text) in &self.files {
            service.write(name, text);
        }
        let content = |name: &String| fs::read(service.folder.join(name)).ok();
        let before: Vec<_> = self.sees.keeps.iter().map(content).collect();
        let ran = Ran::of(stage.command(self).output().unwrap());
        let mut problems = Vec::new();
        for (name, before) in self.sees.keeps.iter().zip(before) {
            if content(name) != before {
                problems.push(format!("`{name}` is another file"));
            }
        }
        let seen = self.sees.seen(&ran, service);
        if seen != self.sees {
            problems.push(serde_yaml::to_string(&seen).unwrap());
        }
        let Sees {
            prints,
            prints_no,
            says,
            says_no,
            ..
        } = &self.sees;
        let (out, err) = (format!("\n{}", ran.out), format!("\n{}", ran.err));
        for (text, has, lacks) in [(&out, prints, prints_no), (&err, says, says_no)] {
            let missing = has.iter().filter(|words| !text.contains(*words));
            problems.extend(missing.map(|words| format!("it lacks {words:?}")));
            let present = lacks.iter().filter(|words| text.contains(*words));
            problems.extend(present.map(|words| format!("it has {words:?}")));
        }
        let shown = RUST.iter().filter(|words| err.contains(**words));
        problems.extend(shown.map(|words| format!("it has {words:?}")));
        if !problems.is_empty() {
            problems.push(format!("{out}{err}"));
        }
        problems
    }
}

impl Sees {
    /// Returns what a run leaves behind, as far as these members are compared.
    fn seen(&self, ran: &Ran, service: &Service) -> Self {
        let bill = service.sandbox.bill();
        let times = self.times.keys();
        Self {
            code: ran.code,
            records: self.records.map(|_| ran.records().len()),
            array: self.array.map(|_| {
                let array: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
                array.len()
            }),
            calls: self.calls.map(|_| bill.calls.len()),
            refused: self.refused.map(|_| bill.refused),
            billed: self.billed.as_ref().map(|_| bill.total().to_string()),
            out: self.out.as_ref().map(|_| ran.out.clone()),
            err: self.err.as_ref().map(|_| ran.err.clone()),
            times: times
                .map(|words| (words.clone(), ran.err.matches(words).count()))
                .collect(),
            ..self.clone()
        }
    }
}

/// Plays a case. Returns what differs in its first run that does.
fn played(name: &str, case: &Case) -> Option<String> {
    let Some(stage) = Stage::of(name, case) else {
        eprintln!("{name} is skipped: {NO_REDIS}");
        return None;
    };
    for (number, run) in (1..).zip(&case.runs) {
        let problems = run.problems(&stage);
        if !problems.is_empty() {
            let problems = problems.join("\n");
            return Some(format!("{name}: {} Run {number}:\n{problems}", case.about));
        }
    }
    None
}

/// Reads a file as its cases: one, or one for each row.
fn cases(name: &str, text: &str) -> Vec<(String, Case)> {
    let rows: Rows = read(name, text);
    if rows.rows.is_empty() {
        return vec![(name.to_owned(), read(name, text))];
    }
    let cases = (1..).zip(&rows.rows).map(|(number, row)| {
        let cells = (1..).zip(row);
        let text = cells.fold(text.to_owned(), |text, (index, cell)| {
            text.replace(&format!("${index}"), cell)
        });
        (format!("{name}-{number}"), read(name, &text))
    });
    cases.collect()
}

fn read<T: DeserializeOwned>(name: &str, text: &str) -> T {
    serde_yaml::from_str(text).unwrap_or_else(|error| panic!("{name}.yaml: {error}"))
}

#[test]
fn every_case_is_played_as_its_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name != "README.md" {
            let name = name
                .strip_suffix(".yaml")
                .unwrap_or_else(|| panic!("{name} is no case"));
            all.extend(cases(name, &fs::read_to_string(&path).unwrap()));
        }
    }
    for (name, case) in &all {
        assert!(case.about.ends_with('.'), "{name}: `about` is no sentence");
    }
    let mut wrong = Vec::new();
    for some in all.chunks(AT_ONCE) {
        std::thread::scope(|scope| {
            let running: Vec<_> = some
                .iter()
                .map(|(name, case)| scope.spawn(move || played(name, case)))
                .collect();
            wrong.extend(running.into_iter().filter_map(|one| one.join().unwrap()));
        });
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

//! The command line of a client, in this process: what its journal says between two calls.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use serde_json::Value;

/// A folder with a key and, later, the journal of a run.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("key"), "key").unwrap();
        Self(folder)
    }

    fn journal(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.0.join("journal")).unwrap();
        let lines = text.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Runs against a service with these replies, and returns the journal as it was before each of them.
    fn run(&self, arguments: &[&str], replies: &'static [&str]) -> (ExitCode, Vec<Vec<Value>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let own = Self(self.0.clone());
        let service = thread::spawn(move || {
            let journals = replies.iter().map(|reply| {
                let (mut connection, _) = listener.accept().unwrap();
                let lines = BufReader::new(connection.try_clone().unwrap()).lines();
                let head = lines
                    .map(Result::unwrap)
                    .take_while(|line| !line.is_empty());
                assert!(head.count() > 0);
                let journal = own.journal();
                let length = reply.len();
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
                );
                connection.write_all((head + reply).as_bytes()).unwrap();
                journal
            });
            journals.collect()
        });
        let file = |name: &str| self.0.join(name).to_str().unwrap().to_owned();
        let (key, journal) = (file("key"), file("journal"));
        let common = ["--budget", "20", "--base-url", &address];
        let files = ["--key-file", &key, "--resume", &journal];
        let run = [&["things-client"], arguments, &common, &files].concat();
        let code = things_client::cli::run(run);
        (code, service.join().unwrap())
    }
}

fn count(journal: &[Value], line: &str) -> usize {
    journal
        .iter()
        .filter(|fact| fact.get(line).is_some())
        .count()
}

fn spent(journal: &[Value]) -> f64 {
    let charges = journal.iter();
    charges
        .filter_map(|fact| fact["charged"]["credits"].as_f64())
        .sum()
}

#[test]
fn each_poll_that_costs_is_named_before_it_is_made() {
    let folder = Folder::new("polls");
    let wait = ["visit", "67e55044-10b1-426f-9247-bb680e5fe0c8", "--wait"];
    let replies = &[
        r#"{"cost": 2, "id": "67e55044-10b1-426f-9247-bb680e5fe0c8", "at": "2024-05-06T07:08:09Z"}"#,
        r#"{"cost": 2, "id": "67e55044-10b1-426f-9247-bb680e5fe0c8", "at": "2024-05-06T07:08:09Z", "day": "2024-05-06"}"#,
    ];
    let (code, journals) = folder.run(&wait, replies);
    assert_eq!(code, ExitCode::SUCCESS);
    for (index, journal) in journals.iter().enumerate() {
        assert_eq!(count(journal, "attempt"), index + 1, "{journal:?}");
        assert_eq!(count(journal, "passed"), index, "{journal:?}");
        assert_eq!(spent(journal), 2.0 * index as f64, "{journal:?}");
    }
    let journal = folder.journal();
    // The last response is noted once, after it is written.
    let counts = (count(&journal, "passed"), count(&journal, "done"));
    assert_eq!((counts, spent(&journal)), ((1, 1), 4.0), "{journal:?}");

    let folder = Folder::new("free-polls");
    let wait = ["progress", "t", "--wait"];
    let (code, journals) = folder.run(&wait, &[r#"{"detail": {"made": "it"}}"#]);
    assert_eq!(code, ExitCode::SUCCESS);
    assert_eq!(count(&journals[0], "attempt"), 0, "{journals:?}");
}

#[test]
fn a_page_that_was_billed_for_nothing_new_is_called_again_only_on_demand() {
    let folder = Folder::new("stalled");
    const PAGE: &str = r#"{"cost": 2, "total": 5, "things": [1, 2]}"#;
    let replies = &[PAGE, PAGE];
    let (code, _) = folder.run(&["things", "--all"], replies);
    assert_eq!(code, ExitCode::from(1));
    assert_eq!(spent(&folder.journal()), 4.0);
    let (held, _) = folder.run(&["things", "--all"], &[]);
    assert_eq!(held, ExitCode::from(2));
}

#[test]
fn pages_that_end_early_are_known_to_be_billed() {
    let folder = Folder::new("short");
    let replies = &[
        r#"{"cost": 2, "total": 5, "things": [1, 2, 3]}"#,
        r#"{"cost": 2, "total": 5, "things": []}"#,
    ];
    let (code, _) = folder.run(&["things", "--all"], replies);
    assert_eq!(code, ExitCode::from(1));
    let journal = folder.journal();
    assert_eq!(
        (count(&journal, "passed"), spent(&journal)),
        (1, 4.0),
        "{journal:?}"
    );
    assert_eq!((count(&journal, "done"), count(&journal, "enough")), (0, 0));
}

#[test]
fn an_address_that_only_the_document_names_is_called_once_it_is_named() {
    let folder = Folder::new("servers");
    let (code, _) = folder.run(&["archived"], &[]);
    assert_eq!(code, ExitCode::from(2));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let here = format!(
        "https://archive.example.com=http://{}",
        listener.local_addr().unwrap()
    );
    let service = thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let mut line = String::new();
        let mut request = BufReader::new(connection.try_clone().unwrap());
        request.read_line(&mut line).unwrap();
        let reply = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
        connection.write_all(reply.as_bytes()).unwrap();
        line
    });
    let folder = Folder::new("named-servers");
    let (code, _) = folder.run(&["archived", "--server", &here], &[]);
    assert_eq!(code, ExitCode::SUCCESS);
    assert_eq!(service.join().unwrap(), "GET /archived HTTP/1.1\r\n");
}

//! Commands with idempotency keys, sent to a service on loopback: a lost call is made again with its key.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use generated_client::Credits;
use generated_client::document::{Api, Operation, Shape};
use generated_client::document::{Price, Tariff};
use generated_client::journal::{Journal, Run};
use generated_client::money::Usage;
use generated_client::paging::{List, Paged};
use generated_client::request::Request;
use generated_client::waiting::{Wait, Waiter};
use generated_client::{Client, Method, Records};
use serde_json::Value;

use crate::run::lock;
use crate::{Argument, Arguments, Call, Command, Does, Kind, Program, Refusal, main};

const HEADER: &str = "idempotency-key";

pub(crate) static API: Api = Api {
    interceptor: Some(|| generated_client::meter(Some("cost"), None)),
    ..Api::new("orders", "1.2.3", "ORDERS")
};

static ORDER: Operation = Operation {
    id: "order",
    method: Method::POST,
    path: "/orders/{id}",
    extension: Some(&Tariff {
        prices: &[Price {
            credits: Credits::from_micros(2_000_000),
            when: &[],
        }],
        priced_by: &[],
        charge: Some("cost"),
    }),
    response: &Shape::Any,
};

pub(crate) static PROGRAM: Program = Program {
    api: &API,
    about: "A client of the Orders API",
    commands: &[COMMANDS, LONG_COMMANDS],
};

pub(crate) static COMMANDS: &[Command] = &[Command {
    handle: "",
    name: "order",
    about: "Orders a thing.",
    note: "Price: 2 credits.",
    method: "POST",
    arguments: &[Argument::new("id", "Which thing", Kind::Text).positional()],
    record: &Shape::Any,
    does: Does::Once,
    call: |client, arguments| Ok(Call::once(client, order(arguments)?)),
}];

/// The commands that make several calls.
static LONG_COMMANDS: &[Command] = &[
    Command {
        name: "list",
        does: Does::Pages,
        call: |client, arguments| {
            let (client, request) = (client.clone(), order(arguments)?);
            Ok(Call::pages(Orders { client, request }))
        },
        ..COMMANDS[0]
    },
    Command {
        name: "poll",
        does: Does::Waits,
        call: |client, arguments| {
            let (client, request) = (client.clone(), order(arguments)?);
            let call = Call::once(&client, request.clone());
            Ok(call.polls(move || Wait::<Value>::new(client.clone(), request.clone(), &WAITER)))
        },
        ..COMMANDS[0]
    },
];

static WAITER: Waiter = Waiter {
    done: &["/cost"],
    failed: &[],
};

fn order(arguments: &Arguments) -> Result<Request, Refusal> {
    let mut request = Request::new(&ORDER);
    let day = Duration::from_secs(86_400);
    request.path("id", &arguments.required::<String>("id")?);
    request.idempotency_key(HEADER, Some(day), None);
    Ok(request)
}

#[derive(Clone)]
struct Orders {
    client: Client,
    request: Request,
}

impl Paged for Orders {
    type Page = Value;
    type Item = Value;

    fn client(&self) -> &Client {
        &self.client
    }

    fn client_mut(&mut self) -> &mut Client {
        &mut self.client
    }

    fn request(&self) -> Request {
        self.request.clone()
    }

    fn lists(_: &Value) -> Vec<List<'_, Value>> {
        Vec::new()
    }

    fn into_records(_: Value) -> Vec<Records<Value>> {
        Vec::new()
    }
}

/// A service that loses its first responses: it works, and closes the connection.
pub(crate) struct Service {
    address: SocketAddr,
    keys: Arc<Mutex<Vec<String>>>,
}

impl Service {
    /// Starts a service that loses this many responses.
    pub(crate) fn start(lost: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let keys = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&keys);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let key = key(&stream);
                let number = {
                    let mut log = lock(&log);
                    log.push(key);
                    log.len()
                };
                if number > lost {
                    respond(stream);
                }
            }
        });
        Self { address, keys }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        lock(&self.keys).clone()
    }
}

/// Reads a request without a body, and returns its key.
fn key(stream: &TcpStream) -> String {
    let lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let lines: Vec<String> = lines
        .map_while(Result::ok)
        .take_while(|line| !line.is_empty())
        .collect();
    let key = lines.iter().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case(HEADER).then(|| value.to_owned())
    });
    key.unwrap_or_default()
}

fn respond(mut stream: TcpStream) {
    let body = r#"{"cost": 2}"#;
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let length = body.len();
    _ = write!(stream, "{head}content-length: {length}\r\n\r\n{body}");
    _ = stream.read(&mut [0]);
}

/// Returns the path of a new journal.
pub(crate) fn journal(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("orders-{name}-{}.journal", std::process::id()));
    _ = fs::remove_file(&path);
    path
}

/// Returns what the attempts of a journal come to.
pub(crate) fn books(journal: &Path) -> Usage {
    let text = fs::read_to_string(journal).unwrap();
    let run: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let run: Run = serde_json::from_value(run["run"].clone()).unwrap();
    Journal::look(journal, run).unwrap().usage()
}

/// Runs a command twice. Returns both exit codes, and what all runs have spent and at risk.
fn twice(command: &[&str], service: &Service, list: Option<&str>) -> ([ExitCode; 2], [Credits; 2]) {
    let journal = journal(&format!("{}-{}", command[0], list.is_some()));
    let file = journal.with_extension("list");
    let options = ["--quiet", "--budget", "10", "--resume"];
    let arguments = [&["orders"], command, &options].concat();
    let mut arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    arguments.extend([
        journal.display().to_string(),
        "--base-url".to_owned(),
        service.base_url(),
    ]);
    match list {
        Some(list) => {
            fs::write(&file, list).unwrap();
            arguments.extend(["--from".to_owned(), file.display().to_string()]);
        }
        None => arguments.push("a".to_owned()),
    }
    let codes = [(); 2].map(|()| main(&PROGRAM, &arguments));
    let usage = books(&journal);
    fs::remove_file(&journal).unwrap();
    _ = fs::remove_file(&file);
    (codes, [usage.spent, usage.at_risk])
}

pub(crate) fn two() -> Credits {
    Credits::from_micros(2_000_000)
}

#[test]
fn a_run_makes_a_lost_call_again_with_its_key() {
    for list in [None, Some("a\n")] {
        let service = Service::start(3);
        let (codes, books) = twice(&["order"], &service, list);
        assert_eq!(codes, [ExitCode::from(1), ExitCode::SUCCESS], "{list:?}");
        assert_eq!(books, [two(), Credits::ZERO], "{list:?}");
        let keys = service.keys();
        assert_eq!(keys, vec![keys[0].clone(); 4], "{list:?}");
        assert!(!keys[0].is_empty());
    }
}

/// Each page and each poll has a key of its own, which no later run can send.
#[test]
fn a_lost_page_or_poll_is_made_again_only_on_demand_although_it_has_a_key() {
    for command in [&["list"][..], &["poll", "--wait"]] {
        for (list, held) in [(None, 2), (Some("a\n"), 1)] {
            let service = Service::start(3);
            let (codes, books) = twice(command, &service, list);
            let expected = [ExitCode::from(1), ExitCode::from(held)];
            assert_eq!(codes, expected, "{command:?} {list:?}");
            assert_eq!(books, [Credits::ZERO, two()], "{command:?} {list:?}");
            let keys = service.keys();
            assert_eq!(keys, vec![keys[0].clone(); 3], "{command:?} {list:?}");
        }
    }
}

//! `--set-limit`, by which an operator sets up an account.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::service::{Ran, Service};

/// A server that ends with the test.
struct Redis(Child);

impl Drop for Redis {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Starts Redis and returns its URL; `None` if it is not installed.
fn redis(service: &Service) -> Option<(Redis, String)> {
    let address = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = address.local_addr().unwrap();
    let port = address.port().to_string();
    let server = Command::new("redis-server")
        .args(["--bind", "127.0.0.1", "--save", "", "--port", &port])
        .current_dir(&service.folder)
        .stdout(Stdio::null())
        .spawn();
    let server = match server {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        server => Redis(server.unwrap()),
    };
    let mut waits = 0..200;
    // A connection to a free port may be one to itself.
    let is_up = |stream: TcpStream| stream.local_addr().unwrap() != address;
    while !TcpStream::connect(address).is_ok_and(is_up) && waits.next().is_some() {
        sleep(Duration::from_millis(50));
    }
    Some((server, format!("redis://{address}/")))
}

#[test]
fn a_limit_is_set_once_and_changed_by_no_second_command() {
    let service = Service::plain("account");
    let set = |limit: &str, store: Option<&str>| {
        let mut command = service.command(&["--set-limit", limit, "--account", "enrichment"]);
        if let Some(store) = store {
            command.env("COMPANY_INTEL_STORE", store);
        }
        Ran::of(command.output().unwrap())
    };
    let nowhere = set("1000", None);
    assert_eq!(nowhere.code, 2, "{nowhere:?}");
    assert!(
        nowhere
            .err
            .contains("give `--store`, or set COMPANY_INTEL_STORE"),
        "{nowhere:?}"
    );
    let away = set("1000", Some("redis://:canary@127.0.0.1:1/"));
    assert_eq!(away.code, 1, "{away:?}");
    assert!(!away.err.contains("canary"), "{away:?}");

    let Some((_server, url)) = redis(&service) else {
        eprintln!("skipped: `redis-server` is not installed (Debian: `apt install redis-server`)");
        return;
    };
    for _ in 0..2 {
        let done = set("1000", Some(&url));
        assert_eq!(
            (done.code, done.out.as_str()),
            (
                0,
                "The account `enrichment` has a limit of 1000 credits: 0 spent, 0 reserved, 0 at risk.\n"
            ),
            "{done:?}"
        );
    }
    let other = set("2000", Some(&url));
    assert_eq!(other.code, 2, "{other:?}");
    assert!(
        other.err.contains("has a limit of 1000 credits, not 2000"),
        "{other:?}"
    );
}

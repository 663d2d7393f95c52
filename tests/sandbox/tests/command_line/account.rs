//! `--set-limit`, by which an operator sets up an account.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
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
    // Another test may take the free port first.
    for _ in 0..10 {
        // The listener must be gone before Redis starts.
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr();
        let address = free.unwrap();
        let port = address.port().to_string();
        let server = Command::new("redis-server")
            .args(["--bind", "127.0.0.1", "--save", "", "--port", &port])
            .current_dir(&service.folder)
            .stdout(Stdio::null())
            .spawn();
        let mut server = match server {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            server => Redis(server.unwrap()),
        };
        while server.0.try_wait().unwrap().is_none() {
            if is_redis(address).unwrap_or_default() {
                return Some((server, format!("redis://{address}/")));
            }
            sleep(Duration::from_millis(50));
        }
    }
    panic!("Redis does not start");
}

fn is_redis(address: SocketAddr) -> io::Result<bool> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(1)))?;
    stream.write_all(b"PING\r\n")?;
    let mut reply = [0; 7];
    stream.read_exact(&mut reply)?;
    Ok(&reply == b"+PONG\r\n")
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

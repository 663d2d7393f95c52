//! Accounts: `--set-limit`, by which an operator sets one up, and commands that draw on one.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::service::{COMPANY, Ran, Service, interrupt, replying};

/// Why a test of accounts is skipped.
pub(super) const NO_REDIS: &str =
    "`redis-server` is not installed (Debian: `apt install redis-server`)";

/// A server that ends with the test.
pub(super) struct Redis(Child);

impl Drop for Redis {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

/// Starts Redis and returns its URL; `None` if it is not installed.
pub(super) fn redis(service: &Service) -> Option<(Redis, String)> {
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

/// The store stalls once the call is paid for, and two signals end the program while it waits.
#[test]
#[cfg(unix)]
fn what_was_paid_for_is_written_before_the_account_is_waited_for() {
    let service = Service::plain("account-stalls");
    let Some((server, url)) = redis(&service) else {
        eprintln!("skipped: {NO_REDIS}");
        return;
    };
    let set = ["--set-limit", "9", "--account", "team", "--store", &url];
    assert_eq!(service.run(&set).code, 0);
    let id = server.0.id().to_string();
    let page = r#"{"count": 1, "credits_consumed": 4, "data": [{"job_id": "paid"}]}"#;
    let address = replying(vec![page], move || {
        let stopped = Command::new("kill").args(["-STOP", &id]).status().unwrap();
        assert!(stopped.success());
    });
    let run = ["job-posts", COMPANY, "--account", "team", "--store", &url];
    let array = ["--output", "json", "--base-url", &address];
    let mut child = service
        .command(&[&run[..], &array].concat())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut written = String::new();
    out.read_line(&mut written).unwrap();
    interrupt(&child);
    sleep(Duration::from_millis(300));
    interrupt(&child);
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{ran:?}");
    out.read_to_string(&mut written).unwrap();
    assert!(written.ends_with("\"paid\"}\n]\n"), "{written}");
}

//! Accounts: `--set-limit`, by which an operator sets one up, and commands that draw on one.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::service::{COMPANY, Ran, Service, interrupt, replying};

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

#[test]
fn a_frozen_account_says_why_until_it_is_thawed() {
    let service = Service::plain("account-frozen");
    let Some((_server, url)) = redis(&service) else {
        eprintln!("skipped: `redis-server` is not installed (Debian: `apt install redis-server`)");
        return;
    };
    let run = |arguments: &[&str]| {
        let account = ["--account", "team", "--store", &url];
        service.run(&[arguments, &account].concat())
    };
    let call = || run(&["headcount-trends", COMPANY]);
    assert_eq!(run(&["--freeze", "a"]).code, 2);
    assert_eq!(run(&["--set-limit", "9"]).code, 0);
    let frozen = run(&["--freeze", "the key leaked"]);
    assert_eq!(
        (frozen.code, frozen.out.as_str()),
        (0, "The account `team` is frozen: the key leaked.\n"),
        "{frozen:?}"
    );
    let refused = call();
    assert_eq!((refused.code, service.calls()), (1, 0), "{refused:?}");
    assert!(
        refused
            .err
            .contains("the budget of the account is frozen: the key leaked"),
        "{refused:?}"
    );
    assert!(refused.err.contains("`--thaw`"), "{refused:?}");
    assert_eq!(run(&["--thaw"]).out, "The account `team` is not frozen.\n");
    assert_eq!((call().code, service.calls()), (0, 1));
}

#[test]
fn commands_draw_on_an_account_and_on_a_part_of_it() {
    let service = Service::plain("account-commands");
    let Some((_server, url)) = redis(&service) else {
        eprintln!("skipped: `redis-server` is not installed (Debian: `apt install redis-server`)");
        return;
    };
    let run = |arguments: &[&str]| {
        let mut command = service.command(arguments);
        Ran::of(command.env("COMPANY_INTEL_STORE", &url).output().unwrap())
    };
    let call = ["headcount-trends", COMPANY, "--account", "team"];
    let without = run(&call);
    assert_eq!((without.code, service.calls()), (2, 0), "{without:?}");
    let set = || run(&["--set-limit", "9", "--account", "team"]).out;
    set();
    // A dry run does not need the store.
    let dry = service.run(&[&call[..], &["--dry-run", "--store", "redis://127.0.0.1:1/"]].concat());
    assert_eq!(dry.code, 0, "{dry:?}");
    let part = run(&[&call[..], &["--scope", "acme=4"]].concat());
    assert_eq!(part.code, 0, "{part:?}");
    let of_part = run(&[&call[..], &["--scope", "acme"]].concat());
    assert_eq!((of_part.code, service.calls()), (3, 1), "{of_part:?}");
    let words = "the budget of the account has 1.5 of 4 credits left (2.5 spent";
    assert!(of_part.err.contains(words), "{of_part:?}");
    // A list and a budget of its own, on the same account.
    service.write(
        "list.txt",
        "https://example.com/1\nhttps://example.com/2\nhttps://example.com/3\n",
    );
    let list = [
        "headcount-trends",
        "--from",
        "list.txt",
        "--account",
        "team",
    ];
    let list = run(&[&list[..], &["--budget", "50", "--resume", "run.journal"]].concat());
    assert_eq!((list.code, service.calls()), (3, 3), "{list:?}");
    assert_eq!(list.err.matches("was not sent").count(), 1, "{list:?}");
    assert!(set().contains("a limit of 9 credits: 7.5 spent, 0 reserved, 0 at risk"));
}

/// The store stalls once the call is paid for, and two signals end the program while it waits.
#[test]
#[cfg(unix)]
fn what_was_paid_for_is_written_before_the_account_is_waited_for() {
    let service = Service::plain("account-stalls");
    let Some((server, url)) = redis(&service) else {
        eprintln!("skipped: `redis-server` is not installed (Debian: `apt install redis-server`)");
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
    let table = ["--output", "table", "--base-url", &address];
    let mut child = service
        .command(&[&run[..], &table].concat())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut table = String::new();
    out.read_line(&mut table).unwrap();
    interrupt(&child);
    sleep(Duration::from_millis(300));
    interrupt(&child);
    let ran = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{ran:?}");
    out.read_to_string(&mut table).unwrap();
    assert!(table.contains("paid"), "{table}");
}

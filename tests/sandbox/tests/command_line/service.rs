//! A sandbox, and runs of the program that call it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use company_intel::Credits;
use company_intel_sandbox::{Builder, Sandbox};
use serde_json::Value;
use tokio::runtime::Runtime;

pub(crate) const KEY: &str = "canary-key-7f3a";
pub(crate) const COMPANY: &str = "example.com";

/// A sandbox with a folder for files, and the program that calls it.
pub(crate) struct Service {
    pub(crate) sandbox: Sandbox,
    pub(crate) folder: PathBuf,
    _threads: Runtime,
}

impl Service {
    pub(crate) fn start(name: &str, with: impl FnOnce(Builder) -> Builder) -> Self {
        let threads = Runtime::new().unwrap();
        let builder = with(Sandbox::builder().api_key(KEY));
        let sandbox = threads.block_on(builder.start()).unwrap();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("command-line")
            .join(name);
        _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self {
            sandbox,
            folder,
            _threads: threads,
        }
    }

    pub(crate) fn plain(name: &str) -> Self {
        Self::start(name, |builder| builder)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.example("command_line", arguments)
    }

    /// An example that calls this service.
    pub(crate) fn example(&self, name: &str, arguments: &[&str]) -> Command {
        let tests = std::env::current_exe().unwrap();
        let folder = tests.parent().unwrap().parent().unwrap();
        let mut command = Command::new(folder.join("examples").join(name));
        command
            .args(arguments)
            .current_dir(&self.folder)
            .env("COMPANY_INTEL_BASE_URL", self.sandbox.base_url())
            .env("COMPANY_INTEL_API_KEY", KEY)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(arguments).output().unwrap())
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).unwrap();
    }

    pub(crate) fn calls(&self) -> usize {
        self.sandbox.bill().calls.len()
    }
}

/// Starts a service with these responses, one for each call, and an action before each; returns its address.
pub(crate) fn replying(
    replies: Vec<&'static str>,
    before_each: impl Fn() + Send + 'static,
) -> String {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for reply in replies {
            let (mut connection, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                connection.read_exact(&mut byte).unwrap();
                request.extend(byte);
            }
            before_each();
            let length = reply.len();
            let head =
                format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
            connection.write_all((head + reply).as_bytes()).unwrap();
        }
    });
    address
}

/// Sends Ctrl-C.
#[cfg(unix)]
pub(crate) fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(killed.success());
}

/// Reads the amount in front of some words.
pub(crate) fn credits(text: &str, words: &str) -> Credits {
    let (before, _) = text.rsplit_once(words).unwrap_or_else(|| panic!("{text}"));
    let before = before
        .trim_end_matches(" credits")
        .trim_end_matches(" credit");
    before.rsplit([' ', '\n']).next().unwrap().parse().unwrap()
}

/// Result of a run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        let ran = Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{ran:?}");
        ran
    }

    pub(crate) fn records(&self) -> Vec<Value> {
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

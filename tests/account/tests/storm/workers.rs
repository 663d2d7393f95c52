//! Worker processes: started, killed, stopped for a while, and ended.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Command as Program, Stdio};
use std::time::Duration;

use tokio::process::{Child, Command};
use tokio::time::timeout;

/// Timeout for a worker to end and settle its calls.
const END: Duration = Duration::from_secs(30);

/// Starts workers of one storm.
pub(super) struct Workers {
    arguments: Vec<String>,
    folder: PathBuf,
    running: Vec<Child>,
    started: usize,
    pub(super) killed: usize,
}

impl Workers {
    /// `arguments` are those of `storm-worker`.
    pub(super) fn new(arguments: Vec<String>, folder: PathBuf) -> Self {
        Self {
            arguments,
            folder,
            running: Vec::new(),
            started: 0,
            killed: 0,
        }
    }

    pub(super) fn start(&mut self) {
        let log = File::create(self.log(self.started)).unwrap();
        self.started += 1;
        let worker = Command::new(env!("CARGO_BIN_EXE_storm-worker"))
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        self.running.push(worker);
    }

    fn log(&self, number: usize) -> PathBuf {
        self.folder.join(format!("worker-{number}.log"))
    }

    pub(super) fn count(&self) -> usize {
        self.running.len()
    }

    /// Kills a worker, as the kernel does when memory runs out.
    pub(super) async fn kill(&mut self, number: usize) {
        let mut worker = self.running.swap_remove(number);
        worker.kill().await.unwrap();
        self.killed += 1;
    }

    /// Sends a signal to a worker by name.
    pub(super) fn signal(&self, number: usize, name: &str) {
        signal(self.running[number].id().unwrap(), name);
    }

    /// Ends all workers. None may have panicked, including the killed ones.
    pub(super) async fn end(&mut self) {
        for worker in &mut self.running {
            drop(worker.stdin.take());
        }
        for mut worker in self.running.drain(..) {
            let ended = timeout(END, worker.wait()).await;
            let ended = ended.expect("a worker does not end").unwrap();
            assert!(ended.success(), "a worker ended with {ended}");
        }
        for number in 0..self.started {
            let said = std::fs::read_to_string(self.log(number)).unwrap();
            assert!(!said.contains("panicked"), "worker {number}: {said}");
        }
    }
}

fn signal(id: u32, name: &str) {
    let sent = Program::new("kill")
        .args([format!("-{name}"), id.to_string()])
        .status();
    assert!(sent.unwrap().success());
}

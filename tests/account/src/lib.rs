//! A separate Redis for a test: `redis-server` on a free port of this machine, which ends with the test.
//!
//! If it is not installed, [`Server::start`] prints one line and returns `None`.

pub mod api;
pub mod wire;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::sleep;

/// A running `redis-server`. Dropping it kills the server.
#[derive(Debug)]
pub struct Server {
    child: Option<Child>,
    port: u16,
    folder: PathBuf,
    arguments: Vec<String>,
}

impl Server {
    /// Starts a server that writes every change to its log before it replies. `None` if it is not installed.
    ///
    /// # Errors
    ///
    /// The server is installed but does not start.
    pub async fn start() -> io::Result<Option<Self>> {
        Self::with(&["--appendonly", "yes", "--appendfsync", "always"]).await
    }

    /// Starts a server with these arguments.
    ///
    /// # Errors
    ///
    /// As [`start`](Self::start).
    pub async fn with(arguments: &[&str]) -> io::Result<Option<Self>> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("metered-redis-{}-{number}", std::process::id());
        let mut server = Self {
            child: None,
            port: free_port()?,
            folder: std::env::temp_dir().join(name),
            arguments: arguments
                .iter()
                .map(|&argument| argument.to_owned())
                .collect(),
        };
        std::fs::create_dir_all(&server.folder)?;
        match server.run().await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                eprintln!(
                    "skipped: `redis-server` is not installed; with it (Debian: `apt install redis-server`), run `cargo test -p account-tests`"
                );
                Ok(None)
            }
            Err(error) => Err(error),
            Ok(()) => Ok(Some(server)),
        }
    }

    async fn run(&mut self) -> io::Result<()> {
        let mut command = Command::new("redis-server");
        command
            .args(["--bind", "127.0.0.1", "--save", "", "--port"])
            .arg(self.port.to_string())
            .arg("--dir")
            .arg(&self.folder)
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        self.child = Some(command.spawn()?);
        for _ in 0..200 {
            if TcpStream::connect(self.address()).await.is_ok() {
                return Ok(());
            }
            sleep(Duration::from_millis(50)).await;
        }
        Err(io::Error::other("redis-server does not listen"))
    }

    /// Returns the address that it listens on.
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// Returns its URL.
    pub fn url(&self) -> String {
        format!("redis://{}/", self.address())
    }

    /// Returns the process id; `None` while it does not run.
    pub fn id(&self) -> Option<u32> {
        self.child.as_ref().map(Child::id)
    }

    /// Kills the server, like a crash.
    ///
    /// # Errors
    ///
    /// The operating system refuses.
    pub fn kill(&mut self) -> io::Result<()> {
        if let Some(mut child) = self.child.take() {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    /// Starts the server again after [`kill`](Self::kill), with the data that it had written.
    ///
    /// # Errors
    ///
    /// The server does not start.
    pub async fn restart(&mut self) -> io::Result<()> {
        self.run().await
    }

    /// Sends a signal by name, such as `STOP` and `CONT`.
    ///
    /// # Errors
    ///
    /// This machine has no `kill`.
    pub fn signal(&self, name: &str) -> io::Result<()> {
        let id = self.id().map(|id| id.to_string()).unwrap_or_default();
        Command::new("kill")
            .args([&format!("-{name}"), &id])
            .status()
            .map(drop)
    }

    /// Returns the folder of its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A stopped process cannot end in another way.
        _ = self.kill();
        _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn free_port() -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

//! Cost of a call on an account in Redis, compared with a budget in the process: `cargo run --release -p account-tests --bin account-bench`.
//!
//! Processes make calls on a service that responds at once, 50 concurrent ones each. The measured time is that of the client, and of
//! reserving and settling.

mod server;
mod worker;

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::{env, io};

use account_tests::Server;

use self::server::Load;
use self::worker::Kind;

const PROCESSES: [usize; 4] = [1, 2, 4, 8];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [kind, url] = arguments.as_slice() {
        return worker::run(kind.parse()?, url).await;
    }
    let row = |cells: [String; 7]| println!("| {} |", cells.join(" | "));
    println!("| reserved in | processes | calls/s | p50 | p99 | steps a call | server |");
    println!("|---|---|---|---|---|---|---|");
    for (kind, fsync) in [
        (Kind::Process, "no"),
        (Kind::Redis, "everysec"),
        (Kind::Redis, "always"),
    ] {
        for processes in PROCESSES {
            let settings = ["--appendonly", "yes", "--appendfsync", fsync];
            let Some(server) = Server::with(&settings).await? else {
                return Ok(());
            };
            let before = Load::of(&server).await?;
            let measured = together(kind, &server, processes)?;
            let load = Load::of(&server).await?.since(&before);
            let calls = measured.iter().map(|one| one.calls).sum::<f64>();
            let worst = |of: fn(&Measured) -> f64| measured.iter().map(of).fold(0.0, f64::max);
            row([
                match kind {
                    Kind::Process => kind.to_string(),
                    _ => format!("{kind}, `appendfsync {fsync}`"),
                },
                processes.to_string(),
                format!("{:.0}", calls / worker::LASTS.as_secs_f64()),
                format!("{:.2} ms", worst(|one| one.median)),
                format!("{:.2} ms", worst(|one| one.slow)),
                format!("{:.3}", load.steps / calls),
                match kind {
                    Kind::Process => String::new(),
                    _ => load.to_string(),
                },
            ]);
        }
    }
    Ok(())
}

/// Measurements of one process: calls, and the median and 99th percentile of their times in milliseconds.
struct Measured {
    calls: f64,
    median: f64,
    slow: f64,
}

/// Runs processes that start at the same time.
fn together(
    kind: Kind,
    server: &Server,
    processes: usize,
) -> Result<Vec<Measured>, Box<dyn Error>> {
    let mut workers = Vec::new();
    for _ in 0..processes {
        let worker = Command::new(env::current_exe()?)
            .args([kind.to_string(), server.url()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        workers.push(worker);
    }
    let pipe = || io::Error::other("a worker without pipes");
    let mut outputs = Vec::new();
    for worker in &mut workers {
        let mut output = BufReader::new(worker.stdout.take().ok_or_else(pipe)?);
        output.read_line(&mut String::new())?;
        outputs.push(output);
    }
    for worker in &mut workers {
        worker.stdin.take().ok_or_else(pipe)?.write_all(b"go\n")?;
    }
    let measured = outputs.iter_mut().map(measured).collect();
    workers.iter_mut().try_for_each(ended)?;
    measured
}

fn measured(output: &mut impl BufRead) -> Result<Measured, Box<dyn Error>> {
    let mut line = String::new();
    output.read_line(&mut line)?;
    let mut numbers = line.split_whitespace().map(str::parse);
    let mut next = || numbers.next().ok_or("a worker measured nothing");
    Ok(Measured {
        calls: next()??,
        median: next()??,
        slow: next()??,
    })
}

fn ended(worker: &mut Child) -> Result<(), Box<dyn Error>> {
    let status = worker.wait()?;
    status
        .success()
        .then_some(())
        .ok_or_else(|| format!("a worker ended with {status}").into())
}

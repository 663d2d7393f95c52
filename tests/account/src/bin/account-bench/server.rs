//! Load of a server, as reported by it.

use std::error::Error;
use std::fmt;
use std::time::Instant;

use account_tests::Server;

/// Sums since the server started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    /// Number of executed scripts.
    pub(crate) steps: f64,
    /// Seconds spent in scripts.
    scripts: f64,
    /// Seconds of CPU time.
    cpu: f64,
    at: Instant,
    passed: f64,
}

impl Load {
    pub(crate) async fn of(server: &Server) -> Result<Self, Box<dyn Error>> {
        let client = redis::Client::open(server.url())?;
        let mut connection = client.get_multiplexed_async_connection().await?;
        let mut command = redis::cmd("INFO");
        command.arg("cpu").arg("commandstats");
        let about: String = command.query_async(&mut connection).await?;
        let after = |name: &str| {
            let (_, rest) = about.split_once(name)?;
            let end = rest.find([',', '\r']).unwrap_or(rest.len());
            rest.get(..end)?.parse().ok()
        };
        let evalsha = "cmdstat_evalsha:calls=";
        let steps: f64 = after(evalsha).unwrap_or(0.0);
        let micros = about.split_once(evalsha).and_then(|(_, rest)| {
            let (_, rest) = rest.split_once("usec=")?;
            rest.split(',').next()?.parse::<f64>().ok()
        });
        let cpu = |name| after(name).unwrap_or(0.0);
        Ok(Self {
            steps,
            scripts: micros.unwrap_or(0.0) / 1e6,
            cpu: cpu("used_cpu_sys:") + cpu("used_cpu_user:"),
            at: Instant::now(),
            passed: 0.0,
        })
    }

    pub(crate) fn since(self, before: &Self) -> Self {
        Self {
            steps: self.steps - before.steps,
            scripts: self.scripts - before.scripts,
            cpu: self.cpu - before.cpu,
            passed: (self.at - before.at).as_secs_f64(),
            ..self
        }
    }
}

impl fmt::Display for Load {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a_step = |seconds: f64| seconds / self.steps * 1e6;
        write!(
            f,
            "{:.0} µs a step, of which {:.0} µs in the script; {:.0} % busy",
            a_step(self.cpu),
            a_step(self.scripts),
            self.cpu / self.passed * 100.0
        )
    }
}

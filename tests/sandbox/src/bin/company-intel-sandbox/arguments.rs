//! Command-line arguments of the sandbox.

use std::net::{IpAddr, Ipv4Addr};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Error, Result, ensure};
use clap::{Parser, ValueEnum};
use company_intel::Credits;
use company_intel_sandbox::{Dialect, Fault, Size};

const EXAMPLES: &str = "\
Examples:
  company-intel-sandbox --port 8787 --key mine
  company-intel-sandbox --budget 100 --latency 50ms..2s
  company-intel-sandbox --fault 'job_posts=429x2,retry-after:3' --fault 'job_posts=reset,billed'
  company-intel-sandbox --fault '*=503,rate:0.1' --seed 7 --log json

A fault is OPERATION=WHAT[xTIMES][,billed][,delay:DURATION][,retry-after:SECONDS][,rate:SHARE].
WHAT is a status, as 503, or one of redirect, reset, truncated, invalid, html, gzip, drip, slow.
Several faults of an operation come one after the other.";

/// Serves the Company Intelligence API on this machine, without a key of the provider's and without paying. The bill is at
/// /_sandbox/bill, and printed at the end.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The port to listen on; 0 takes a free one.
    #[arg(long, env = "SANDBOX_PORT", default_value_t = 8787)]
    pub(crate) port: u16,
    /// The address to listen on. One that is not of this machine alone lets others call the sandbox.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub(crate) host: IpAddr,
    /// A name under which it responds too, such as that of a container. Without one, it responds under `localhost`, the addresses of loopback
    /// and the one that it listens on.
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    /// A key that calls may carry; several are separate accounts.
    #[arg(long, env = "SANDBOX_KEY", hide_env_values = true)]
    pub(crate) key: Vec<String>,
    /// Takes sample data from the JSON files of a folder, by the names and in the form of those in tests/sandbox/data of the repository. Other
    /// data stays unchanged.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) data: Option<PathBuf>,
    /// Credits that each key has. A call that costs more than is left is refused with the status 402.
    #[arg(long, value_name = "CREDITS")]
    pub(crate) budget: Option<Credits>,
    /// How long each response takes: `50ms`, or `50ms..2s` for a time between the two.
    #[arg(long, value_name = "DURATION", default_value = "0s")]
    pub(crate) latency: Latency,
    /// How long the body of a request may take. A slower one gets the status 408.
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = humantime::parse_duration)]
    pub(crate) body_timeout: Duration,
    /// Something that goes wrong with an operation; see below.
    #[arg(long, value_name = "OPERATION=WHAT")]
    pub(crate) fault: Vec<FaultOf>,
    /// Where the published document and the observed service disagree, responses are as one of the two.
    #[arg(long, value_enum, default_value_t = Dialect::Observed)]
    pub(crate) dialect: Dialect,
    /// How much data there is: six companies, or 300 with 10,000 articles and 5,000 job posts.
    #[arg(long, value_enum, default_value_t = Size::Small)]
    pub(crate) size: Size,
    /// Draws the latencies, the rates and the companies of a large size in another way.
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// How each call is printed, on the standard output.
    #[arg(long, value_enum, default_value_t = Log::Text)]
    pub(crate) log: Log,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Log {
    Text,
    Json,
}

#[derive(Clone)]
pub(crate) struct Latency(pub(crate) RangeInclusive<Duration>);

impl FromStr for Latency {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        let read = |text: &str| {
            humantime::parse_duration(text)
                .with_context(|| format!("`{text}` is not a duration, such as 50ms"))
        };
        let (least, most) = (read(least)?, read(most)?);
        ensure!(least <= most, "it ends before it begins");
        Ok(Self(least..=most))
    }
}

/// A fault and its operation.
#[derive(Clone)]
pub(crate) struct FaultOf {
    pub(crate) operation: String,
    pub(crate) fault: Fault,
}

impl FromStr for FaultOf {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (operation, fault) = text
            .split_once('=')
            .context("no operation: it is written as job_posts=429")?;
        Ok(Self {
            operation: operation.to_owned(),
            fault: fault.parse()?,
        })
    }
}

//! Serves the sandbox until it is interrupted, and prints the bill.

mod arguments;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use company_intel_sandbox::{Call, Sandbox};

use crate::arguments::{Arguments, Log};

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(arguments: Arguments) -> Result<()> {
    let log = arguments.log;
    let mut builder = Sandbox::builder()
        .host(arguments.host)
        .port(arguments.port)
        .latency(arguments.latency.0)
        .body_timeout(arguments.body_timeout)
        .seed(arguments.seed)
        .size(arguments.size)
        .dialect(arguments.dialect)
        // A log without a reader is no reason to fail a call.
        .on_call(move |call| _ = writeln!(io::stdout(), "{}", line(call, log)));
    for name in arguments.allow_host {
        builder = builder.allow_host(name);
    }
    for key in arguments.key {
        builder = builder.api_key(key);
    }
    for fault in arguments.fault {
        builder = builder.fault(fault.operation, fault.fault);
    }
    if let Some(credits) = arguments.budget {
        builder = builder.balance(credits);
    }
    if let Some(folder) = arguments.data {
        builder = builder.data(folder);
    }
    let sandbox = builder.start().await?;

    let (url, key) = (sandbox.base_url(), sandbox.api_key());
    let prefix = sandbox.environment();
    let page = url.trim_end_matches("/api");
    eprintln!("base URL: {url}\nAPI key:  {key}\npage:     {page}/\n");
    eprintln!("export {prefix}_BASE_URL={url}\nexport {prefix}_API_KEY={key}\n");
    if !arguments.host.is_loopback() {
        eprintln!(
            "warning: other machines reach this sandbox, and anyone with the key can call it"
        );
    }

    tokio::signal::ctrl_c().await?;
    _ = writeln!(io::stderr(), "billed: {}", sandbox.bill());
    Ok(())
}

fn line(call: &Call, log: Log) -> String {
    let Call {
        method,
        path,
        status,
        credits,
        ..
    } = call;
    match log {
        Log::Text => format!("{method:6} {path} {status} {credits}"),
        Log::Json => call.to_json().to_string(),
    }
}

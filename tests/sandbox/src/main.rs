//! Serves the sandbox until it is interrupted: `cargo run -p company-intel-sandbox -- [port] [key]`.
//!
//! The environment variables `SANDBOX_PORT` and `SANDBOX_KEY` do the same; an argument wins.

use std::env;

use anyhow::{Context, Result};
use company_intel_sandbox::Sandbox;

const PORT: u16 = 8787;

#[tokio::main]
async fn main() -> Result<()> {
    let argument = |place, variable| env::args().nth(place).or_else(|| env::var(variable).ok());
    let port = match argument(1, "SANDBOX_PORT") {
        Some(port) => port.parse().with_context(|| format!("the port {port}"))?,
        None => PORT,
    };
    let mut builder = Sandbox::builder().port(port).on_call(|call| {
        let (method, path) = (&call.method, &call.path);
        println!("{method:6} {path} {} {}", call.status, call.credits);
    });
    if let Some(key) = argument(2, "SANDBOX_KEY") {
        builder = builder.api_key(key);
    }
    let sandbox = builder.start().await?;

    let (url, key) = (sandbox.base_url(), sandbox.api_key());
    let prefix = sandbox.environment();
    println!("base URL: {url}\nAPI key:  {key}\n");
    println!("export {prefix}_BASE_URL={url}\nexport {prefix}_API_KEY={key}\n");

    tokio::signal::ctrl_c().await?;
    println!("billed: {}", sandbox.bill());
    Ok(())
}

//! `fetch`: the document from the address where it is published. No other command opens a connection.

use std::io::{Read, Write};
use std::time::Duration;

use anyhow::Result;
use openapi_document::finding::{Finding, Stop};
use sha2::{Digest, Sha256};

use crate::install;

/// Bytes of a document that are read where nothing else is said.
pub const MOST: u64 = 64 << 20;

/// The whole request.
const TIMEOUT: Duration = Duration::from_secs(300);

/// What is fetched, and what it has to be.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address.
    pub address: String,
    /// The file that it is written to; standard output without one.
    pub output: Option<String>,
    /// The SHA-256 that it has to have, in hexadecimal digits.
    pub sha256: Option<String>,
    /// The most bytes that are read.
    pub most: u64,
}

/// Fetches a document, through the proxy that the environment names. Nothing is written before all of it is there. Returns its SHA-256.
///
/// # Errors
///
/// An address that does not answer with 200, a document that is larger than allowed, that is no UTF-8, or that has another checksum.
pub fn fetch(options: &Options, out: &mut dyn Write, err: &mut dyn Write) -> Result<()> {
    let text = read(options)?;
    let digest = Sha256::digest(text.as_bytes());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    if let Some(wanted) = &options.sha256
        && !wanted.eq_ignore_ascii_case(&digest)
    {
        let message = format!("the document has the SHA-256 {digest}, and not {wanted}");
        return Err(stop(
            &options.address,
            message,
            "look at what changed, and give the new checksum",
        )
        .into());
    }
    writeln!(err, "sha256:{digest} {}", options.address)?;
    match &options.output {
        None => out.write_all(text.as_bytes())?,
        Some(file) => {
            let path = std::path::Path::new(file);
            let folder = path.parent().unwrap_or(std::path::Path::new(""));
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            install::change(folder, &vec![(name.into_owned(), Some(text))])?;
        }
    }
    Ok(())
}

fn read(options: &Options) -> Result<String, Stop> {
    let address = &options.address;
    let unreachable = |error: &dyn std::error::Error| {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message = format!("{message}: {cause}");
            source = cause.source();
        }
        stop(
            address,
            message,
            "check the address, and the proxy that HTTPS_PROXY names",
        )
    };
    let client = reqwest::blocking::Client::builder().timeout(TIMEOUT);
    let client = client.build().map_err(|error| unreachable(&error))?;
    let response = client
        .get(address)
        .send()
        .map_err(|error| unreachable(&error))?;
    if response.status() != reqwest::StatusCode::OK {
        let message = format!("the address answers {}", response.status());
        return Err(stop(address, message, "check the address"));
    }
    let mut bytes = Vec::new();
    let mut body = response.take(options.most.saturating_add(1));
    body.read_to_end(&mut bytes)
        .map_err(|error| unreachable(&error))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > options.most {
        let message = format!("the document has more than {} bytes", options.most);
        return Err(stop(
            address,
            message,
            "allow more with `--max-bytes`, if it is the right one",
        ));
    }
    String::from_utf8(bytes).map_err(|error| unreachable(&error))
}

fn stop(address: &str, message: String, help: &str) -> Stop {
    Stop::Unreadable(vec![Finding::about("fetch", address, message, help)])
}

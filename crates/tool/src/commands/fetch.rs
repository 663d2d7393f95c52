//! `fetch`: the document from the address where it is published. No other command opens a connection.

use std::io::{Read, Write};
use std::time::Duration;

use anyhow::Result;
use openapi_document::finding::{DocumentError, Finding};
use openapi_document::given::without_secrets;
use reqwest::redirect::{Action, Attempt, Policy};
use sha2::{Digest, Sha256};

use crate::install;

/// The default limit of a document, in bytes.
pub const MOST: u64 = 64 << 20;

/// Redirects that are followed.
const REDIRECTS: usize = 10;
/// The whole request.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The document to fetch, and its required form.
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

/// Fetches a document, through the proxy that the environment names. Nothing is written before it is complete. Prints its SHA-256 to
/// `err`.
///
/// # Errors
///
/// The status code is not 200, or the document is too large, not UTF-8, or has another checksum.
pub fn fetch(options: &Options, out: &mut dyn Write, err: &mut dyn Write) -> Result<()> {
    let text = read(options)?;
    let digest = Sha256::digest(text.as_bytes());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    if let Some(wanted) = &options.sha256
        && !wanted
            .trim_start_matches("sha256:")
            .eq_ignore_ascii_case(&digest)
    {
        let message = format!("the document has the SHA-256 {digest}, and not {wanted}");
        return Err(stop(
            &options.address,
            message,
            "look at what changed, and give the new checksum",
        )
        .into());
    }
    writeln!(err, "sha256:{digest} {}", without_secrets(&options.address))?;
    match options.output.as_deref() {
        None | Some("-") => out.write_all(text.as_bytes())?,
        Some(file) => {
            let path = std::path::Path::new(file);
            let folder = path.parent().unwrap_or(std::path::Path::new(""));
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            install::change(folder, &vec![(name.into_owned(), Some(text))])?;
        }
    }
    Ok(())
}

fn read(options: &Options) -> Result<String, DocumentError> {
    let address = &options.address;
    let refused = |message: String, help: &str| stop(address, message, help);
    let unreachable = |error: reqwest::Error| {
        // The error's message has the full address.
        let error = error.without_url();
        let mut message = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            message = format!("{message}: {cause}");
            source = cause.source();
        }
        refused(
            message,
            "check the address, and the proxy that HTTPS_PROXY names",
        )
    };
    let client = reqwest::blocking::Client::builder()
        .timeout(TIMEOUT)
        .redirect(Policy::custom(redirected));
    let client = client.build().map_err(unreachable)?;
    let response = client.get(address).send().map_err(unreachable)?;
    if response.status() != reqwest::StatusCode::OK {
        let message = format!("the server responded with {}", response.status());
        return Err(refused(message, "check the address"));
    }
    let mut bytes = Vec::new();
    let mut body = response.take(options.most.saturating_add(1));
    body.read_to_end(&mut bytes).map_err(|error| {
        let message = format!("the response broke off: {}", error.kind());
        refused(message, "fetch it again")
    })?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > options.most {
        let message = format!("the document has more than {} bytes", options.most);
        return Err(refused(
            message,
            "allow more with `--max-bytes`, if it is the right one",
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let message = format!("the document is not valid UTF-8: {error}");
        refused(message, "check the address")
    })
}

/// Follows some redirects, and none from an encrypted address to one that is not.
fn redirected(attempt: Attempt<'_>) -> Action {
    let was_encrypted = attempt.previous().iter().any(|url| url.scheme() == "https");
    if attempt.previous().len() > REDIRECTS {
        attempt.error("too many redirects")
    } else if was_encrypted && attempt.url().scheme() != "https" {
        attempt.error("a redirect to an address without encryption")
    } else {
        attempt.follow()
    }
}

fn stop(address: &str, message: String, help: &str) -> DocumentError {
    DocumentError::Unreadable(vec![Finding::about(
        "fetch",
        without_secrets(address),
        message,
        help,
    )])
}

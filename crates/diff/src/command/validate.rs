//! Validation of single documents: errors and ambiguities, without a comparison.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use openapi_document::given;
use openapi_document::source::Root;

use crate::{Validity, validities_json};

/// The documents to read, and the format of the findings.
#[derive(Args, Clone, Debug)]
pub struct Validate {
    /// Documents: files, `-` for standard input, or `git-rev:path`.
    #[arg(required = true, value_name = "DOCUMENT")]
    pub documents: Vec<String>,
    /// The folder below which references to other files are followed, if not that of each document.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// Prints the findings of documents. Returns whether all are free of errors. An unreadable document counts as an error.
///
/// # Errors
///
/// Output cannot be written.
pub fn validate(options: &Validate, out: &mut dyn Write) -> Result<bool> {
    let root = Root::Option(options.root.clone());
    let validity = |name: &String| {
        let findings = match given::tolerant(Path::new(""), name, &root) {
            Ok(source) => crate::validate(&source),
            Err(stop) => stop.findings().to_vec(),
        };
        Validity::new(name, findings)
    };
    let all: Vec<Validity> = options.documents.iter().map(validity).collect();
    let text: String = match options.format {
        Format::Text => all.iter().map(Validity::text).collect(),
        Format::Json => validities_json(&all).context("writing the findings as JSON")?,
    };
    out.write_all(text.as_bytes())?;
    Ok(all.iter().all(|one| one.valid))
}

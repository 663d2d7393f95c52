//! Options of a comparison and its report, with the help that a person sees.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::Wire;

/// How a comparison is shown, and when it fails.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The two documents: files, `git-rev:path`, or `-` for standard input. By default, the published document at `HEAD` and in the work tree.
    #[arg(skip)]
    pub documents: Option<(String, String)>,
    /// The folder below which references to other files are followed, if not that of each document.
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// True to leave out the Rust surface.
    #[arg(skip = true)]
    pub wire_only: bool,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// True for colours in the format `text`.
    #[arg(skip)]
    pub colour: bool,
    /// Lists each of several equal changes.
    #[arg(long)]
    pub expand: bool,
    /// Exits with 1 when a change is this or worse.
    #[arg(long, value_enum)]
    pub fail_on: Option<Wire>,
}

/// Output format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// Markdown for a pull request, of at most 60,000 bytes.
    Markdown,
    /// Static analysis results, version 2.1.0.
    Sarif,
}

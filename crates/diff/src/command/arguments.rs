//! The arguments of a comparison, with the help that a person sees.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::options;
use crate::verdicts::Level;
use crate::{View as Grouping, Wire};

/// How a comparison is shown, and when it fails.
#[derive(Args, Clone, Debug)]
pub struct Shown {
    /// The folder below which references to other files are followed, if not that of each document.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// How to group changes, in the format `text`.
    #[arg(long, value_enum, default_value = "operation")]
    view: View,
    /// Shows changes that are this or worse.
    #[arg(long, value_enum)]
    only: Option<Level>,
    /// Lists each of several equal changes.
    #[arg(long)]
    expand: bool,
    /// Exits with 1 when a change that is shown is this or worse.
    #[arg(long, value_enum)]
    fail_on: Option<Level>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// Markdown for a pull request, of at most 60,000 bytes.
    Markdown,
    /// Static analysis results, version 2.1.0.
    Sarif,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum View {
    /// By the operations that a change reaches.
    Operation,
    /// By the component or operation in which it was written.
    Component,
    /// By what it does on the wire.
    Severity,
}

impl Shown {
    /// The options for these documents, on the wire, with colours where standard output is a terminal.
    pub fn options(self, documents: Option<(String, String)>) -> options::Options {
        options::Options {
            documents,
            root: self.root,
            wire_only: true,
            format: match self.format {
                Format::Text => options::Format::Text(std::io::stdout().is_terminal()),
                Format::Json => options::Format::Json,
                Format::Markdown => options::Format::Markdown,
                Format::Sarif => options::Format::Sarif,
            },
            view: match self.view {
                View::Operation => Grouping::Operation,
                View::Component => Grouping::Component,
                View::Severity => Grouping::Severity,
            },
            only: self.only.map(Wire::from),
            expand: self.expand,
            fail_on: self.fail_on.map(Wire::from),
        }
    }
}

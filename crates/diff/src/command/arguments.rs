//! The arguments of a comparison, with the help that a person sees.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use openapi_document::source::Root;

use super::log::Log;
use super::options;
use crate::verdicts::Level;
use crate::{Accepted, Filter, View as Grouping, Wire};

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
    /// Shows changes that reach this path of either document or one below it; several are alternatives. `*` stands for anything within a
    /// part of the path, and `**` for any number of parts.
    #[arg(long)]
    path: Vec<String>,
    /// Shows changes that reach operations of this tag; several are alternatives.
    #[arg(long)]
    tag: Vec<String>,
    /// Shows changes that reach this operation, by `operationId` or as `GET /books`; several are alternatives.
    #[arg(long)]
    operation: Vec<String>,
    /// Shows changes that are this or worse.
    #[arg(long, value_enum)]
    only: Option<Level>,
    /// A policy: other verdicts, waivers with a reason and an end, and what announced removals and changes of unstable operations are worth.
    #[arg(long, value_name = "FILE")]
    policy: Option<String>,
    /// The date, as 2030-01-31, for a policy with dates.
    #[arg(long, value_name = "DATE")]
    today: Option<String>,
    /// Adds a waiver to the policy for each change on which `--fail-on` would fail. The file may be new.
    #[arg(long, requires_all = ["policy", "reason", "fail_on"])]
    accept: bool,
    /// Why the changes are accepted.
    #[arg(long, value_name = "TEXT", requires = "accept")]
    reason: Option<String>,
    /// The last day on which they are accepted, as 2030-01-31.
    #[arg(long, value_name = "DATE", requires = "accept")]
    until: Option<String>,
    /// Lists each of several equal changes.
    #[arg(long)]
    expand: bool,
    /// Prints one line.
    #[arg(long, conflicts_with = "format")]
    summary: bool,
    /// Also reports what a client of the new document meets at a service of the old one, in the formats `text`, `json` and `markdown`.
    #[arg(long)]
    forward: bool,
    /// Exits with 1 when a change that is shown is this or worse; with `forward-`, for a client of the new document at a service of the old
    /// one.
    #[arg(long, value_enum, value_delimiter = ',')]
    fail_on: Vec<Limit>,
}

/// A verdict at which the command fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Limit {
    Breaking,
    Risky,
    Safe,
    ForwardBreaking,
    ForwardRisky,
    ForwardSafe,
}

impl Limit {
    /// The verdict, and whether it is one on a client of the new document.
    fn verdict(self) -> (Wire, bool) {
        match self {
            Self::Breaking => (Wire::Breaking, false),
            Self::Risky => (Wire::Risky, false),
            Self::Safe => (Wire::Safe, false),
            Self::ForwardBreaking => (Wire::Breaking, true),
            Self::ForwardRisky => (Wire::Risky, true),
            Self::ForwardSafe => (Wire::Safe, true),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// Markdown for a pull request, of at most 60,000 bytes.
    Markdown,
    /// Annotations of a workflow on GitHub.
    Github,
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
    /// Returns whether programs read the output.
    pub fn is_json(&self) -> bool {
        matches!(self.format, Format::Json)
    }

    /// The changelog of a document over a range of revisions.
    pub fn log(self, range: &str, document: &str) -> Log {
        let options = self.options(None);
        Log {
            root: PathBuf::new(),
            files: Root::Option(options.root),
            range: range.to_owned(),
            document: document.to_owned(),
            filter: options.filter,
            fail_on: options.fail_on,
        }
    }

    /// The options for these documents, on the wire, with colours where standard output is a terminal.
    pub fn options(self, documents: Option<(String, String)>) -> options::Options {
        let limits = self.fail_on.into_iter().map(Limit::verdict);
        let (forward, limits): (Vec<_>, Vec<_>) = limits.partition(|(_, is_forward)| *is_forward);
        let least = |limits: Vec<(Wire, bool)>| limits.into_iter().map(|(wire, _)| wire).min();
        let fail_forward = least(forward);
        options::Options {
            documents,
            root: self.root,
            reconciled: false,
            wire_only: true,
            format: match self.format {
                Format::Text => options::Format::Text(std::io::stdout().is_terminal()),
                Format::Json => options::Format::Json,
                Format::Markdown => options::Format::Markdown,
                Format::Github => options::Format::Github,
                Format::Sarif => options::Format::Sarif,
            },
            view: match self.view {
                View::Operation => Grouping::Operation,
                View::Component => Grouping::Component,
                View::Severity => Grouping::Severity,
            },
            filter: Filter {
                paths: self.path,
                tags: self.tag,
                operations: self.operation,
                only: self.only.map(Wire::from),
            },
            policy: self.policy,
            today: self.today,
            accepted: self.reason.filter(|_| self.accept).map(|reason| Accepted {
                reason,
                until: self.until,
            }),
            expand: self.expand,
            summary: self.summary,
            fail_on: least(limits),
            forward: self.forward || fail_forward.is_some(),
            fail_forward,
        }
    }
}

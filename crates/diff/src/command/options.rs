//! What is compared, and how it is shown.

use std::path::PathBuf;

use crate::{Accepted, Filter, View, Wire};

/// What is compared, and how it is shown.
#[derive(Clone, Debug)]
pub struct Options {
    /// The two documents: files, `git-rev:path`, or `-` for standard input. Without them, the published document as committed and as it is.
    pub documents: Option<(String, String)>,
    /// The folder below which references to other files are followed, if not that of each document.
    pub root: Option<PathBuf>,
    /// Compares the wire format after the overrides, too.
    pub reconciled: bool,
    /// Leaves the Rust surface out.
    pub wire_only: bool,
    /// How to print.
    pub format: Format,
    /// How changes are grouped for people.
    pub view: View,
    /// Which changes are shown and count.
    pub filter: Filter,
    /// A file with what a team decided about changes.
    pub policy: Option<String>,
    /// The date, for what a policy says of days.
    pub today: Option<String>,
    /// Waives the changes on which the command would fail, in the file of the policy.
    pub accepted: Option<Accepted>,
    /// Lists each of several equal changes.
    pub expand: bool,
    /// Prints one line.
    pub summary: bool,
    /// The verdict from which on the command fails.
    pub fail_on: Option<Wire>,
    /// Compares a client of the new document with a service of the old one, too.
    pub forward: bool,
    /// The verdict on that from which on the command fails.
    pub fail_forward: Option<Wire>,
}

/// How a report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people; `true` with colours.
    Text(bool),
    /// For programs.
    Json,
    /// For a pull request.
    Markdown,
    /// One page for a browser.
    Html,
    /// Annotations of a workflow on GitHub.
    Github,
    /// Results of tests, one for each operation.
    Junit,
    /// Static analysis results, version 2.1.0.
    Sarif,
}

//! Options of a comparison and its report.

use std::path::PathBuf;

use crate::{View, Wire};

/// Options of a comparison and its report.
#[derive(Clone, Debug)]
pub struct Options {
    /// The two documents: files, `git-rev:path`, or `-` for standard input. By default, the published document at `HEAD` and in the work tree.
    pub documents: Option<(String, String)>,
    /// Root folder for references to other files; by default, the folder of each document.
    pub root: Option<PathBuf>,
    /// True to leave out the Rust surface.
    pub wire_only: bool,
    /// Output format.
    pub format: Format,
    /// Grouping of changes for people.
    pub view: View,
    /// Lowest verdict of the changes that are shown and count.
    pub only: Option<Wire>,
    /// True to list each of several equal changes.
    pub expand: bool,
    /// Lowest verdict on which the command fails.
    pub fail_on: Option<Wire>,
}

/// Output format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people; `true` with colours.
    Text(bool),
    /// For programs.
    Json,
    /// For a pull request.
    Markdown,
    /// Static analysis results, version 2.1.0.
    Sarif,
}

//! The arguments of the comparison, with the help that a person sees.

use std::io::{self, IsTerminal, Write};

use clap::Args;
use openapi_diff::command::{Options, alone};
use openapi_document::finding::DocumentError;

use super::run::diff;
use crate::commands::status;
use client_generator::generate::Layout;

/// The documents to compare, and the form of the report.
#[derive(Args, Clone, Debug)]
pub struct Arguments {
    /// The old document: a file, `-` for standard input, or `git-rev:path`. By default, the committed published document and the one on
    /// disk.
    #[arg(requires = "new")]
    old: Option<String>,
    /// The new document.
    new: Option<String>,
    /// Leaves out what it means for callers' Rust.
    #[arg(long)]
    wire_only: bool,
    #[command(flatten)]
    shown: Options,
}

impl Arguments {
    /// Runs the command; returns whether everything is in order.
    ///
    /// # Errors
    ///
    /// A document cannot be read, or a required workspace is missing.
    pub fn run(
        self,
        layout: Result<Layout, DocumentError>,
        out: &mut dyn Write,
    ) -> anyhow::Result<bool> {
        let options = Options {
            wire_only: self.wire_only,
            documents: self.old.zip(self.new),
            colour: io::stdout().is_terminal(),
            ..self.shown
        };
        match (layout, &options.documents) {
            // Two documents need no workspace.
            (Err(stop), Some((old, new))) => {
                if !options.wire_only {
                    let reasons = stop.findings().iter().map(|one| one.message.as_str());
                    let reasons: Vec<&str> = reasons.collect();
                    let subject = format!("callers' Rust: {}", reasons.join("; "));
                    status::line(&mut io::stderr(), "Skipped", &subject)?;
                }
                alone(old, new, &options, out)
            }
            (layout, _) => diff(&layout?, &options, out),
        }
    }
}

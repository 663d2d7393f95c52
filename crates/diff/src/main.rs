//! `openapi-diff`: what a new OpenAPI document means to clients of the old one. Needs nothing but the two documents.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use openapi_diff::command::{Options, alone};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Says what a new OpenAPI 3 document means on the wire to clients that were written for the old one.
///
/// Documents are files in JSON or YAML, `-` for standard input, or `git-rev:path`. Relative references to files below the folder of a
/// document are followed; nothing is fetched from the network.
#[derive(Parser)]
#[command(
    name = "openapi-diff",
    version,
    after_help = EXIT_CODES,
)]
struct Arguments {
    /// The old document.
    old: String,
    /// The new document.
    new: String,
    #[command(flatten)]
    shown: Options,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  the documents were compared
  1  a change is as bad as `--fail-on` says, or a reference cannot be followed
  2  wrong usage, or a document that cannot be read";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    openapi_document::exit(&run(arguments, &mut std::io::stdout().lock()))
}

fn run(arguments: Arguments, out: &mut dyn Write) -> Result<bool> {
    let options = Options {
        colour: std::io::stdout().is_terminal(),
        ..arguments.shown
    };
    alone(&arguments.old, &arguments.new, &options, out)
}

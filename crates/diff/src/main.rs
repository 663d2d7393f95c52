//! `openapi-diff`: what a new OpenAPI document means to clients of the old one. Needs nothing but the two documents.

use std::process::ExitCode;

use clap::Parser;
use openapi_diff::command::{Shown, alone};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Says what a new OpenAPI 3 document means on the wire to clients that were written for the old one.
///
/// Documents are files in JSON or YAML, `-` for standard input, or `git-rev:path`. Relative references to files below the folder of a
/// document are followed; nothing is fetched from the network. What OpenAPI 3.2 adds to 3.1 is not looked into: where it differs, the change is risky.
#[derive(Parser)]
#[command(name = "openapi-diff", version, after_help = EXIT_CODES)]
struct Arguments {
    /// The old document.
    old: String,
    /// The new document.
    new: String,
    #[command(flatten)]
    shown: Shown,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  the documents were compared
  1  a change is as bad as `--fail-on` says, a reference cannot be followed, or a filter or an entry of the policy
     means nothing
  2  wrong usage, or a document that cannot be read";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let options = arguments
        .shown
        .options(Some((arguments.old, arguments.new)));
    openapi_document::exit(&alone(&options, &mut std::io::stdout().lock()))
}

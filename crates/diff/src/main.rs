//! `openapi-diff`: what a new OpenAPI document means to clients of the old one. Needs nothing but the two documents.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use openapi_diff::command::{Shown, Validate, alone, log, rules, validate};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Says what a new OpenAPI 3 document means on the wire to clients that were written for the old one.
///
/// Documents are files in JSON or YAML, `-` for standard input, or `git-rev:path`. Relative references to files below the folder of a
/// document are followed; nothing is fetched from the network. What OpenAPI 3.2 adds to 3.1 is not looked into: where it differs, the change is risky.
#[derive(Parser)]
#[command(
    name = "openapi-diff",
    version,
    after_help = EXIT_CODES,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
struct Arguments {
    /// The old document.
    #[arg(required_unless_present_any = ["log", "rules", "schema"])]
    old: Option<String>,
    /// The new document.
    #[arg(required_unless_present_any = ["log", "rules", "schema"])]
    new: Option<String>,
    /// Prints a changelog instead: what each commit of the range changed in a document, which is given from the top of the repository.
    #[arg(long, num_args = 2, value_names = ["OLDREV..NEWREV", "DOCUMENT"], conflicts_with_all = ["old", "format", "view", "policy", "today", "accept", "forward", "expand", "summary"])]
    log: Option<Vec<String>>,
    /// Prints the rules with their verdicts instead; `--format json` for programs.
    #[arg(long, conflicts_with_all = ["old", "log"])]
    rules: bool,
    /// Prints the JSON Schema of `--format json` instead.
    #[arg(long, conflicts_with_all = ["old", "log", "rules"])]
    schema: bool,
    #[command(flatten)]
    shown: Shown,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Says what is wrong with documents, each for itself.
    Validate(Validate),
}

const EXIT_CODES: &str = "\
Exit codes:
  0  the documents were compared
  1  a change is as bad as `--fail-on` says, a reference cannot be followed, or a filter or an entry of the policy
     means nothing; of `validate`, a document has an error
  2  wrong usage, or a document that cannot be read";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    openapi_document::exit(&run(arguments, &mut std::io::stdout().lock()))
}

fn run(arguments: Arguments, out: &mut dyn Write) -> Result<bool> {
    let shown = arguments.shown;
    match (arguments.command, arguments.log.as_deref()) {
        (Some(Command::Validate(options)), _) => validate(&options, out),
        (None, Some([range, document])) => log(&shown.log(range, document), out),
        _ if arguments.rules => {
            write!(out, "{}", rules(shown.is_json())?)?;
            Ok(true)
        }
        _ if arguments.schema => {
            write!(out, "{}", openapi_diff::SCHEMA)?;
            Ok(true)
        }
        _ => alone(&shown.options(arguments.old.zip(arguments.new)), out),
    }
}

//! `cargo xtask`: arguments in, exit codes out. Everything else is in the library.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::commands::{self, Layout};
use xtask::finding::Stop;

/// Generates the client crate from spec/ and overrides/.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Regenerates generated/ from spec/openapi.yaml and overrides/.
    Regen {
        /// Writes nothing; exits with 1 and names every file that is stale, missing or stray.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // The binary is run by cargo, from wherever: the workspace is where it was built.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let layout = Layout::at(root);
    let mut out = std::io::stdout().lock();
    let outcome = match arguments.command {
        Command::Regen { check } => commands::regen(&layout, check, &mut out),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            let code = match error.downcast_ref::<Stop>() {
                Some(Stop::Findings(_)) => 1,
                _ => 2,
            };
            // Nothing is left to do when even this cannot be written.
            let _ = match error.downcast_ref::<Stop>() {
                Some(stop) => writeln!(std::io::stderr(), "{stop}"),
                None => writeln!(std::io::stderr(), "error: {error:#}"),
            };
            ExitCode::from(code)
        }
    }
}

//! `cargo xtask`: the commands of `openapi-crate` with the file of this repository, and those of the repository itself.

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use openapi_crate::arguments::{Chosen, Command};
use openapi_crate::config::Config;
use openapi_crate::layout::Layout;
use openapi_document::finding::DocumentError;
use openapi_document::program;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Generates the client crate from spec/ and overrides/, and keeps it right.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(flatten)]
    chosen: Chosen,
    #[command(subcommand)]
    command: Ours,
}

#[derive(Subcommand)]
enum Ours {
    /// Regenerates generated/ from spec/openapi.yaml and overrides/, and the clients in tests/documents/.
    Regen {
        /// Writes nothing; exits with 1 and names every file that is stale, missing or stray.
        #[arg(long)]
        check: bool,
    },
    #[command(flatten)]
    Tool(Box<Command>),
    /// Runs the tests that compare reviewed files with the document; says why each is red, and exits with 1 when one is.
    Review {
        /// Writes the files that differ, for a person to read.
        #[arg(long)]
        accept: bool,
    },
    /// Runs the tests that take too long for every change; exits with 1 when one fails.
    Soak,
    /// Measures the client and the generator beside code written by hand and other generators; prints a table of ratios.
    Bench {
        /// The measurements; all by default.
        #[arg(value_parser = ["decode", "call", "large", "process"])]
        parts: Vec<String>,
        /// Writes the tables of docs/performance.md and tests/bench/README.md.
        #[arg(long, conflicts_with = "parts")]
        write: bool,
    },
}

fn main() -> ExitCode {
    program::started_as("cargo xtask", "regen");
    let Arguments { chosen, command } = Arguments::parse();
    let mut out = std::io::stdout().lock();
    openapi_document::exit(&run(&chosen, command, &mut out))
}

/// Runs a command; whether everything is in order.
fn run(chosen: &Chosen, command: Ours, out: &mut dyn Write) -> anyhow::Result<bool> {
    let layout = || -> Result<Layout, DocumentError> {
        let here = std::path::absolute(".").unwrap_or_default();
        Config::around(&here)?.one(&chosen.crates)
    };
    match command {
        Ours::Tool(command) => openapi_crate::run(chosen, *command, out),
        Ours::Regen { check } => xtask::regen(&layout()?, check, out),
        Ours::Review { accept } => xtask::review(&layout()?, accept, out),
        Ours::Soak => xtask::soak(&layout()?),
        Ours::Bench { parts, write } => xtask::bench(&layout()?, &parts, write, out),
    }
}

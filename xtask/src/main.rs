//! `cargo xtask`: the commands of `openapi-crate` with the file of this repository, and those of the repository itself.

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use client_generator::generate::Layout;
use openapi_crate::arguments::{Chosen, Command};
use openapi_crate::config::Config;
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Returns the files below a folder with this ending.
    fn files(folder: &Path, ending: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                texts.extend(files(&path, ending));
            } else if path.extension().is_some_and(|own| own == ending) {
                texts.push(std::fs::read_to_string(path).unwrap());
            }
        }
        texts
    }

    /// Returns each string that begins after one text and goes up to another.
    fn between<'t>(text: &'t str, start: &str, end: char) -> impl Iterator<Item = &'t str> {
        let starts = text.split(start).skip(1);
        starts.filter_map(move |rest| Some(rest.split_once(end)?.0))
    }

    #[test]
    fn each_printed_command_is_one() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut commands = Vec::new();
        for text in files(&root.join("crates"), "rs") {
            for start in ["command(\"", "command(format_args!(\""] {
                commands.extend(between(&text, start, '"').map(str::to_owned));
            }
        }
        for text in files(&root.join("tests/generator"), "snap") {
            for start in ["`cargo xtask ", "`openapi-crate "] {
                commands.extend(between(&text, start, '`').map(str::to_owned));
            }
        }
        assert!(commands.len() > 20, "{commands:?}");
        for command in commands {
            let words = command
                .split_whitespace()
                .filter(|word| *word != "{accept}");
            if let Err(error) = Arguments::try_parse_from(["cargo xtask"].into_iter().chain(words))
            {
                panic!("`{command}`: {error}");
            }
        }
    }
}

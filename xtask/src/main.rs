//! `cargo xtask`: arguments in, exit codes out. Everything else is in the library.

mod arguments;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use openapi_document::given;
use openapi_overlay::{Selection, apply_files};
use xtask::commands::{self, overrides};

use arguments::{Arguments, Command, Format, Overlay, Overrides};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = std::io::stdout().lock();
    openapi_document::exit(&run(arguments.command, &mut out))
}

/// Runs a command; whether everything is in order.
fn run(command: Command, out: &mut dyn Write) -> anyhow::Result<bool> {
    let here = std::path::absolute(".")?;
    let layout = || commands::workspace(&here);
    match command {
        Command::Regen { check } => return commands::regen_all(&layout()?, check, out),
        Command::Soak => return commands::soak(&layout()?, out),
        Command::Bench { parts, write } => {
            return commands::bench(&layout()?, &parts, write, out);
        }
        Command::Generate {
            document,
            root,
            output,
            overrides,
            name,
            types,
            runtime,
            strict,
            verbose,
        } => {
            let text = |path: PathBuf| path.to_string_lossy().into_owned();
            let options = commands::generate::Options {
                document: text(document),
                root,
                output,
                overrides: overrides.map(text),
                name,
                types: types.unwrap_or_default(),
                runtime,
                strict,
                verbose,
            };
            let mut err = std::io::stderr().lock();
            commands::generate::generate(&options, &openapi_document::renderer(), out, &mut err)?;
        }
        Command::Check {
            document,
            root,
            overrides,
            operations,
        } => {
            let text = |path: PathBuf| path.to_string_lossy().into_owned();
            let options = commands::check::Options {
                document: text(document),
                root,
                overrides: overrides.map(text),
                operations,
            };
            let mut err = std::io::stderr().lock();
            let renderer = openapi_document::renderer();
            return commands::check::check(&layout()?, &options, &renderer, out, &mut err);
        }
        Command::Diff(arguments) => {
            return arguments.run(layout(), out);
        }
        Command::Update {
            document,
            version,
            as_given,
            dry_run,
            accept,
            verbose,
            json,
        } => {
            let options = commands::update::Options {
                document: given::absolute(&document)?,
                name: document,
                version,
                as_given,
                dry_run,
                accept,
                verbose,
                json,
                colour: std::io::stdout().is_terminal(),
            };
            return commands::update::update(&layout()?, &options, out);
        }
        Command::Review { accept, no_run } => {
            let options = commands::review::Options { accept, no_run };
            return commands::review::review(&layout()?, options, out);
        }
        Command::Release {
            version,
            bump,
            dry_run,
        } => {
            let options = commands::release::Options {
                version,
                bump,
                dry_run,
            };
            return commands::release::release(&layout()?, &options, out);
        }
        Command::Overrides(command) => return of_overrides(command, &here, out),
        Command::Overlay(Overlay::Apply {
            document,
            overlays,
            strict,
        }) => {
            let selection = match strict {
                true => Selection::MustNotBeEmpty,
                false => Selection::MayBeEmpty,
            };
            apply_files(&document, &overlays, selection, out)?;
        }
    }
    Ok(true)
}

/// Runs a command about overrides; whether everything is in order.
fn of_overrides(command: Overrides, here: &Path, out: &mut dyn Write) -> anyhow::Result<bool> {
    let layout = || commands::workspace(here);
    match command {
        Overrides::List { paths, format } => {
            let format = match format {
                _ if paths => overrides::Format::Paths,
                Format::Table => overrides::Format::Table,
                Format::Json => overrides::Format::Json,
            };
            overrides::list(&layout()?, format, out)?;
        }
        Overrides::Check { document } => {
            return overrides::check(&layout()?, absolute(document)?.as_deref(), out);
        }
        Overrides::New {
            name,
            target,
            document,
        } => {
            let document = absolute(document)?;
            overrides::new(&layout()?, &name, &target, document.as_deref(), out)?;
        }
        Overrides::FromDrift {
            line,
            report,
            operation,
            id,
        } => {
            let read = |name: String| given::text(&name).map(|text| (name, text));
            let options = overrides::DriftOptions {
                line,
                report: report.map(read).transpose()?,
                operation,
                id,
            };
            overrides::from_drift(&layout()?, &options, out)?;
        }
        Overrides::Guard { ids, document } => {
            overrides::guard(&layout()?, &ids, absolute(document)?.as_deref(), out)?;
        }
        Overrides::Rebase {
            document,
            accept,
            dry_run,
            verbose,
            json,
        } => {
            let options = overrides::RebaseOptions {
                document: given::absolute(&document)?,
                accept,
                dry_run,
                verbose,
                json,
            };
            return overrides::rebase(&layout()?, &options, out);
        }
    }
    Ok(true)
}

/// A document that was given from where the person is, while everything else is in the workspace.
fn absolute(document: Option<String>) -> anyhow::Result<Option<String>> {
    let document = document.as_deref().map(given::absolute).transpose()?;
    Ok(document)
}

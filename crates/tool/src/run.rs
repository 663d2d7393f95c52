//! From arguments to a command.

use std::io::{IsTerminal, Write};
use std::path::Path;

use anyhow::Result;
#[cfg(feature = "shell")]
use clap::CommandFactory;
use openapi_document::finding::DocumentError;
use openapi_document::{given, program};
use serde::Serialize;

#[cfg(feature = "shell")]
use crate::arguments::Arguments;
use crate::arguments::{Chosen, Command, Made, Overrides};
#[cfg(feature = "vendored")]
use crate::chosen::described;
use crate::chosen::{config, layouts};
use crate::commands::generate::Options;
use crate::commands::{self, overrides};
use crate::config::FILE;
use client_generator::generate::Layout;

/// Runs a command; returns whether everything is in order.
///
/// # Errors
///
/// Findings for a person, for [`openapi_document::exit()`].
pub fn run(chosen: &Chosen, command: Command, out: &mut dyn Write) -> Result<bool> {
    match command {
        Command::Init {
            document,
            output,
            name,
            runtime,
        } => {
            let config = chosen.config.as_deref();
            let file = std::path::absolute(config.unwrap_or(Path::new(FILE)))?;
            commands::init::init(&file, &document, &output, name.as_deref(), runtime, out)?;
            let option = config.map(|file| format!(" --config {}", file.display()));
            let next = format!("`{}{}`", program::generate(), option.unwrap_or_default());
            commands::status::line(out, "Next", &next)?;
        }
        Command::Generate { document, made } => {
            let options = Options {
                check: false,
                verbose: made.verbose,
            };
            let crates = layouts(chosen, document, &made)?;
            return generate(&crates, options, made.json, out);
        }
        Command::Check { verbose, json } => {
            let options = Options {
                check: true,
                verbose,
            };
            let crates = config(chosen)?.chosen(&chosen.crates)?;
            return generate(&crates, options, json, out);
        }
        Command::Validate { document, made } => return validate(chosen, document, &made, out),
        #[cfg(feature = "vendored")]
        Command::Conform {
            document,
            made,
            operations,
        } => {
            let mut is_met = true;
            for layout in layouts(chosen, document, &made)? {
                is_met &= commands::conform::conform(&layout, &operations, made.verbose, out)?;
            }
            return Ok(is_met);
        }
        #[cfg(feature = "vendored")]
        Command::Serve {
            document,
            made,
            port,
            behavior,
        } => {
            let layout = match document {
                Some(document) => described(document, &made)?,
                None => one(chosen)?,
            };
            return commands::conform::serve(&layout, port, &behavior, out);
        }
        Command::Diff(arguments) => return arguments.run(one(chosen), out),
        Command::Update(options) => {
            let options = commands::update::Options {
                document: given::absolute(&options.document)?,
                name: options.document,
                colour: std::io::stdout().is_terminal(),
                ..options
            };
            return commands::update::update(&one(chosen)?, &options, out);
        }
        Command::Overrides(command) => return of_overrides(command, &one(chosen)?, out),
        #[cfg(feature = "shell")]
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Arguments::command(), "openapi-crate", out);
        }
    }
    Ok(true)
}

/// Returns the one crate that a command is about. Messages name it if the file has others.
fn one(chosen: &Chosen) -> Result<Layout, DocumentError> {
    let config = config(chosen)?;
    let layout = config.one(&chosen.crates)?;
    if config.names().len() > 1 {
        program::about_crate(layout.name());
    }
    Ok(layout)
}

/// Generates crates, or compares them. Returns whether all are up to date.
fn generate(
    crates: &[Layout],
    options: Options,
    is_json: bool,
    out: &mut dyn Write,
) -> Result<bool> {
    let mut is_fresh = true;
    for layout in crates {
        let report = commands::generate::generate(
            layout,
            options,
            &openapi_document::renderer(),
            &mut *text(is_json, out),
            &mut std::io::stderr().lock(),
        )?;
        print_json(is_json, &report, out)?;
        is_fresh &= report.fresh;
    }
    Ok(is_fresh)
}

fn validate(
    chosen: &Chosen,
    document: Option<String>,
    made: &Made,
    out: &mut dyn Write,
) -> Result<bool> {
    let mut is_valid = true;
    for layout in layouts(chosen, document, made)? {
        let report = commands::validate::validate(
            &layout,
            made.verbose,
            &openapi_document::renderer(),
            &mut *text(made.json, out),
        )?;
        print_json(made.json, &report, out)?;
        is_valid &= report.valid;
    }
    Ok(is_valid)
}

/// Where people read: nowhere, if programs do.
fn text<'o>(is_json: bool, out: &'o mut dyn Write) -> Box<dyn Write + 'o> {
    if is_json {
        Box::new(std::io::sink())
    } else {
        Box::new(out)
    }
}

/// A line of JSON for each crate.
fn print_json(is_json: bool, report: &impl Serialize, out: &mut dyn Write) -> Result<()> {
    if is_json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
    }
    Ok(())
}

/// Runs a command about overrides; returns whether everything is in order.
fn of_overrides(command: Overrides, layout: &Layout, out: &mut dyn Write) -> Result<bool> {
    match command {
        Overrides::List { paths } => overrides::list(layout, paths, out)?,
        Overrides::Check { document } => {
            return overrides::check(layout, absolute(document)?.as_deref(), out);
        }
        Overrides::New {
            name,
            target,
            document,
        } => {
            let document = absolute(document)?;
            overrides::new(layout, &name, &target, document.as_deref(), out)?;
        }
        Overrides::Guard { ids, document } => {
            overrides::guard(layout, &ids, absolute(document)?.as_deref(), out)?;
        }
        Overrides::Rebase(mut options) => {
            options.document = given::absolute(&options.document)?;
            return overrides::rebase(layout, &options, out);
        }
    }
    Ok(true)
}

/// Makes the path of a document absolute, because it starts in the current folder and all others in that of the file.
fn absolute(document: Option<String>) -> Result<Option<String>> {
    Ok(document.as_deref().map(given::absolute).transpose()?)
}

//! From arguments to a command and the crates that it is about.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
#[cfg(feature = "shell")]
use clap::CommandFactory;
use client_generator::emit::{Packaging, Runtime};
use openapi_document::finding::{Finding, Stop};
use openapi_document::source::Root;
use openapi_document::{given, program};
use openapi_model::names;
use openapi_overlay::{Selection, apply_files};
use serde::Serialize;
use serde_json::{Map, Value};

#[cfg(feature = "shell")]
use crate::arguments::Arguments;
use crate::arguments::{Chosen, Command, Format, Made, Overlay, Overrides};
use crate::commands::{self, overrides};
use crate::config::Config;
use crate::layout::Layout;

/// Runs a command; whether everything is in order.
///
/// # Errors
///
/// What a person has to look at first, for [`openapi_document::exit()`].
pub fn run(chosen: &Chosen, command: Command, out: &mut dyn Write) -> Result<bool> {
    let one = || config(chosen)?.one(&chosen.crates);
    let mut err = std::io::stderr().lock();
    let renderer = openapi_document::renderer();
    match command {
        Command::Init {
            document,
            output,
            name,
            runtime,
        } => {
            let here = std::path::absolute(".")?;
            commands::init::init(&here, &document, &output, name.as_deref(), runtime, out)?;
        }
        Command::Generate { document, made } => {
            let options = commands::generate::Options {
                check: false,
                verbose: made.verbose,
            };
            for layout in layouts(chosen, document, &made)? {
                let report = commands::generate::generate(
                    &layout,
                    options,
                    &renderer,
                    &mut *text(made.json, out),
                    &mut err,
                )?;
                print_json(made.json, &report, out)?;
            }
        }
        Command::Check { verbose, json } => {
            let mut is_fresh = true;
            for layout in config(chosen)?.chosen(&chosen.crates)? {
                let report = commands::check::check(
                    &layout,
                    verbose,
                    &renderer,
                    &mut *text(json, out),
                    &mut err,
                )?;
                print_json(json, &report, out)?;
                is_fresh &= report.fresh;
            }
            return Ok(is_fresh);
        }
        Command::Validate { document, made } => {
            let mut is_valid = true;
            for layout in layouts(chosen, document, &made)? {
                let report = commands::validate::validate(
                    &layout,
                    made.verbose,
                    &renderer,
                    &mut *text(made.json, out),
                )?;
                print_json(made.json, &report, out)?;
                is_valid &= report.valid;
            }
            return Ok(is_valid);
        }
        #[cfg(feature = "fetch")]
        Command::Fetch {
            address,
            output,
            sha256,
            max_bytes,
        } => {
            let address = match address {
                Some(address) => address,
                None => addressed(&one()?)?,
            };
            let options = commands::fetch::Options {
                address,
                output,
                sha256,
                most: max_bytes,
            };
            commands::fetch::fetch(&options, out, &mut err)?;
        }
        Command::Diff(arguments) => return arguments.run(one(), out),
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
            return commands::update::update(&one()?, &options, out);
        }
        Command::Review { accept, no_run } => {
            let options = commands::review::Options { accept, no_run };
            return commands::review::review(&one()?, options, out);
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
            return commands::release::release(&one()?, &options, out);
        }
        Command::Overrides(command) => return of_overrides(command, &one()?, out),
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
        #[cfg(feature = "shell")]
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Arguments::command(), "openapi-crate", out);
        }
        #[cfg(feature = "shell")]
        Command::Man { folder } => commands::man::man(Arguments::command(), &folder)?,
    }
    Ok(true)
}

/// Where people read: nowhere, if programs do.
fn text<'o>(is_json: bool, out: &'o mut dyn Write) -> Box<dyn Write + 'o> {
    match is_json {
        true => Box::new(std::io::sink()),
        false => Box::new(out),
    }
}

/// A line of JSON for each crate.
fn print_json(is_json: bool, report: &impl Serialize, out: &mut dyn Write) -> Result<()> {
    if is_json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
    }
    Ok(())
}

/// The file that says which crates there are.
fn config(chosen: &Chosen) -> Result<Config, Stop> {
    match &chosen.config {
        Some(file) => Config::read(file),
        None => {
            let here = std::path::absolute(".").unwrap_or_default();
            Config::around(&here)
        }
    }
}

/// Where the document of a crate is published.
#[cfg(feature = "fetch")]
fn addressed(layout: &Layout) -> Result<String, Stop> {
    layout.address.clone().ok_or_else(|| {
        Stop::Unreadable(vec![Finding::about(
            "no-address",
            &layout.said_in,
            format!("the file has no `address` of `{}`", layout.name()),
            "write it there, or give it as an argument",
        )])
    })
}

/// The crates that are made: that of the document, or those of the file, each with what the arguments say instead.
fn layouts(chosen: &Chosen, document: Option<String>, made: &Made) -> Result<Vec<Layout>> {
    if let Some(document) = document {
        return Ok(vec![described(document, made)?]);
    }
    let package = package(made)?;
    let mut all = config(chosen)?.chosen(&chosen.crates)?;
    let Made {
        root,
        output,
        overrides,
        overlays,
        runtime,
        runtime_path,
        strict,
        ..
    } = made;
    let is_about_one =
        output.is_some() || overrides.is_some() || !overlays.is_empty() || !package.is_empty();
    if is_about_one && all.len() > 1 {
        return Err(Stop::Unreadable(vec![Finding::about(
            "several-crates",
            crate::config::FILE,
            "the file has several crates, and the arguments describe one",
            "choose it with `--crate`",
        )])
        .into());
    }
    for layout in &mut all {
        let below = |path: &PathBuf| below(&layout.root, path);
        if let Some(output) = output {
            layout.generated = below(output)?;
        }
        if let Some(overrides) = overrides {
            layout.overrides = below(overrides)?;
        }
        if !overlays.is_empty() {
            layout.overlays = overlays.iter().map(below).collect::<Result<_>>()?;
        }
        if let Some(root) = root {
            layout.files = Root::Option(Some(root.clone()));
        }
        if let Some(runtime) = from_arguments(
            *runtime,
            runtime_path.as_deref(),
            &layout.root.join(&layout.generated),
        )? {
            layout.packaging.runtime = runtime;
        }
        layout.strict |= strict;
        layout.package.extend(package.clone());
    }
    Ok(all)
}

/// The crate of a document that no file describes. Its paths start in the current folder.
///
/// # Errors
///
/// A name that no crate can have, types that mean nothing, or a runtime that is not there.
pub fn described(document: String, made: &Made) -> Result<Layout> {
    let text = |path: &PathBuf| path.to_string_lossy().replace('\\', "/");
    let output = made.output.clone().unwrap_or_default();
    let overrides = made.overrides.as_ref().map(text);
    let runtime = from_arguments(made.runtime, made.runtime_path.as_deref(), &output)?;
    Ok(Layout {
        root: PathBuf::new(),
        document,
        address: None,
        files: Root::Option(made.root.clone()),
        overrides: overrides.clone().unwrap_or_default(),
        overlays: made.overlays.iter().map(text).collect(),
        generated: text(&output),
        changelog: format!("{}/CHANGELOG.md", text(&output)),
        lock: "Cargo.lock".to_owned(),
        packaging: Packaging {
            command: program::generate(),
            runtime: runtime.unwrap_or(Runtime::Version),
            overrides,
        },
        strict: made.strict,
        package: package(made)?,
        said_in: "the arguments".to_owned(),
        version: None,
        tag: "v".to_owned(),
        beside_overrides: Vec::new(),
        review: None,
    })
}

/// The members of `x-rust-package` that arguments say.
fn package(made: &Made) -> Result<Map<String, Value>> {
    let mut package = Map::new();
    if let Some(name) = &made.name {
        if !names::is_package(name) {
            anyhow::bail!(
                "`{name}` cannot be the name of a crate: `{}` can",
                names::package(name)
            );
        }
        package.insert("name".to_owned(), Value::from(name.clone()));
    }
    let mut types = Map::new();
    for part in &made.types {
        let (format, wanted) = part
            .split_once('=')
            .with_context(|| format!("`{part}` is not FORMAT=TYPE, as in `date-time=jiff`"))?;
        types.insert(format.trim().to_owned(), wanted.trim().into());
    }
    if !types.is_empty() {
        package.insert("types".to_owned(), Value::Object(types));
    }
    Ok(package)
}

fn from_arguments(
    name: Option<crate::config::RuntimeName>,
    path: Option<&Path>,
    output: &Path,
) -> Result<Option<Runtime>> {
    if let Some(path) = path {
        crate::config::fits(path).map_err(|message| {
            anyhow::anyhow!(
                "{message}: give the folder `runtime` of the repository that this program is from"
            )
        })?;
        let seen = commands::generate::as_seen_from(path, output)
            .with_context(|| format!("looking for the runtime in {}", path.display()))?;
        return Ok(Some(Runtime::Path(seen)));
    }
    Ok(name.map(|name| name.runtime()).transpose()?)
}

/// A path that was given from the current folder, below that of the file.
fn below(root: &Path, path: &Path) -> Result<String> {
    let absolute = std::path::absolute(path)?;
    let below = absolute.strip_prefix(root).ok().with_context(|| {
        format!(
            "{} is not below {}, where the file is that says which crates there are",
            path.display(),
            root.display()
        )
    })?;
    Ok(below.to_string_lossy().replace('\\', "/"))
}

/// Runs a command about overrides; whether everything is in order.
fn of_overrides(command: Overrides, layout: &Layout, out: &mut dyn Write) -> Result<bool> {
    match command {
        Overrides::List { paths, format } => {
            let format = match format {
                _ if paths => overrides::Format::Paths,
                Format::Table => overrides::Format::Table,
                Format::Json => overrides::Format::Json,
            };
            overrides::list(layout, format, out)?;
        }
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
            overrides::from_drift(layout, &options, out)?;
        }
        Overrides::Guard { ids, document } => {
            overrides::guard(layout, &ids, absolute(document)?.as_deref(), out)?;
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
            return overrides::rebase(layout, &options, out);
        }
    }
    Ok(true)
}

/// A document that was given from where the person is, while everything else is in the folder of the file.
fn absolute(document: Option<String>) -> Result<Option<String>> {
    Ok(document.as_deref().map(given::absolute).transpose()?)
}

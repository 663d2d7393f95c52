//! `openapi-crate conform` and `serve`: builds and runs a service that knows the document alone, with or without a program that makes all calls of
//! a client.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;
use client_generator::emit::{CLIENT, FileTree, Runtime, SERVED, program, server};
use client_generator::generate::{calls, served};
use openapi_document::source;
use openapi_runtime_sources::{CHECKED, SOURCES};

use super::generate::{Options, generate};
use super::status::line;
use crate::config::slashes;
use crate::install::{self, Changes};
use client_generator::generate::Layout;

/// The folder of the programs, one for each package.
const FOLDER: &str = "target/conform";
/// The folder that they are built into: all of them share the dependencies. No package has this name.
const BUILT: &str = "target/conform/.built";
/// The folder of the program that serves, which no package has as its name.
const SERVER: &str = ".serve";
/// The variable that names another one.
const OTHER: &str = "CARGO_TARGET_DIR";

/// How a served document behaves beside what it says.
#[derive(Args, Clone, Debug)]
pub struct Behavior {
    /// How long a response takes, in milliseconds: a number, or a range such as `50..300`.
    #[arg(long, value_name = "MS", default_value = "0", value_parser = latency)]
    latency: (u64, u64),
    /// The percentage of requests that end with a fault: 500, 503, 429, or a body that breaks off.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    faults: u8,
    /// The seed of faults and latency: equal requests in the same order meet the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// An address on this machine that gets each webhook of the document once. Where `x-webhook-signature` says how they are signed, the secret is
    /// that of the variable WEBHOOK_SECRET, or a made-up one.
    #[arg(long, value_name = "URL")]
    webhooks: Option<String>,
}

/// Reads a latency, or a range of latencies.
fn latency(text: &str) -> Result<(u64, u64), String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    let (least, most) = (milliseconds(least)?, milliseconds(most)?);
    if least > most {
        return Err(format!(
            "`{text}` is no range: the smaller number comes first"
        ));
    }
    Ok((least, most))
}

fn milliseconds(text: &str) -> Result<u64, String> {
    let number = text.parse();
    number.map_err(|_| format!("`{text}` is no whole number of milliseconds"))
}

/// Generates, builds and runs. Returns whether each request arrived as it was meant, and each example is written as it was read. `operations` are
/// those to check, by id; without any, all.
///
/// # Errors
///
/// Those of [`generate()`], and a program that does not build.
pub fn conform(
    layout: &Layout,
    operations: &[String],
    is_verbose: bool,
    out: &mut dyn Write,
) -> Result<bool> {
    let mut client = layout.clone();
    let calls = calls(&client)?;
    let folder = Path::new(FOLDER).join(&calls.package);
    client.generated = slashes(&folder.join(CLIENT));
    client.changelog = slashes(&folder.join("CHANGELOG.md"));
    client.packaging.runtime = Runtime::Vendored(SOURCES);
    client.strict = false;
    let options = Options {
        check: false,
        verbose: is_verbose,
    };
    let renderer = openapi_document::renderer();
    let mut err = std::io::stderr().lock();
    // Nobody reads the files: what the client leaves out is said by the errors.
    generate(&client, options, &renderer, &mut std::io::sink(), &mut err)?;
    let tree = program(&calls, CHECKED, SOURCES)?;
    run(layout, &folder, tree, operations, out)
}

/// Serves the document of a client with its overrides, until the program is stopped.
///
/// # Errors
///
/// An input that cannot be read, and a program that does not build.
pub fn serve(layout: &Layout, port: u16, behavior: &Behavior, out: &mut dyn Write) -> Result<bool> {
    let folder = Path::new(FOLDER).join(SERVER);
    let tree = server(&served(layout)?, CHECKED, SOURCES)?;
    let file = std::path::absolute(layout.root.join(&folder).join(SERVED))?;
    let (least, most) = behavior.latency;
    let arguments = [
        slashes(&file),
        port.to_string(),
        least.to_string(),
        most.to_string(),
        behavior.faults.to_string(),
        behavior.seed.to_string(),
        behavior.webhooks.clone().unwrap_or_default(),
    ];
    run(layout, &folder, tree, &arguments, out)
}

/// Writes a program, builds it and runs it. Returns whether it succeeds.
#[expect(
    clippy::disallowed_methods,
    reason = "it starts cargo, and no step of the pipeline follows"
)]
fn run(
    layout: &Layout,
    folder: &Path,
    tree: FileTree,
    arguments: &[String],
    out: &mut dyn Write,
) -> Result<bool> {
    let files = tree.iter();
    let mut files: Changes = files
        .map(|(path, content)| (path.to_owned(), Some(content.to_owned())))
        .collect();
    // The versions that the repository has, so that dependencies are those that are there already.
    if let Ok(lock) = source::string(&layout.root.join(&layout.lock)) {
        files.push(("Cargo.lock".to_owned(), Some(lock)));
    }
    let folder = layout.root.join(folder);
    install::change(&folder, &files)?;
    let ignored = (".gitignore".to_owned(), Some("*\n".to_owned()));
    install::change(&layout.root.join(FOLDER), &vec![ignored])?;
    line(out, "Running", &slashes(&folder))?;
    out.flush()?;
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--quiet", "--manifest-path"]);
    cargo.arg(folder.join("Cargo.toml"));
    if std::env::var_os(OTHER).is_none() {
        cargo.env(OTHER, std::path::absolute(layout.root.join(BUILT))?);
    }
    let status = cargo.arg("--").args(arguments).status();
    Ok(status.context("starting cargo")?.success())
}

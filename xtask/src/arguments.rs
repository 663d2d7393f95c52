//! The arguments of `cargo xtask`, with the help that a person sees.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use openapi_model::extensions::Types;

/// Generates the client crate from spec/ and overrides/.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Regenerates generated/ from spec/openapi.yaml and overrides/, and the clients in tests/documents/.
    Regen {
        /// Writes nothing; exits with 1 and names every file that is stale, missing or stray.
        #[arg(long)]
        check: bool,
    },
    /// Generates a crate that stands alone from any OpenAPI 3 document.
    Generate {
        /// The document, in JSON or YAML.
        document: PathBuf,
        /// The folder below which references to other files are followed, if not that of the document.
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
        /// The folder of the crate. Files that were not generated are never replaced or deleted.
        #[arg(long, value_name = "DIR")]
        output: PathBuf,
        /// A folder of overrides, laid out as overrides/ is.
        #[arg(long, value_name = "DIR")]
        overrides: Option<PathBuf>,
        /// The name of the package, if not that of the document's title.
        #[arg(long)]
        name: Option<String>,
        /// The types of strings by their formats, as `date-time=jiff,uuid=uuid`: `date` and `date-time` are `jiff`, `chrono` or `text`, and
        /// `uuid` is `uuid` or `text`.
        #[arg(long, value_name = "FORMAT=TYPE", value_parser = Types::parse)]
        types: Option<Types>,
        /// The folder of the crate `metered-client`; without it, the manifest names its version.
        #[arg(long, value_name = "PATH")]
        runtime: Option<PathBuf>,
        /// Writes nothing and exits with 1 when anything of the document is left out or less typed than it could be.
        #[arg(long)]
        strict: bool,
        /// Shows all warnings in full.
        #[arg(long)]
        verbose: bool,
    },
    /// Makes all calls of the client of any document against a service that knows the document alone; exits with 1 where a request does not
    /// arrive as it was meant, or an example is not written as it was read.
    Check {
        /// The document, in JSON or YAML.
        document: PathBuf,
        /// The folder below which references to other files are followed, if not that of the document.
        #[arg(long, value_name = "DIR")]
        root: Option<PathBuf>,
        /// A folder of overrides, laid out as overrides/ is.
        #[arg(long, value_name = "DIR")]
        overrides: Option<PathBuf>,
        /// The ids of the operations to check; all where nothing is said. Their defects are shown in full.
        operations: Vec<String>,
    },
    /// Says what a new document means to clients that were written for the old one.
    Diff(xtask::commands::diff::Arguments),
    /// Brings the workspace up to a new document: spec/, overrides/, generated/, the version and the changelog; or says what a person has
    /// to do first, and changes nothing.
    Update {
        /// The new document: a file, `-` for standard input, or `git-rev:path`. The document in place is taken after an edit by hand.
        document: String,
        /// The version of the package, if not the least that is due.
        #[arg(long)]
        version: Option<String>,
        /// Takes the text of the document as it is. Otherwise JSON, and a document with its keys in another order, is written in the form of
        /// the committed document.
        #[arg(long)]
        as_given: bool,
        /// Shows everything, changes nothing.
        #[arg(long)]
        dry_run: bool,
        /// Moves overrides where that is likely and not certain, too. Where the new document allows null in more than half of the places of
        /// responses that were never null, an override keeps them as they were; without this option, and for fewer places, the crate
        /// follows the document. The same holds for parameters whose style, bounds or default the new document no longer says, for schemas
        /// that it leaves empty, and for operations that it takes without a credential.
        #[arg(long)]
        accept: bool,
        /// Names each override and target that follows the document, and shows each finding in full.
        #[arg(long)]
        verbose: bool,
        /// Prints how the overrides follow the document as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Prepares a release of the crate: the version that is due since the last tag `v*`, the changelog, Cargo.lock, and the text of the tag.
    Release {
        /// The version of the package, if not the least that is due.
        #[arg(long)]
        version: Option<String>,
        /// Sets the version and completes the changelog, whose entry stays unreleased.
        #[arg(long)]
        bump: bool,
        /// Shows everything, changes nothing.
        #[arg(long)]
        dry_run: bool,
    },
    /// Shows what a person has to review after an update: snapshots, and the facts of tests/facts/. Exits with 1 when something is
    /// pending.
    Review {
        /// Accepts everything that is pending.
        #[arg(long)]
        accept: bool,
        /// Shows what earlier tests left, and runs none.
        #[arg(long)]
        no_run: bool,
    },
    /// Lists, checks and writes overrides.
    #[command(subcommand)]
    Overrides(Overrides),
    /// Applies OpenAPI Overlays to any document.
    #[command(subcommand)]
    Overlay(Overlay),
    /// Runs the tests that take too long for every change; exits with 1 when one fails.
    Soak,
    /// Measures the client and the generator beside code written by hand and other generators; prints a table of ratios.
    Bench {
        /// What to measure; everything where nothing is said.
        #[arg(value_parser = ["decode", "call", "large", "process"])]
        parts: Vec<String>,
        /// Writes the table of everything into docs/performance.md.
        #[arg(long, conflicts_with = "parts")]
        write: bool,
    },
}

#[derive(Subcommand)]
pub(crate) enum Overrides {
    /// Lists all overrides: family, id, verdict, section of the reference, what it is about.
    List {
        /// Prints the files only, one a line, in the order in which they apply.
        #[arg(long, conflicts_with = "format")]
        paths: bool,
        /// How to print.
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
    /// Judges all overrides and lints the set; exits with 1 when something has to be looked at.
    Check {
        /// Another document than the published one, for an update.
        #[arg(long)]
        document: Option<String>,
    },
    /// Writes a new override with its guard filled in from the document.
    New {
        /// Where it belongs, as `upstream/article-date`.
        #[arg(value_name = "FAMILY/ID")]
        name: String,
        /// RFC 9535 JSONPath of what it is about.
        #[arg(long, value_name = "JSONPATH")]
        target: String,
        /// Another document than the published one, for an update.
        #[arg(long)]
        document: Option<String>,
    },
    /// Writes an override for a line of `Response::drift()`, with its guard and a skeleton of its evidence.
    FromDrift {
        /// The line as it is printed, best with `{:#}`.
        #[arg(required_unless_present = "report", conflicts_with = "report")]
        line: Option<String>,
        /// A file with many lines, or `-` for standard input.
        #[arg(long, value_name = "FILE")]
        report: Option<String>,
        /// The id of the operation, for lines that do not name it.
        #[arg(long)]
        operation: Option<String>,
        /// The id of the override, for one line.
        #[arg(long, conflicts_with = "report")]
        id: Option<String>,
    },
    /// Writes the guards of these overrides as the document is now; without ids, of all that lack one.
    Guard {
        /// Overrides, by id.
        ids: Vec<String>,
        /// Another document than the published one, for an update.
        #[arg(long)]
        document: Option<String>,
    },
    /// Moves all overrides from the published document to another one: targets, references and guards, as `update` does first.
    Rebase {
        /// The document to follow: a file, `-` for standard input, or `git-rev:path`.
        #[arg(long)]
        document: String,
        /// Moves overrides where that is likely and not certain, too. Where the new document allows null in more than half of the places of
        /// responses that were never null, an override keeps them as they were; without this option, and for fewer places, the crate
        /// follows the document. The same holds for parameters whose style, bounds or default the new document no longer says, for schemas
        /// that it leaves empty, and for operations that it takes without a credential.
        #[arg(long)]
        accept: bool,
        /// Shows everything, changes nothing.
        #[arg(long)]
        dry_run: bool,
        /// Names each override and target, and shows each finding in full.
        #[arg(long)]
        verbose: bool,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
}

#[derive(Subcommand)]
pub(crate) enum Overlay {
    /// Prints the document after the overlays, as YAML or JSON like the document.
    Apply {
        /// The document.
        document: String,
        /// The overlays, in their order.
        #[arg(required = true)]
        overlays: Vec<String>,
        /// Makes a target that selects nothing an error.
        #[arg(long)]
        strict: bool,
    },
}

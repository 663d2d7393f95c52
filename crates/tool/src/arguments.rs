//! The command line, with the help that a person sees.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands;
use crate::config::RuntimeName;

/// Makes a Rust crate of an OpenAPI document, and keeps it right when the document changes.
#[derive(Parser)]
#[command(name = "openapi-crate", version, arg_required_else_help = true)]
pub struct Arguments {
    /// The crates of the command.
    #[command(flatten)]
    pub chosen: Chosen,
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The crates of a command.
#[derive(Args, Clone, Debug, Default)]
pub struct Chosen {
    /// The file that lists the crates; without it, `openapi-crate.toml` in this folder or the nearest above it.
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// A crate of the file, by its name; several times for several crates.
    #[arg(long = "crate", global = true, value_name = "NAME")]
    pub crates: Vec<String>,
}

/// Settings of a crate that no file describes, and of what a command prints.
#[derive(Args, Clone, Debug, Default)]
pub struct Made {
    /// The folder below which references to other files are followed, if not that of the document.
    #[arg(long, requires = "document", value_name = "DIR")]
    pub root: Option<PathBuf>,
    /// The folder of the crate. Files that were not generated are never replaced or deleted.
    #[arg(long, requires = "document", value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// A folder of overrides.
    #[arg(long, requires = "document", value_name = "DIR")]
    pub overrides: Option<PathBuf>,
    /// An Overlay of any tool, which applies before the overrides; several times for several Overlays, in their order.
    #[arg(long = "overlay", requires = "document", value_name = "FILE")]
    pub overlays: Vec<PathBuf>,
    /// The name of the package, if not that of the document's title.
    #[arg(long, requires = "document")]
    pub name: Option<String>,
    /// The source of the crate's runtime, if not the crate itself.
    #[arg(
        long,
        requires = "document",
        value_enum,
        conflicts_with = "runtime_path"
    )]
    pub runtime: Option<RuntimeName>,
    /// The folder of the runtime, for a crate that depends on it by its path.
    #[arg(long, requires = "document", value_name = "DIR")]
    pub runtime_path: Option<PathBuf>,
    /// Exits with 1, and writes no file, when anything of the document is left out or less typed than it could be.
    #[arg(long)]
    pub strict: bool,
    /// Shows all warnings in full.
    #[arg(long)]
    pub verbose: bool,
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Writes the file that lists the crates, for a document. Paths start at the folder of the file.
    Init {
        /// The document, in JSON or YAML: a path below that folder.
        document: String,
        /// The folder of the crate.
        #[arg(long, value_name = "DIR")]
        output: String,
        /// The name of the package, if not that of the document's title.
        #[arg(long)]
        name: Option<String>,
        /// The source of the crate's runtime.
        #[arg(long, value_enum, default_value = "vendored")]
        runtime: RuntimeName,
    },
    /// Generates the crates of the file, or a crate from any OpenAPI 3 document.
    Generate {
        /// A document, in JSON or YAML, for a crate that no file describes: `--output` is its folder.
        #[arg(requires = "output")]
        document: Option<String>,
        /// Settings of the document's crate.
        #[command(flatten)]
        made: Made,
    },
    /// Compares the crates with what would be generated; exits with 1 and names every file that is stale, missing or stray.
    Check {
        /// Names all files, and shows all warnings.
        #[arg(long)]
        verbose: bool,
        /// Prints JSON.
        #[arg(long)]
        json: bool,
    },
    /// Reports the errors of a document, and the parts that a crate would leave out; exits with 1 for an error.
    Validate {
        /// A document, in JSON or YAML; without it, those of the file.
        document: Option<String>,
        /// Settings of the document's crate.
        #[command(flatten)]
        made: Made,
    },
    /// Makes all calls of a client against a service that knows the document alone, in a program that cargo builds; exits with 1 where a request
    /// does not arrive as it was meant, or an example is not written as it was read.
    #[cfg(feature = "vendored")]
    Conform {
        /// A document, in JSON or YAML; without it, that of the file.
        document: Option<String>,
        /// Settings of the document's crate.
        #[command(flatten)]
        made: Made,
        /// An operation to check, by its id, instead of all; its defects are shown in full. Several times for several operations.
        #[arg(long = "operation", value_name = "ID")]
        operations: Vec<String>,
    },
    /// Serves a document on this machine: checks requests, and responds with the documented examples, or with values made up by the schemas. A first
    /// run builds the program.
    #[cfg(feature = "vendored")]
    Serve {
        /// A document, in JSON or YAML; without it, that of the file.
        document: Option<String>,
        /// Settings of the document's crate.
        #[command(flatten)]
        made: Made,
        /// The port; 0 for any that is free.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// How the service behaves.
        #[command(flatten)]
        behavior: commands::conform::Behavior,
    },
    /// Reports the effect of a new document on clients that were written for the old one.
    Diff(commands::diff::Arguments),
    /// Brings everything up to a new document: the document in place, overrides, the crate, its version and the changelog. If a person has to decide
    /// first, lists the decisions and changes nothing.
    Update(commands::update::Options),
    /// Lists, checks and writes overrides.
    #[command(subcommand)]
    Overrides(Overrides),
    /// Prints completions for a shell.
    #[cfg(feature = "shell")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Commands for overrides.
#[derive(Subcommand)]
pub enum Overrides {
    /// Lists all overrides: family, id, verdict, section of the reference, what it is about.
    List {
        /// Prints the files only, one a line, in the order in which they apply.
        #[arg(long)]
        paths: bool,
    },
    /// Judges all overrides and lints the set; exits with 1 if a person has to review something.
    Check {
        /// Another document than the published one, for an update.
        #[arg(long)]
        document: Option<String>,
    },
    /// Writes a new override with its guard filled in from the document.
    New {
        /// Its family and name, as `upstream/article-date`.
        #[arg(value_name = "FAMILY/ID")]
        name: String,
        /// RFC 9535 JSONPath of what it is about.
        #[arg(long, value_name = "JSONPATH")]
        target: String,
        /// Another document than the published one, for an update.
        #[arg(long)]
        document: Option<String>,
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
    Rebase(commands::overrides::RebaseOptions),
}

//! The arguments of `cargo xtask update`.

use clap::Args;

/// Options of an update.
#[derive(Args, Clone, Debug)]
pub struct Options {
    /// The new document: a file, `-` for standard input, or `git-rev:path`. The document in place is taken after an edit by hand.
    pub document: String,
    /// The document as the person named it.
    #[arg(skip)]
    pub name: String,
    /// The version of the package, if not the least that is due.
    #[arg(long)]
    pub version: Option<String>,
    /// Shows everything, changes nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Also applies moves that are likely but not certain. If the new document allows null in more than half of the places of responses that
    /// were never null, an override keeps them as they were; without this option, and for fewer places, the crate follows the document.
    #[arg(long)]
    pub accept: bool,
    /// Names each override and target that follows the document, and shows all changes.
    #[arg(long)]
    pub verbose: bool,
    /// True to print with colours.
    #[arg(skip)]
    pub colour: bool,
}

//! The arguments of `cargo xtask update`.

/// Options of an update.
#[derive(Clone, Debug)]
pub struct Options {
    /// The new document: a file, as an absolute path or relative to the workspace; `-`, which is standard input; or `git-rev:path`.
    pub document: String,
    /// The document as the person named it.
    pub name: String,
    /// The version that the package gets; without it, the least that is due.
    pub version: Option<String>,
    /// Keeps the formatting of the document. Otherwise JSON, and a document with its keys in another order, is written in the form of the
    /// committed document.
    pub as_given: bool,
    /// Shows everything and changes nothing.
    pub dry_run: bool,
    /// Also applies moves that are likely but not certain.
    pub accept: bool,
    /// Names each override and target that follows, and shows each finding in full.
    pub verbose: bool,
    /// True to print with colours.
    pub colour: bool,
}

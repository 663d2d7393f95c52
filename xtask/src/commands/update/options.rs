//! The arguments of `cargo xtask update`.

/// What to update to, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The new document, as an absolute path or relative to the workspace.
    pub document: String,
    /// What the person called it.
    pub name: String,
    /// The version that the package gets; without it, the least that is due.
    pub version: Option<String>,
    /// Shows everything and changes nothing.
    pub dry_run: bool,
    /// Whether to print with colours.
    pub colour: bool,
}

//! The arguments of `cargo xtask release`.

/// Options of a release.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The version that the package gets; without it, the least that is due.
    pub version: Option<String>,
    /// Sets the version and completes the changelog; the entry stays unreleased.
    pub bump: bool,
    /// Shows everything and changes nothing.
    pub dry_run: bool,
}

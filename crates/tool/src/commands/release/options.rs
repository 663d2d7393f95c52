//! The arguments of `cargo xtask release`.

use clap::Args;

/// Options of a release.
#[derive(Args, Clone, Debug, Default)]
pub struct Options {
    /// The version of the package, if not the least that is due.
    #[arg(long)]
    pub version: Option<String>,
    /// Sets the version and completes the changelog, whose entry stays unreleased.
    #[arg(long)]
    pub bump: bool,
    /// Shows everything, changes nothing.
    #[arg(long)]
    pub dry_run: bool,
}

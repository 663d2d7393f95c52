//! rustdoc's description of a crate of the workspace, for tests of its public items.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

/// Runs rustdoc for a package of the workspace with all of its features, and returns the file with its JSON. `scratch` is the
/// `CARGO_TARGET_TMPDIR` of a test.
///
/// # Errors
///
/// The package does not build.
pub fn rustdoc(package: &str, scratch: &str) -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // A separate folder: the variable below makes cargo build dependencies again under their old names, and the doctests of the same run
    // would no longer find them.
    let target = Path::new(scratch).join("rustdoc");
    // The JSON output is unstable, and its format belongs to the pinned toolchain.
    let output = Command::new(env!("CARGO"))
        .current_dir(&root)
        .env("RUSTC_BOOTSTRAP", "1")
        .args(["rustdoc", "--quiet", "--locked", "--lib", "--all-features"])
        .args(["--package", package, "--target-dir"])
        .arg(&target)
        .args(["--", "-Zunstable-options", "--output-format", "json"])
        .output()?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(target.join(format!("doc/{}.json", package.replace('-', "_"))))
}

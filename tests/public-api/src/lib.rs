//! rustdoc's description of a crate of the workspace, for tests of its public items.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use anyhow::{Result, anyhow, ensure};

/// The packages that callers depend on. They are described in one run, because a run for each of them builds dependencies with the features
/// of that one.
const PACKAGES: [&str; 3] = ["company-intel", "generated-cli", "generated-client"];

/// Returns the file with rustdoc's JSON of a package that callers depend on, with all features. `scratch` is the `CARGO_TARGET_TMPDIR` of a test.
///
/// # Errors
///
/// A package does not build.
pub fn rustdoc(package: &str, scratch: &str) -> Result<PathBuf> {
    // cargo describes them again in each run.
    static MADE: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let folder = MADE.get_or_init(|| described(scratch).map_err(|error| error.to_string()));
    let folder = folder.as_ref().map_err(|message| anyhow!("{message}"))?;
    Ok(folder.join(format!("{}.json", package.replace('-', "_"))))
}

fn described(scratch: &str) -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    // A separate folder: the first variable below makes cargo build dependencies again under their old names, and the doctests of the same run
    // would no longer find them.
    let target = Path::new(scratch).join("rustdoc");
    // The JSON output is unstable, and its format belongs to the pinned toolchain.
    let output = Command::new(env!("CARGO"))
        .current_dir(&root)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format json")
        .args([
            "doc",
            "--quiet",
            "--locked",
            "--no-deps",
            "--lib",
            "--all-features",
        ])
        .args(PACKAGES.iter().flat_map(|name| ["--package", name]))
        .arg("--target-dir")
        .arg(&target)
        .output()?;
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(target.join("doc"))
}

//! What a change adds to or takes from the public items of a crate is a line of a snapshot, which `cargo xtask review` shows.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Lists the public items of a package of the workspace with all of its features, in the form of `cargo public-api`, without the
/// implementations that the compiler makes.
fn public_items(package: &str) -> Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    // The output in JSON is unstable, and its form belongs to the pinned toolchain.
    let output = Command::new(env!("CARGO"))
        .current_dir(root)
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
    let file = format!("doc/{}.json", package.replace('-', "_"));
    let items = public_api::Builder::from_rustdoc_json(target.join(file))
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .context("this version of `public-api` does not read what the pinned toolchain writes")?;
    Ok(items.to_string())
}

#[test]
fn everything_public_of_the_runtime_was_reviewed() -> Result<()> {
    insta::assert_snapshot!("metered-client", public_items("metered-client")?);
    Ok(())
}

#[test]
fn everything_public_of_the_client_was_reviewed() -> Result<()> {
    insta::assert_snapshot!("company-intel", public_items("company-intel")?);
    Ok(())
}

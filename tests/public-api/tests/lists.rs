//! What a change adds to or takes from the public items of a crate is a line of a snapshot, which `cargo xtask review` shows.

use anyhow::{Context, Result};
use public_api_tests::rustdoc;

/// Lists the public items of a package of the workspace with all of its features, in the form of `cargo public-api`, without the
/// implementations that the compiler makes.
fn public_items(package: &str) -> Result<String> {
    let items =
        public_api::Builder::from_rustdoc_json(rustdoc(package, env!("CARGO_TARGET_TMPDIR"))?)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .omit_auto_derived_impls(true)
            .build()
            .context(
                "this version of `public-api` does not read what the pinned toolchain writes",
            )?;
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

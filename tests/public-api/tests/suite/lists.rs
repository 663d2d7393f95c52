//! Changes of the public items of a crate are lines of a snapshot, which `git diff` shows after a run with `INSTA_UPDATE=always`.

use std::collections::BTreeSet;

use anyhow::{Context, Result};
use public_api_tests::rustdoc;

/// Lists the public items of a package of the workspace with all of its features, in the form of `cargo public-api`, without
/// implementations by the compiler.
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
#[ignore = "the gate runs it: rustdoc describes the crates with all features"]
fn everything_public_of_the_runtime_was_reviewed() -> Result<()> {
    for name in ["generated-cli", "generated-client"] {
        insta::assert_snapshot!(name, public_items(name)?);
    }
    Ok(())
}

#[test]
#[ignore = "the gate runs it: rustdoc describes the crates with all features"]
fn everything_public_of_the_client_was_reviewed() -> Result<()> {
    insta::assert_snapshot!("company-intel", public_items("company-intel")?);
    Ok(())
}

/// Only the feature `unstable-reqwest` exposes the HTTP client, and nothing exposes the crate for secrets: their versions
/// must not affect ours.
#[test]
#[ignore = "the gate runs it: rustdoc describes the crates with all features"]
fn http_and_secrets_have_types_of_our_own() -> Result<()> {
    for name in ["generated-client", "company-intel"] {
        let items = public_items(name)?;
        let named = items
            .lines()
            .filter(|line| line.contains("reqwest") || line.contains("secrecy"));
        let of_feature = |line: &&str| line.contains("::http(self") || line.ends_with("::reqwest");
        let (feature, other): (Vec<_>, Vec<_>) = named.partition(of_feature);
        assert!(!feature.is_empty() && other.is_empty(), "{name}: {other:?}");
    }
    Ok(())
}

/// Returns the methods of a crate's `Client`, from its public items. Those that take a `Request` are for builders, which offer them.
fn methods<'i>(items: &'i str, path: &str) -> BTreeSet<&'i str> {
    let lines = items
        .lines()
        .filter(|line| !line.contains("request::Request"));
    let methods = lines.filter_map(|line| {
        let line = line
            .strip_prefix("pub async fn ")
            .or(line.strip_prefix("pub fn "))?;
        line.strip_prefix(path)?.split(['(', '<']).next()
    });
    methods.filter(|method| *method != "fmt").collect()
}

#[test]
#[ignore = "the gate runs it: rustdoc describes the crates with all features"]
fn the_client_of_a_crate_has_all_methods_of_the_client_that_it_wraps() -> Result<()> {
    let core = public_items("generated-client")?;
    let of_crate = public_items("company-intel")?;
    let mut wrapped = methods(&core, "generated_client::Client::");
    let offered = methods(&of_crate, "company_intel::Client::");
    for known in ["budget", "scoped", "raw"] {
        assert!(wrapped.contains(known), "{known}: {wrapped:?}");
    }
    // All of these are known for an emitted client.
    for inner in ["api", "interceptor", "is_metered", "with_interceptor"] {
        assert!(wrapped.remove(inner), "{inner}");
    }
    let missing: Vec<_> = wrapped.difference(&offered).collect();
    assert!(
        missing.is_empty(),
        "crates/generator/src/operations/client.rs does not emit {missing:?}"
    );
    Ok(())
}

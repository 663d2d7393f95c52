//! Crates of the types alone.

use std::collections::BTreeMap;

use client_generator::emit::Runtime;
use client_generator::generate::{Generated, Layout, generate};
use openapi_document::finding::DocumentError;
use openapi_runtime_sources::SOURCES;
use serde_json::{Value, json};

use crate::support::{self, layout, repository};

const DOCUMENT: &str = "tests/documents/depot/openapi.yaml";

fn made(package: Value, runtime: Runtime) -> Result<Generated, DocumentError> {
    generate(&Layout {
        package: package.as_object().unwrap().clone(),
        ..layout(&repository(), DOCUMENT, runtime)
    })
}

fn files(package: Value, runtime: Runtime) -> BTreeMap<String, String> {
    support::files(&made(package, runtime).unwrap().tree)
}

/// Returns the names of the dependencies.
fn dependencies(manifest: &str) -> Vec<&str> {
    let (_, lines) = manifest.split_once("\n[dependencies]\n").unwrap();
    let lines = lines.lines();
    lines.map(|line| line.split(' ').next().unwrap()).collect()
}

#[test]
fn the_types_are_those_of_the_client() {
    let alone = files(json!({"types-only": true}), Runtime::Version);
    let client = files(json!({}), Runtime::Version);
    let (types, _) = client["src/types.rs"]
        .split_once("\nimpl DocumentedError for ")
        .unwrap();
    let types = types.replace("use generated_client::error::DocumentedError;\n", "");
    assert_eq!(alone["src/types.rs"].trim_end(), types.trim_end());
    let root = &alone["src/lib.rs"];
    for word in ["client", "operations", "handles", "Error", "transport"] {
        let is_declared =
            root.contains(&format!("mod {word};")) || root.contains(&format!(" {word},"));
        assert!(!is_declared, "{root}");
        assert!(!alone.contains_key(&format!("src/{word}.rs")), "{word}");
    }
}

#[test]
fn a_crate_that_contains_the_runtime_has_only_the_reader_of_types() {
    let alone = files(json!({"types-only": true}), Runtime::Vendored(SOURCES));
    let needed = [
        "base64",
        "bytes",
        "secrecy",
        "serde",
        "serde_json",
        "thiserror",
    ];
    assert_eq!(dependencies(&alone["Cargo.toml"]), needed);
    for module in ["call", "client", "credentials", "request", "transport"] {
        let folder = format!("src/generated_client/{module}/");
        assert!(
            !alone.keys().any(|path| path.starts_with(&folder)),
            "{folder}"
        );
    }
}

#[test]
fn settings_of_a_client_are_refused() {
    for (key, value) in [
        ("cli", json!(true)),
        ("parts", json!(["cache"])),
        ("features", json!("tags")),
        ("handles", json!("tags")),
    ] {
        let error = made(json!({"types-only": true, key: value}), Runtime::Version);
        let error = error.err().unwrap().to_string();
        assert!(
            error.contains(&format!("a crate of types alone has no `{key}`")),
            "{error}"
        );
    }
}

//! The pipeline accepts any document: a small foreign API, generated and compiled.

use std::process::Command;

use crate::support::{Emitted, Workspace, builder, repository};

#[test]
#[ignore = "the gate runs it: it compiles a crate"]
fn a_foreign_document_becomes_a_crate_that_compiles_without_warnings() {
    compiles("bookshop");
}

#[test]
#[ignore = "the gate runs it: it compiles a crate"]
fn odd_names_and_shapes_become_a_crate_that_compiles_without_warnings() {
    compiles("oddities");
}

#[test]
#[ignore = "the gate runs it: it compiles a crate"]
fn credentials_and_addresses_become_a_crate_that_compiles_without_warnings() {
    compiles("zoo");
}

/// Generates and compiles the crate of a fixture, whose package has the fixture's name.
fn compiles(fixture: &str) {
    let workspace = Workspace::fixture(fixture);
    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");

    let [cli, core] = ["cli", "core"].map(|name| repository().join("runtime").join(name));
    // The emitted manifest inherits from a workspace, like the committed one.
    workspace.write(
        "Cargo.toml",
        &format!(
            r#"[workspace]
resolver = "3"
members = ["generated"]

[workspace.package]
edition = "2024"
license = "MIT"
rust-version = "1.88"

[workspace.dependencies]
generated-cli = {{ path = {cli:?} }}
generated-client = {{ path = {core:?}, default-features = false, features = ["full"] }}
serde = {{ version = "1", features = ["derive"] }}
serde_json = "1"
bytes = "1"
http = "1"
thiserror = "2"
tokio = "1"
url = "2"

[workspace.lints.rust]
missing_docs = "deny"
warnings = "deny"
"#
        ),
    );
    std::fs::copy(
        repository().join("Cargo.lock"),
        workspace.root().join("Cargo.lock"),
    )
    .unwrap();
    let outcome = Command::new(env!("CARGO"))
        .args([
            "check",
            "--offline",
            "--no-default-features",
            "--package",
            fixture,
        ])
        .arg("--target-dir")
        .arg(concat!(env!("CARGO_TARGET_TMPDIR"), "/foreign"))
        .current_dir(workspace.root())
        .output()
        .unwrap();
    assert!(
        outcome.status.success(),
        "{}",
        String::from_utf8_lossy(&outcome.stderr)
    );
}

#[test]
fn what_the_document_leaves_to_the_generator_gets_a_sensible_name() {
    let workspace = Workspace::fixture("bookshop");
    workspace.regen(false);
    let manifest = workspace.read("generated/Cargo.toml");
    assert!(manifest.contains(r#"name = "bookshop""#), "{manifest}");
    let emitted = Emitted::of_workspace(&workspace);
    let from_env = emitted.method("Client", "from_env");
    assert!(
        from_env.docs.contains("BOOKSHOP_API_KEY"),
        "{}",
        from_env.docs
    );
    let books = emitted.method("Client", "books");
    assert!(
        books.is_public && books.is("fn books(&self, shelf: i64) -> operations::Books"),
        "{}",
        books.signature
    );
    let api = emitted.item("client::API");
    assert!(api.contains("Auth::Bearer"), "{}", api.code);
    // Styles, places and bounds of parameters.
    let request = emitted.method("Books", "request");
    for statement in [
        r#"request.query_joined("ids", "%7C", &self.ids)"#,
        r#"request.optional_header("X-Trace", &self.x_trace)"#,
        r#"require_range("discount", *value, Some(0f64), Some(0.5f64))"#,
    ] {
        assert!(
            request.contains(statement),
            "{statement}: {:?}",
            request.statements
        );
    }
    let setter = emitted.method("Books", "type_");
    assert!(
        setter.is_public && setter.signature.starts_with("fn type_(mut self"),
        "{}",
        setter.signature
    );
    let field = |name: &str| {
        let mut structs = emitted.module("types").filter(|item| item.kind == "struct");
        let mut found = structs.find_map(|item| item.find(name).filter(|field| field.is_public));
        found.take().unwrap_or_else(|| panic!("no field `{name}`"))
    };
    assert!(
        field("condition").is("Option<i64>"),
        "{}",
        field("condition").signature
    );
    field("sequel");
}

#[test]
fn a_wait_looks_at_every_name_on_the_way_and_begins_where_a_text_names_it() {
    let workspace = Workspace::fixture("oddities");
    workspace.regen(false);
    let builders = workspace.read("generated/src/operations.rs");
    for place in ["detail", "details"].iter().flat_map(|detail| {
        ["made", "built", "m~1a~0de"].map(|made| format!("\"/{detail}/{made}\""))
    }) {
        assert!(builder(&builders, "TICKET").contains(&place), "{place}");
    }
    for (operation, is_waited_for) in [
        ("ticket", true),
        ("number", true),
        // One method for the response that both have.
        ("order_again", true),
        ("order", false),
        ("keep", true),
        ("text_for_a_number", false),
        ("number_for_a_text", false),
    ] {
        let builder = builder(&builders, &operation.to_uppercase());
        let waits = builder.contains("    pub fn wait(");
        assert_eq!(waits, is_waited_for, "{operation}");
    }
}

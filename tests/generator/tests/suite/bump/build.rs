//! One workspace on disk in which everything is compiled: the crates of all documents as modules of one crate, and callers.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use client_generator::emit::FileTree;
use serde_json::Value;

use super::ALL;
use crate::support::repository;

/// The dependencies of emitted code are built where the other suites build them.
pub(super) const TARGET: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/foreign");

pub(super) fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/bump"))
}

/// Writes a changed file. Rewriting an unchanged one would make cargo build it again.
pub(crate) fn write(path: &str, content: &str) {
    let path = folder().join(path);
    if std::fs::read_to_string(&path).is_ok_and(|before| before == content) {
        return;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// Writes the workspace, with the crate `pairs` and an empty crate for callers.
static WORKSPACE: LazyLock<()> = LazyLock::new(|| {
    for (name, made) in &ALL.documents {
        write_module(name, &made.tree);
    }
    let list: String = ALL
        .documents
        .keys()
        .map(|name| format!("pub mod {name};\n"))
        .collect();
    write("pairs/src/lib.rs", &list);
    write("pairs/Cargo.toml", &manifest("pairs", ""));
    write(
        "callers/Cargo.toml",
        &manifest("callers", "pairs = { path = \"../pairs\" }\n"),
    );
    if !folder().join("callers/src/lib.rs").exists() {
        write("callers/src/lib.rs", "");
    }
    let [cli, core] = ["cli", "core"].map(|name| repository().join("runtime").join(name));
    write(
        "Cargo.toml",
        &format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\"pairs\", \"callers\"]\n\n[workspace.dependencies]\n\
             generated-cli = {{ path = {cli:?} }}\n\
             generated-client = {{ path = {core:?}, default-features = false }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n"
        ),
    );
    let lock = std::fs::read_to_string(repository().join("Cargo.lock")).unwrap();
    if !folder().join("Cargo.lock").exists() {
        write("Cargo.lock", &lock);
    }
});

fn manifest(name: &str, more: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         generated-client = {{ workspace = true, features = [\"metered\"] }}\nserde.workspace = true\nserde_json.workspace = true\n{more}"
    )
}

/// Writes the crate of a document as a module.
fn write_module(name: &str, tree: &FileTree) {
    for (path, content) in tree.iter() {
        let Some(path) = path.strip_prefix("src/") else {
            continue;
        };
        let content = content
            .replace("#![doc = include_str!(\"../README.md\")]\n", "")
            .replace("include_str!(\"../openapi.yaml\")", "\"\"")
            .replace("crate::", &format!("crate::{name}::"));
        let path = if path == "lib.rs" { "mod.rs" } else { path };
        write(&format!("pairs/src/{name}/{path}"), &content);
    }
}

/// Runs `cargo check` on a crate of the workspace; returns whether it compiles, and the messages of cargo. All crates except the callers
/// must compile.
pub(crate) fn check(package: &str) -> (bool, Vec<Value>) {
    LazyLock::force(&WORKSPACE);
    let output = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--quiet", "--package", package])
        .args(["--message-format=json", "--target-dir", TARGET])
        .current_dir(folder())
        .output()
        .unwrap();
    let messages: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for message in &messages {
        let of = message["target"]["name"].as_str();
        let text = message["message"]["rendered"].as_str().unwrap_or_default();
        let is_error = message["message"]["level"] == "error";
        assert!(!is_error || of == Some("callers"), "{text}");
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!messages.is_empty(), "{errors}");
    (output.status.success(), messages)
}

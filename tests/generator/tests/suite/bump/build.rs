//! One workspace on the disk in which everything is compiled: the crates of all documents as modules of one, and callers.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output};

use xtask::emit;
use xtask::overrides::{OverrideSet, reconcile};
use xtask::source::Source;

use super::pairs::{PAIRS, Pair};
use crate::support::repository;

/// The dependencies of emitted code are built where the other suites build them.
const TARGET: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/foreign");

/// A pair, and the modules of its two documents.
pub(crate) struct Modules {
    pub(crate) pair: &'static Pair,
    pub(crate) old: String,
    pub(crate) new: String,
}

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_TARGET_TMPDIR"), "/bump"))
}

/// Writes a file unless it stands there already, which would make cargo build it again.
pub(crate) fn write(path: &str, content: &str) {
    let path = folder().join(path);
    if std::fs::read_to_string(&path).is_ok_and(|before| before == content) {
        return;
    }
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// The workspace with the crate `pairs`; a document that several pairs have is one module.
pub(crate) fn pairs() -> Vec<Modules> {
    let mut modules: BTreeMap<String, String> = BTreeMap::new();
    let mut module = |document: Source| {
        let count = modules.len();
        let known = modules.entry(document.text.clone());
        known
            .or_insert_with(|| {
                let name = format!("d{count:03}");
                generate(&name, document);
                name
            })
            .clone()
    };
    let pairs: Vec<Modules> = PAIRS
        .iter()
        .map(|pair| {
            let (old, new) = pair.documents();
            Modules {
                pair,
                old: module(old),
                new: module(new),
            }
        })
        .collect();
    let list: String = modules
        .values()
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
    let runtime = repository().join("runtime");
    write(
        "Cargo.toml",
        &format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\"pairs\", \"callers\"]\n\n[workspace.dependencies]\n\
             metered-client = {{ path = {runtime:?}, default-features = false }}\n\
             serde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n"
        ),
    );
    let lock = std::fs::read_to_string(repository().join("Cargo.lock")).unwrap();
    if !folder().join("Cargo.lock").exists() {
        write("Cargo.lock", &lock);
    }
    pairs
}

fn manifest(name: &str, more: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         metered-client.workspace = true\nserde.workspace = true\nserde_json.workspace = true\n{more}"
    )
}

/// Writes the crate of a document as a module.
fn generate(name: &str, document: Source) {
    let overrides = OverrideSet::default();
    let reconciled = reconcile(&document, &overrides).unwrap();
    let tree = emit::emit(&document, &overrides, &reconciled).unwrap();
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

/// Runs cargo in the workspace.
pub(crate) fn cargo(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO"))
        .args(&arguments[..1])
        .args(["--offline", "--quiet", "--target-dir", TARGET])
        .args(&arguments[1..])
        .envs(environment.iter().copied())
        .current_dir(folder())
        .output()
        .unwrap()
}

/// What rustdoc says of the crate `pairs`.
pub(crate) fn rustdoc() -> PathBuf {
    // The format is not stable, but this compiler is pinned.
    let output = cargo(
        &[
            "rustdoc",
            "--package",
            "pairs",
            "--lib",
            "--",
            "-Zunstable-options",
            "--output-format",
            "json",
            "--cap-lints",
            "allow",
        ],
        &[("RUSTC_BOOTSTRAP", "1")],
    );
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    PathBuf::from(TARGET).join("doc/pairs.json")
}

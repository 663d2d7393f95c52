//! What the generator may touch, and that it knows nothing of this one API.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use xtask::pointer;
use xtask::source::Source;

use crate::support::{Inputs, repository};

/// All Rust files below a folder, in order.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Files of `xtask` in which one of `needles` occurs.
fn files_with(needles: &[&str]) -> Vec<String> {
    let root = repository().join("xtask/src");
    rust_files(&root)
        .into_iter()
        .filter(|file| {
            let text = std::fs::read_to_string(file).unwrap();
            text.lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .any(|line| needles.iter().any(|needle| line.contains(needle)))
        })
        .map(|file| {
            file.strip_prefix(&root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect()
}

#[test]
fn the_engine_is_known_in_one_place() {
    assert_eq!(files_with(&["progenitor", "typify"]), ["types/engine.rs"]);
}

#[test]
fn the_steps_of_the_pipeline_are_taken_in_one_place() {
    for step in [
        "lint::document(",
        "lint::model(",
        "openapi::read(",
        "types::types(",
        "operations::operations(",
        "operations::client(",
        "operations::shapes(",
    ] {
        assert_eq!(files_with(&[step]), ["generate.rs"], "{step}");
    }
}

#[test]
fn an_update_generates_the_new_document_once_and_the_old_one_once() {
    let plan = repository().join("xtask/src/commands/update/plan.rs");
    let plan = std::fs::read_to_string(plan).unwrap();
    let calls = |call: &str| plan.matches(call).count();
    assert_eq!(calls("generate::code("), 1);
    assert_eq!(calls("surface::read("), 1);
    assert_eq!(calls("generate::tree(") + calls("generate::generate("), 0);
}

#[test]
fn what_the_pipeline_may_not_do_is_done_in_few_places() {
    // `xtask/clippy.toml` lists the methods: those that write files, ask the clock or the environment, or start a process.
    assert_eq!(
        files_with(&["disallowed_methods"]),
        [
            "commands/bench.rs",
            "commands/git.rs",
            "commands/review.rs",
            "commands/soak.rs",
            "commands/update/saved.rs",
            "dialect/targets.rs",
            "install/together.rs",
        ]
    );
}

/// Words that name things in general, though this document uses them too. A person looked at each.
const COMMON: &str = "words.txt";

/// Path segments, schema names and property names of a document, lower-case, in the spellings that code would use.
fn vocabulary(source: &Source) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for path in source.value["paths"].as_object().unwrap().keys() {
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            words.insert(segment.trim_matches(['{', '}']).to_lowercase());
        }
    }
    for schema in source.value["components"]["schemas"]
        .as_object()
        .unwrap()
        .keys()
    {
        words.insert(schema.to_lowercase());
        words.insert(xtask::names::snake(schema));
    }
    pointer::walk(&source.value, "", &mut |_, value| {
        let properties = value.get("properties").and_then(Value::as_object);
        for property in properties.into_iter().flat_map(|all| all.keys()) {
            words.insert(property.to_lowercase());
            words.insert(xtask::names::snake(property));
        }
    });
    words
}

#[test]
fn generator_and_runtime_know_nothing_of_this_api() {
    let words = vocabulary(&Inputs::committed().reconciled().source);
    assert!(words.len() > 200, "{words:?}");
    assert!(words.contains("credits_consumed"));
    let root = repository();
    let mut found = BTreeSet::new();
    for room in ["xtask", "runtime"] {
        for file in rust_files(&root.join(room)) {
            let text = std::fs::read_to_string(&file).unwrap().to_lowercase();
            let used = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
            found.extend(used.filter(|word| words.contains(*word)).map(str::to_owned));
        }
    }
    let reviewed = reviewed_facts::read(COMMON);
    let head = reviewed.lines().filter(|line| line.starts_with('#'));
    let head: String = head.map(|line| format!("{line}\n")).collect();
    let found: Vec<String> = found.into_iter().collect();
    let text = format!("{head}{}\n", found.join("\n"));
    reviewed_facts::assert_reviewed(COMMON, Some(&text));
}

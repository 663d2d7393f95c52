//! Restrictions of the generator: its access to the system, and no knowledge of this one API.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use openapi_document::pointer;
use openapi_document::source::Source;
use serde_json::Value;

use crate::support::{Inputs, repository};

/// Returns all Rust files below a folder, in order.
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

/// Returns the Rust files below these folders of the repository: their paths in it, and their texts.
pub(crate) fn sources(folders: &[&str]) -> impl Iterator<Item = (String, String)> + use<> {
    let root = repository();
    let files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| rust_files(&root.join(folder)))
        .collect();
    files.into_iter().map(move |file| {
        let path = file.strip_prefix(&root).unwrap().to_str().unwrap();
        (path.to_owned(), std::fs::read_to_string(&file).unwrap())
    })
}

/// Returns the files of the generator and its commands that contain one of `needles`.
fn files_with(needles: &[&str]) -> Vec<String> {
    let files = sources(&["crates", "xtask/src"]);
    let with = files.filter(|(path, text)| {
        let mut lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let is_test = path.contains("/tests/");
        !is_test && lines.any(|line| needles.iter().any(|needle| line.contains(needle)))
    });
    with.map(|(path, _)| path).collect()
}

#[test]
fn progenitor_judges_from_outside() {
    assert!(files_with(&["progenitor", "typify"]).is_empty());
}

#[test]
fn the_steps_of_the_pipeline_are_taken_in_one_place() {
    for step in [
        "lint::document(",
        "lint::model(",
        "openapi_model::read(",
        "types::types(",
        "operations::operations(",
        "operations::client(",
    ] {
        assert_eq!(
            files_with(&[step]),
            ["crates/generator/src/generate.rs"],
            "{step}"
        );
    }
}

#[test]
fn an_update_generates_the_new_document_once_and_the_old_one_once() {
    let files = sources(&["crates/tool/src/commands/update"]);
    let text: String = files.map(|(_, text)| text).collect();
    let calls = |call: &str| text.matches(call).count();
    assert_eq!(calls("generate::code("), 1);
    assert_eq!(calls("surface::read("), 1);
    assert_eq!(calls("generate::tree(") + calls("generate::generate("), 0);
}

#[test]
fn what_the_pipeline_may_not_do_is_done_in_few_places() {
    // `crates/clippy.toml` lists the methods: those that write files, ask the clock or the environment, or start a process, and reading without a bound.
    assert_eq!(
        files_with(&["disallowed_methods"]),
        [
            "crates/document/src/git.rs",
            "crates/overlay/src/parse.rs",
            "crates/runtime-sources/build.rs",
            "crates/tool/src/commands/conform.rs",
            "crates/tool/src/commands/update/saved.rs",
            "crates/tool/src/install/together.rs",
        ]
    );
}

/// Reviewed list of common words that this document uses as names, too.
const COMMON: &str = "words.txt";

/// Returns path segments, schema names and property names of a document, in lower case and in the case styles of code.
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
        words.insert(openapi_model::names::snake(schema));
    }
    pointer::walk(&source.value, "", &mut |_, value| {
        let properties = value.get("properties").and_then(Value::as_object);
        for property in properties.into_iter().flat_map(|all| all.keys()) {
            words.insert(property.to_lowercase());
            words.insert(openapi_model::names::snake(property));
        }
    });
    words
}

#[test]
fn generator_and_runtime_know_nothing_of_this_api() {
    let words = vocabulary(&Inputs::committed().reconciled().source);
    assert!(words.len() > 200, "{words:?}");
    assert!(words.contains("credits_consumed"));
    let mut found = BTreeSet::new();
    for (_, text) in sources(&["crates", "xtask", "runtime"]) {
        let text = text.to_lowercase();
        let used = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
        found.extend(used.filter(|word| words.contains(*word)).map(str::to_owned));
    }
    let reviewed = reviewed_facts::read(COMMON);
    let head = reviewed.lines().filter(|line| line.starts_with('#'));
    let head: String = head.map(|line| format!("{line}\n")).collect();
    let found: Vec<String> = found.into_iter().collect();
    let text = format!("{head}{}\n", found.join("\n"));
    reviewed_facts::assert_reviewed(COMMON, Some(&text));
}

//! Predictions compared with the compiler's public items.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use client_generator::surface::Bump::{self, Major, Minor};

use super::{ALL, build};

/// Pairs whose bump the list of public items does not show: the bump that it shows, and the reason.
const BLIND: &[(&str, Option<Bump>, &str)] = &[
    ("parameters of one type change places", None, NAMES),
    ("a parameter is bounded closer", None, BOUNDS),
    ("a parameter is bounded wider", None, BOUNDS),
    ("a parameter is bounded no more", None, BOUNDS),
    ("a value may be shorter only", None, BOUNDS),
    ("a field is deprecated", None, ATTRIBUTES),
    ("a field of a body is deprecated", None, ATTRIBUTES),
    ("a parameter is deprecated", None, ATTRIBUTES),
    ("an operation is deprecated", None, ATTRIBUTES),
    ("a body has another media type", Some(Major), INTO),
    (
        "the crate has another name",
        None,
        "all crates are modules of one here",
    ),
];
const INTO: &str = "the type of an argument is another one, which what was given becomes";
const NAMES: &str = "names of arguments are not public; callers compile and mean something else";
const ATTRIBUTES: &str = "it lists no attributes, at which the compiler warns";
const BOUNDS: &str = "bounds are checked by code";

/// Returns rustdoc's JSON for the crate `pairs`. It runs without cargo, because the flag for the unstable format would make
/// cargo build all dependencies again, and again without it.
fn rustdoc() -> PathBuf {
    let (_, messages) = build::check("pairs");
    let mut rustdoc = Command::new(Path::new(env!("CARGO")).with_file_name("rustdoc"));
    for message in &messages {
        let name = message["target"]["name"].as_str().unwrap_or_default();
        let Some(file) = message["filenames"][0].as_str() else {
            continue;
        };
        if ["generated_client", "serde", "serde_json"].contains(&name) {
            rustdoc.arg(format!("--extern={name}={file}"));
        }
    }
    let output = rustdoc
        .args(["--crate-name=pairs", "--edition=2024", "--cap-lints=allow"])
        .args([
            "-Zunstable-options",
            "--output-format=json",
            "--out-dir=doc",
        ])
        .arg(format!("-Ldependency={}/debug/deps", build::TARGET))
        .arg("pairs/src/lib.rs")
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_PKG_NAME", "pairs")
        .env("CARGO_PKG_VERSION", "0.0.0")
        .current_dir(build::folder())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    build::folder().join("doc/pairs.json")
}

/// Returns the items of each module, without the module's name.
fn items() -> BTreeMap<String, BTreeSet<String>> {
    let api = public_api::Builder::from_rustdoc_json(rustdoc())
        .omit_blanket_impls(true)
        .build()
        .unwrap();
    let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in api.items() {
        let text = item.to_string();
        let Some((_, rest)) = text.split_once("pairs::") else {
            continue;
        };
        let module = &rest[..4];
        let text = text.replace(&format!("pairs::{module}"), "crate");
        modules
            .entry(module.to_owned())
            .or_default()
            .insert(without_argument_names(&text));
    }
    modules
}

/// Removes the names of arguments, which callers give by position.
fn without_argument_names(item: &str) -> String {
    if !item.contains("fn ") {
        return item.to_owned();
    }
    let mut parts = item.split(": ");
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        let name = text.len()
            - text
                .trim_end_matches(|c: char| c.is_alphanumeric() || c == '_')
                .len();
        text.truncate(text.len() - name);
        text.push_str(part);
    }
    text
}

#[test]
#[ignore = "the gate runs it: it documents 80 crates"]
fn predictions_agree_with_the_public_items_that_rustdoc_lists() {
    let items = items();
    let mut wrong = Vec::new();
    for compared in &ALL.pairs {
        let [old, new] = compared.modules.each_ref().map(|module| &items[module]);
        let gone: Vec<&String> = old.difference(new).collect();
        let more: Vec<&String> = new.difference(old).collect();
        let seen = match (gone.is_empty(), more.is_empty()) {
            (false, _) => Some(Major),
            (true, false) => Some(Minor),
            (true, true) => None,
        };
        let predicted = compared.due();
        let blind = BLIND.iter().find(|(name, ..)| *name == compared.pair.name);
        let expected = match blind {
            Some((_, says, _)) => *says,
            None => predicted.filter(|bump| *bump > Bump::Patch),
        };
        let is_needed = blind.is_none_or(|(_, says, _)| *says != predicted);
        if seen != expected || !is_needed {
            wrong.push(format!(
                "{}: predicted {predicted:?}\ngone {gone:#?}\nmore {more:#?}",
                compared.pair.name
            ));
        }
    }
    assert!(items.values().all(|items| items.len() > 100));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

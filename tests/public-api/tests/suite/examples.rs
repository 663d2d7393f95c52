//! Every public item of the runtime has an example: `cargo test --doc` compiles them, and this test finds the items without one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;

use anyhow::{Context, Result};
use public_api_tests::rustdoc;
use serde_json::Value;

/// The public items of a crate by their module, and the examples of each module.
#[derive(Default)]
struct Crate {
    /// Name of each item, and true if it has its own example.
    items: BTreeMap<String, BTreeMap<String, bool>>,
    examples: BTreeMap<String, String>,
}

impl Crate {
    fn of(json: &Value) -> Result<Self> {
        let mut found = Self::default();
        let index = &json["index"];
        let root = item(index, &json["root"]).context("rustdoc lists the root of the crate")?;
        found.module("", root, index);
        Ok(found)
    }

    fn module(&mut self, path: &str, module: &Value, index: &Value) {
        *self.examples.entry(path.to_owned()).or_default() += &examples(&module["docs"]);
        for id in list(&module["inner"]["module"]["items"]) {
            let Some(listed) = item(index, id) else {
                continue;
            };
            let import = &listed["inner"]["use"];
            let is_import = import.is_object();
            // Items of another crate are documented there.
            let Some(found) = (if is_import {
                item(index, &import["id"])
            } else {
                Some(listed)
            }) else {
                continue;
            };
            let name = (if is_import { import } else { found })["name"].as_str();
            let Some(name) = name.filter(|_| listed["visibility"] == "public") else {
                continue;
            };
            let inner = &found["inner"];
            if inner["module"].is_object() {
                let path = format!("{path}{}{name}", if path.is_empty() { "" } else { "::" });
                self.module(&path, found, index);
                continue;
            }
            let kinds = ["struct", "enum", "trait", "function"];
            let Some(kind) = kinds.into_iter().find(|kind| inner[kind].is_object()) else {
                continue;
            };
            let own = examples(&found["docs"]) + &of_members(&inner[kind], index);
            let items = self.items.entry(path.to_owned()).or_default();
            items.insert(name.to_owned(), !own.is_empty());
            *self.examples.entry(path.to_owned()).or_default() += &own;
        }
    }

    /// Returns the items without an example that no example of their module names.
    fn without_example(&self) -> Vec<String> {
        let mut missing = Vec::new();
        for (path, items) in &self.items {
            let examples = self.examples.get(path).map_or("", String::as_str);
            let named: BTreeSet<&str> = examples
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .collect();
            let bare = items
                .iter()
                .filter(|(name, has_own)| !**has_own && !named.contains(name.as_str()));
            missing.extend(bare.map(|(name, _)| match path.as_str() {
                "" => name.clone(),
                path => format!("{path}::{name}"),
            }));
        }
        missing
    }
}

/// Returns the examples at the methods of a type, or of a trait.
fn of_members(kind: &Value, index: &Value) -> String {
    let of_impls = list(&kind["impls"])
        .filter_map(|id| item(index, id))
        .flat_map(|one| list(&one["inner"]["impl"]["items"]));
    let members = of_impls.chain(list(&kind["items"]));
    members
        .filter_map(|id| item(index, id))
        .map(|member| examples(&member["docs"]))
        .collect()
}

fn item<'j>(index: &'j Value, id: &Value) -> Option<&'j Value> {
    index.get(id.to_string())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// Returns the code of a documentation that `cargo test --doc` compiles.
fn examples(docs: &Value) -> String {
    let mut code = String::new();
    let mut fence: Option<bool> = None;
    for line in docs.as_str().unwrap_or_default().lines() {
        match (line.trim_start().strip_prefix("```"), fence) {
            (Some(info), None) => {
                let known = ["", "no_run", "should_panic"];
                fence = Some(info.split(',').all(|word| known.contains(&word.trim())));
            }
            (Some(_), Some(_)) => fence = None,
            (None, Some(true)) => code += &format!("{line}\n"),
            (None, _) => {}
        }
    }
    code
}

#[test]
#[ignore = "the gate runs it: rustdoc describes the crates with all features"]
fn every_public_item_of_the_runtime_has_an_example_or_is_used_in_one_of_its_module() -> Result<()> {
    let (mut items, mut missing) = (0, Vec::new());
    for name in ["generated-cli", "generated-client"] {
        let file = BufReader::new(File::open(rustdoc(name, env!("CARGO_TARGET_TMPDIR"))?)?);
        let found = Crate::of(&serde_json::from_reader(file)?)?;
        items += found.items.values().map(BTreeMap::len).sum::<usize>();
        missing.extend(
            found
                .without_example()
                .into_iter()
                .map(|item| format!("{name}: {item}")),
        );
    }
    assert!(items > 100, "{items} items");
    assert!(
        missing.is_empty(),
        "{} of {items}: {missing:#?}",
        missing.len()
    );
    Ok(())
}

#[test]
fn an_item_without_an_example_is_found() -> Result<()> {
    let text = |docs: &str| serde_json::json!(docs);
    assert_eq!(
        examples(&text("One.\n\n```\nOne::new();\n```\nTwo")),
        "One::new();\n"
    );
    for prose in ["`One`", "```text\nOne\n```", "```ignore\nOne\n```", ""] {
        assert_eq!(examples(&text(prose)), "", "{prose}");
    }
    let public = |id: u32, name: &str, docs: &str| {
        serde_json::json!({"id": id, "name": name, "docs": docs, "visibility": "public",
            "inner": {"struct": {"impls": []}}})
    };
    let json = serde_json::json!({"root": 0, "index": {
        "0": {"name": "krate", "docs": "```\nNamed;\n```", "visibility": "public",
            "inner": {"module": {"items": [1, 2, 3]}}},
        "1": public(1, "Named", ""),
        "2": public(2, "Shown", "```\nlet it = 1;\n```"),
        "3": public(3, "Bare", "`Bare` is a type."),
    }});
    assert_eq!(Crate::of(&json)?.without_example(), ["Bare"]);
    Ok(())
}

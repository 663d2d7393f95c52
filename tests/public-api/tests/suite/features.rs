//! The tables of features in the READMEs list the features of the manifests, and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// A feature that a README describes below its table.
const BELOW: &str = "all-operations";

/// The features that the tables of a page list, and those that it says are on by default.
#[derive(Debug, Default, PartialEq)]
struct Features {
    all: BTreeSet<String>,
    default: BTreeSet<String>,
}

impl Features {
    fn of_page(page: &str) -> Self {
        let mut found = Self::default();
        let mut lines = page.lines();
        while lines.any(|line| line.starts_with("| feature |")) {
            let rows = lines.by_ref().skip(1);
            for row in rows.take_while(|line| line.starts_with('|')) {
                let cell = row.split(" | ").next().unwrap_or_default();
                let spans: Vec<&str> = cell.split('`').collect();
                for pair in spans.get(1..).unwrap_or_default().chunks(2) {
                    let [name, rest] = pair else { continue };
                    found.all.insert((*name).to_owned());
                    if rest.starts_with(" (default)") {
                        found.default.insert((*name).to_owned());
                    }
                }
            }
        }
        found
    }

    fn of_package(package: &Value) -> Self {
        let mut found = Self::default();
        for (name, enabled) in package["features"].as_object().into_iter().flatten() {
            match name.as_str() {
                "default" => {
                    let names = enabled.as_array().into_iter().flatten();
                    found.default = names.filter_map(Value::as_str).map(str::to_owned).collect();
                }
                name => _ = found.all.insert(name.to_owned()),
            }
        }
        found
    }
}

#[test]
fn the_tables_of_features_are_those_of_the_manifests() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let metadata = Command::new(env!("CARGO"))
        .current_dir(&root)
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .output()?;
    ensure!(metadata.status.success(), "{metadata:?}");
    let metadata: Value = serde_json::from_slice(&metadata.stdout)?;
    let packages = metadata["packages"].as_array().context("packages")?;
    let mut compared = 0;
    for package in packages {
        let features = Features::of_package(package);
        let manifest = package["manifest_path"].as_str().context("a manifest")?;
        let readme = Path::new(manifest).with_file_name("README.md");
        // Packages that stay in the workspace need no README.
        let is_published = package["publish"].is_null() && !features.all.is_empty();
        let page = fs::read_to_string(&readme).unwrap_or_default();
        let mut listed = Features::of_page(&page);
        if !is_published && listed.all.is_empty() {
            continue;
        }
        if page.contains(&format!("The feature `{BELOW}`")) {
            listed.all.insert(BELOW.to_owned());
            listed.default.insert(BELOW.to_owned());
        }
        let lacks: Vec<_> = features.all.difference(&listed.all).collect();
        let others: Vec<_> = listed.all.difference(&features.all).collect();
        let page = readme.display();
        assert!(
            listed == features,
            "{page} lacks {lacks:?}, lists {others:?} without a feature; these are on by default: {:?}",
            features.default
        );
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
    Ok(())
}

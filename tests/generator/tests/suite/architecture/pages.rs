//! The pages for contributors name files that exist.

use std::collections::BTreeSet;

use super::purity::sources;
use crate::support::repository;

const PAGES: [&str; 4] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "crates/README.md",
    "runtime/README.md",
];

/// Lists the Rust files that a page names as code. A file that a reader makes is called `NAME`.
fn named(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2).filter(|code| {
        code.ends_with(".rs") && !code.contains([' ', '*']) && !code.contains("NAME")
    })
}

/// Returns the names that are the end of no path. Pages leave out `src/`, and begin a path where the sentence does.
fn missing<'a>(page: &'a str, paths: &BTreeSet<String>) -> Vec<&'a str> {
    let exists = |name: &&str| {
        let end = format!("/{}", name.replace("src/", ""));
        paths.iter().any(|path| path.ends_with(&end))
    };
    named(page).filter(|name| !exists(name)).collect()
}

#[test]
fn pages_for_contributors_name_files_that_exist() {
    let root = repository();
    let files = sources(&["crates", "generated", "runtime", "tests", "xtask"]);
    let paths = files.map(|(path, _)| format!("/{}", path.replace("src/", "")));
    let paths = paths.collect();
    for page in PAGES {
        let text = std::fs::read_to_string(root.join(page)).unwrap();
        let missing = missing(&text, &paths);
        assert!(missing.is_empty(), "{page} names {missing:?}");
        assert!(named(&text).count() > 5, "{page} names no files");
    }
}

#[test]
fn a_file_that_was_renamed_is_found() {
    let paths = BTreeSet::from(["/crates/diff/http/paths.rs".to_owned()]);
    let page = "`http/paths.rs`, `diff/src/http/paths.rs`, `paths.rs`, `aths.rs` and `http/old.rs`";
    assert_eq!(missing(page, &paths), ["aths.rs", "http/old.rs"]);
}

/// Returns the names that a README lists as main types; `None` if it lists none.
fn main_types(readme: &str) -> Option<Vec<String>> {
    let words = readme.split_whitespace().collect::<Vec<_>>().join(" ");
    let (_, rest) = words.split_once("The main types are ")?;
    let (list, _) = rest.split_once('.')?;
    let names = list.split('`').skip(1).step_by(2);
    Some(names.map(str::to_owned).collect())
}

#[test]
fn each_readme_of_a_crate_says_what_it_refuses_and_its_three_main_types() {
    let root = repository();
    let below = |folder: &str| {
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path())
    };
    let crates = below("crates").chain(below("runtime"));
    let crates = crates.chain([root.join("xtask")]);
    for folder in crates.filter(|path| path.join("Cargo.toml").exists()) {
        let name = folder.display();
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(readme.contains("refuses"), "{name}: what does it refuse?");
        if readme.contains("has no types") {
            continue;
        }
        let types = main_types(&readme).unwrap_or_else(|| panic!("{name}: The main types are …"));
        assert_eq!(types.len(), 3, "{name}: {types:?}");
        let files = sources(&[folder.join("src").to_str().unwrap()]);
        let sources: String = files.map(|(_, text)| text).collect();
        for one in types {
            let is_there = ["struct", "enum", "trait"].iter().any(|kind| {
                let declared = format!("pub {kind} {one}");
                let mut found = sources.match_indices(&declared);
                found.any(|(at, _)| {
                    !sources[at + declared.len()..].starts_with(char::is_alphanumeric)
                })
            });
            assert!(is_there, "{name}: there is no type {one}");
        }
    }
}

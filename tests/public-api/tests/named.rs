//! What pages and doc comments name as code is public: a renamed method or type is found wherever prose still has its old name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Names that other crates, HTTP or private modules have.
const OTHERS: [&str; 11] = [
    "Accept",
    "Book",
    "ConcurrencyLimit",
    "IgnoredAny",
    "Node",
    "Range",
    "Referer",
    "Self::builder",
    "Tree",
    "default",
    "Some",
];

/// The names in the reviewed lists of public items, alone and after that of their parent.
struct Public(BTreeSet<String>);

impl Public {
    fn read(list: &str) -> Self {
        let mut names = BTreeSet::new();
        for line in list.lines() {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            for path in without_generics(line).split(|c: char| !is_part(c)) {
                let parts: Vec<&str> = path.split("::").collect();
                names.extend(parts.iter().map(|part| (*part).to_owned()));
                names.extend(parts.windows(2).map(|pair| pair.join("::")));
            }
        }
        Self(names)
    }

    /// Returns the name that a piece of code stands for, if it should be public and is not.
    fn missing<'c>(&self, code: &'c str) -> Option<&'c str> {
        let is_path = |text: &str| {
            let mut parts = text.split([':', '.']).filter(|part| !part.is_empty());
            parts.all(|part| part.chars().all(|c| c.is_alphanumeric() || c == '_'))
        };
        let (path, is_call) = match code.split_once('(') {
            Some((path, rest)) if rest.contains(')') => (path, true),
            _ => (code.split('<').next().unwrap_or(code), false),
        };
        if path.is_empty() || !is_path(path) {
            return None;
        }
        let last = path.rsplit([':', '.']).next().unwrap_or(path);
        let parent = path.rsplit("::").nth(1).unwrap_or_default();
        let is_type = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_uppercase()) && name.contains(char::is_lowercase)
        };
        let name = match parent {
            parent if is_type(parent) => path.get(path.len() - parent.len() - last.len() - 2..)?,
            _ if is_call && !last.is_empty() => last,
            _ if path == last && is_type(last) => last,
            _ => return None,
        };
        let is_known = self.0.contains(name) || OTHERS.contains(&name);
        (!is_known).then_some(name)
    }
}

/// The line without what stands in angle brackets.
fn without_generics(line: &str) -> String {
    let mut depth = 0_usize;
    let mut before = ' ';
    let mut kept = String::new();
    for c in line.chars() {
        match c {
            '<' => depth += 1,
            // Of an arrow.
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
        before = c;
    }
    kept
}

/// The code spans of prose, outside of blocks, each with the number of its line.
fn spans<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Vec<(usize, &'t str)> {
    let mut is_block = false;
    let mut found = Vec::new();
    for (number, line) in lines {
        let is_fence = line.trim_start().starts_with("```");
        is_block ^= is_fence;
        if !is_block && !is_fence {
            let spans = line.split('`').skip(1).step_by(2);
            found.extend(spans.map(|span| (number, span)));
        }
    }
    found
}

fn files(path: &Path, ending: &str) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let mut all = Vec::new();
    for entry in fs::read_dir(path).with_context(|| path.display().to_string())? {
        let path = entry?.path();
        match path.is_dir() {
            true => all.extend(files(&path, ending)?),
            false if path.extension().is_some_and(|one| one == ending) => all.push(path),
            false => {}
        }
    }
    Ok(all)
}

fn public() -> Result<Public> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let lists = files(&folder, "snap")?;
    let lists: Vec<String> = lists
        .iter()
        .map(fs::read_to_string)
        .collect::<Result<_, _>>()?;
    Ok(Public::read(&lists.concat()))
}

#[test]
fn what_pages_and_doc_comments_name_is_public() -> Result<()> {
    let public = public()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = ["README.md", "CHANGELOG.md", "docs", "generated/README.md"];
    let sources = [
        "generated/src",
        "runtime/cli/src",
        "runtime/core/src",
        "runtime/metering/src",
    ];
    let (mut named, mut missing) = (0, Vec::new());
    let all = pages.map(|page| (page, "md")).into_iter();
    for (path, ending) in all.chain(sources.map(|source| (source, "rs"))) {
        for file in files(&root.join(path), ending)? {
            let text = fs::read_to_string(&file)?;
            let lines = (1..).zip(text.lines());
            let lines = lines.filter_map(|(number, line)| match ending {
                "rs" => {
                    let line = line.trim_start();
                    let line = line.strip_prefix("//!").or(line.strip_prefix("///"))?;
                    Some((number, line))
                }
                _ => Some((number, line)),
            });
            for (number, span) in spans(lines) {
                named += 1;
                if let Some(name) = public.missing(span) {
                    let file = file.strip_prefix(&root)?.display();
                    missing.push(format!("{file}:{number}: {name}"));
                }
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(named > 1000, "{named} spans");
    Ok(())
}

#[test]
fn an_old_name_is_found_in_each_form() {
    let list = "pub struct a::Client<T>\npub async fn a::Client<T>::news(&self) -> a::Page<T>";
    let public = Public::read(list);
    for code in [
        "client.old()",
        "old()",
        "Client::old",
        "a::Client::old",
        "Old",
        "Old<T>",
        "client.old(\"x\").send()",
    ] {
        let missing = public.missing(code).unwrap_or_default();
        assert!(missing.to_lowercase().ends_with("old"), "{code}: {missing}");
    }
    for code in [
        "client.news()",
        "news",
        "Client",
        "Client<T>::news",
        "a::Client::news",
        "Page<T>",
        "old_field",
        "cargo xtask old",
        "--old",
        "/v1/old",
        "NULL",
    ] {
        assert_eq!(public.missing(code), None, "{code}");
    }
}

//! Names in the project's documents and doc comments exist: methods in code spans, types, and members of types. The lists beside this test
//! have all public items.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

const TEXTS: [&str; 15] = [
    "CHANGELOG.md",
    "README.md",
    "SECURITY.md",
    "docs/agents.md",
    "docs/batches.md",
    "docs/budgets.md",
    "docs/cache.md",
    "docs/command-line.md",
    "docs/drift.md",
    "docs/pages.md",
    "docs/performance.md",
    "generated/README.md",
    "runtime/cli/README.md",
    "runtime/core/README.md",
    "tests/sandbox/README.md",
];
/// Crates whose doc comments are read.
const CRATES: [&str; 3] = ["generated/src", "runtime/cli/src", "runtime/core/src"];
/// Methods and types of other crates and of private modules, attributes, and headers of HTTP.
const FOREIGN: [&str; 15] = [
    "proxy",
    "serde",
    "test",
    "unwrap",
    "Accept",
    "Book",
    "ConcurrencyLimit",
    "Fault",
    "Host",
    "IgnoredAny",
    "Node",
    "Range",
    "Referer",
    "SecretString",
    "Tree",
];

/// Functions of these crates, and members of their types.
struct Public {
    functions: BTreeSet<String>,
    names: BTreeSet<String>,
    members: BTreeSet<(String, String)>,
}

impl Public {
    fn read() -> Result<Self> {
        let mut public = Self {
            functions: BTreeSet::new(),
            names: BTreeSet::new(),
            members: BTreeSet::new(),
        };
        for crate_name in ["company-intel", "generated-cli", "generated-client"] {
            let list =
                format!("tests/public-api/tests/suite/snapshots/suite__lists__{crate_name}.snap");
            for line in text(&list)?.lines() {
                public.add(&without_generics(line));
            }
        }
        Ok(public)
    }

    fn add(&mut self, line: &str) {
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        for path in line.split(|c| !is_path(c)) {
            let steps: Vec<&str> = path.trim_end_matches(':').split("::").collect();
            self.names
                .extend(steps.iter().map(|step| (*step).to_owned()));
            for pair in steps.windows(2) {
                if let [owner, member] = pair {
                    let pair = ((*owner).to_owned(), (*member).to_owned());
                    self.members.insert(pair);
                }
            }
        }
        let function = line
            .split_once("fn ")
            .and_then(|(_, rest)| rest.split_once('('));
        let name = function.and_then(|(path, _)| path.rsplit("::").next());
        self.functions.extend(name.map(str::to_owned));
    }

    /// Returns the names in a code span that no public item has.
    fn unknown(&self, span: &str) -> Vec<String> {
        let span = without_generics(span);
        let mut unknown = Vec::new();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let is_type = span.starts_with(|c: char| c.is_ascii_uppercase())
            && span.contains(char::is_lowercase)
            && span.chars().all(is_name);
        if is_type && !self.names.contains(&span) && !FOREIGN.contains(&span.as_str()) {
            unknown.push(span.clone());
        }
        for (at, _) in span.match_indices('(') {
            let (before, _) = span.split_at(at);
            let start = before.rfind(|c| !is_name(c)).map_or(0, |at| at + 1);
            let (_, name) = before.split_at(start);
            let is_function = name.starts_with(|c: char| c.is_lowercase());
            if is_function && !self.functions.contains(name) && !FOREIGN.contains(&name) {
                unknown.push(name.to_owned());
            }
        }
        for (at, _) in span.match_indices("::") {
            let (before, after) = span.split_at(at);
            let owner = before.rsplit(|c| !is_name(c)).next().unwrap_or_default();
            let member = after.trim_start_matches(':');
            let member = member.split(|c| !is_name(c)).next().unwrap_or_default();
            let pair = (owner.to_owned(), member.to_owned());
            let is_own = self.members.iter().any(|(one, _)| one == owner);
            let is_type = owner.starts_with(|c: char| c.is_uppercase()) && owner != "Self";
            if is_own && is_type && !self.members.contains(&pair) {
                unknown.push(format!("{owner}::{member}"));
            }
        }
        unknown
    }
}

fn text(path: &str) -> Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).with_context(|| format!("reading {path}"))
}

/// Removes the parts between angle brackets from a line.
fn without_generics(line: &str) -> String {
    let mut depth = 0_usize;
    let line = line.replace("->", " ");
    let kept = line.chars().filter(|c| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    });
    kept.collect()
}

/// Reads the doc comments of the Rust files below a folder.
fn doc_comments(folder: &Path, texts: &mut Vec<(PathBuf, String)>) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for entry in fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = folder.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            doc_comments(&path, texts)?;
            continue;
        }
        let file = fs::read_to_string(entry.path())?;
        let lines = file.lines().filter_map(|line| {
            let line = line.trim_start();
            line.strip_prefix("//!").or(line.strip_prefix("///"))
        });
        texts.push((path, lines.collect::<Vec<_>>().join("\n")));
    }
    Ok(())
}

/// Returns the code spans of a document, without those of its code blocks.
fn spans(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    prose
        .flat_map(|part| part.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
#[ignore = "the gate runs it: rustdoc describes the crates with all features"]
fn what_the_texts_name_exists() -> Result<()> {
    let public = Public::read()?;
    let (mut named, mut unknown) = (0, Vec::new());
    let texts = TEXTS
        .iter()
        .map(|path| Ok((PathBuf::from(path), text(path)?)));
    let mut texts = texts.collect::<Result<Vec<_>>>()?;
    for folder in CRATES {
        doc_comments(Path::new(folder), &mut texts)?;
    }
    for (path, text) in texts {
        let path = path.display();
        for span in spans(&text) {
            named += usize::from(span.contains('(') || span.contains("::"));
            unknown.extend(
                public
                    .unknown(span)
                    .iter()
                    .map(|name| format!("{path}: {name}")),
            );
        }
    }
    assert_ne!(named, 0, "no name was read");
    assert!(unknown.is_empty(), "{unknown:#?}");
    Ok(())
}

#[test]
fn a_name_that_nothing_has_is_found() -> Result<()> {
    let public = Public::read()?;
    assert_eq!(public.unknown("client.scoped(1)"), [""; 0]);
    assert_eq!(public.unknown("Client::of_nothing"), ["Client::of_nothing"]);
    assert_eq!(public.unknown("client.of_nothing(1)"), ["of_nothing"]);
    assert_eq!(public.unknown("OfNothing<T>"), ["OfNothing"]);
    assert_eq!(public.unknown("Budget"), [""; 0]);
    Ok(())
}

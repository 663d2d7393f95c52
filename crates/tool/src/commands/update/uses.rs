//! Where hand-written files of the workspace may use what callers lose, found by name: the examples that a person has to edit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use client_generator::surface::{Bump, Difference};
use openapi_document::source;

use crate::layout::Layout;

/// Folders of the root with no code that uses the crate, besides hidden ones.
const OTHERS: [&str; 2] = ["target", "node_modules"];
/// Names are listed up to this many.
const LISTED: usize = 12;

/// Returns the places, a sentence for each name. Unreadable files are left out: this is a hint, and the compiler decides.
pub(super) fn uses(layout: &Layout, package: &str, surface: &[Difference]) -> Vec<String> {
    let lost = surface.iter().filter(|one| one.bump == Bump::Major);
    let names: BTreeSet<&str> = lost
        .filter_map(|one| one.item.rsplit("::").next())
        .filter(|name| is_name(name))
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    let mut files = Vec::new();
    let own = [&layout.generated, &layout.overrides];
    let others = |name: &str| OTHERS.contains(&name) || own.iter().any(|folder| *folder == name);
    collect(&layout.root, &others, &mut files);
    files.sort();
    let package = package.replace('-', "_");
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for path in &files {
        let Ok(text) = source::string(path) else {
            continue;
        };
        // Documentation leaves the set-up out.
        let is_documentation = path.extension().is_some_and(|end| end == "md");
        let has_calls = is_documentation || text.contains(&package);
        let shown = path.strip_prefix(&layout.root).unwrap_or(path).display();
        for name in &names {
            let lines = text.lines().enumerate();
            let lines =
                lines.filter(|(_, line)| has_calls && has(line, name) || is_key(line, name));
            let lines: Vec<String> = lines.map(|(index, _)| (index + 1).to_string()).collect();
            if !lines.is_empty() {
                let places = found.entry(name).or_default();
                places.push(format!("{shown}:{}", lines.join(",")));
            }
        }
    }
    let more = found.len().saturating_sub(LISTED);
    let mut sentences: Vec<String> = found
        .into_iter()
        .take(LISTED)
        .map(|(name, places)| format!("`{name}` changes for callers: see {}", places.join(", ")))
        .collect();
    if more > 0 {
        sentences.push(format!("{more} more names: the compiler has all of them"));
    }
    sentences
}

/// Returns whether it is a name: not the position of an argument, and not the type of an implementation.
fn is_name(name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    name.starts_with(|first: char| first.is_alphabetic()) && name.chars().all(is_part)
}

/// The files of a folder that may have code, without those of `others`.
fn collect(folder: &Path, others: &dyn Fn(&str) -> bool, files: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        // No link is followed, which may lead back.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if name.starts_with('.') || others(&name) {
            continue;
        }
        if is_folder {
            collect(&path, others, files);
        } else if name.ends_with(".rs") || name.ends_with(".md") && name != "CHANGELOG.md" {
            files.push(path);
        }
    }
}

/// Returns whether a line names a field or a method behind a dot, or a type.
fn has(line: &str, name: &str) -> bool {
    let is_type = name.starts_with(|first: char| first.is_ascii_uppercase());
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(name).any(|(at, _)| {
        let before = line.get(..at).and_then(|text| text.chars().next_back());
        let after = line
            .get(at + name.len()..)
            .and_then(|text| text.chars().next());
        let begins = match is_type {
            true => before.is_none_or(|letter| !is_part(letter)),
            false => before == Some('.'),
        };
        begins && after.is_none_or(|letter| !is_part(letter))
    })
}

/// Returns whether a line has the name as a key of JSON: in sample data, or as an index.
fn is_key(line: &str, name: &str) -> bool {
    line.contains(&format!("\"{name}\": ")) || line.contains(&format!("[\"{name}\"]"))
}

#[cfg(test)]
mod tests {
    use super::{has, is_key};

    #[test]
    fn a_name_is_found_in_sample_data() {
        assert!(is_key("json!({\"title\": job.name})", "title"));
        assert!(is_key("assert_eq!(job[\"title\"], 1)", "title"));
        assert!(!is_key("print!(\"title\")", "title"));
    }

    #[test]
    fn a_name_is_found_where_code_uses_it() {
        for (line, name, expected) in [
            ("println!(\"{}\", job.title);", "title", true),
            ("let title = job.title_of();", "title", false),
            ("    .title(\"x\")", "title", true),
            ("let title = 1;", "title", false),
            ("let x: Vec<Tag> = vec![];", "Tag", true),
            ("let x: TagSet;", "Tag", false),
        ] {
            assert_eq!(has(line, name), expected, "{line}");
        }
    }
}

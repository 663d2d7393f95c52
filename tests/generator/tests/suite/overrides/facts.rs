//! What a crate declares, a line for each fact, so that two crates are compared by what they say.

use std::collections::{BTreeMap, BTreeSet};

use client_generator::emit::FileTree;

use crate::support::{Emitted, Item, Member};

/// A crate with the facts of its files.
pub(super) struct Facts {
    tree: FileTree,
    /// By path.
    facts: BTreeMap<String, BTreeSet<String>>,
}

impl Facts {
    /// Reads all files, except the tables that `drift` reads.
    pub(super) fn of(tree: FileTree) -> Self {
        let files = tree
            .iter()
            .filter(|(path, _)| is_read(path))
            .map(|(path, text)| (path.to_owned(), of_file(path, text)));
        Self {
            facts: files.collect(),
            tree,
        }
    }

    /// Lists the facts that `without` lacks. Provenance counts where it is all that is missing.
    pub(super) fn missing_in(&self, without: &FileTree) -> Vec<&str> {
        let mut missing = Vec::new();
        for (path, facts) in &self.facts {
            let Some(without) = self.differing(without, path) else {
                continue;
            };
            let lacks = |fact: &&str| !without.contains(*fact);
            missing.extend(facts.iter().map(String::as_str).filter(lacks));
        }
        let (provenance, others): (Vec<&str>, Vec<&str>) =
            missing.into_iter().partition(|fact| is_provenance(fact));
        if others.is_empty() {
            provenance
        } else {
            others
        }
    }

    /// The facts of a file of another crate, empty where there is no file; `None` where the file is the same.
    fn differing(&self, other: &FileTree, path: &str) -> Option<BTreeSet<String>> {
        let text = other.get(path);
        let differs = text != self.tree.get(path);
        differs.then(|| text.map_or_else(BTreeSet::new, |text| of_file(path, text)))
    }
}

fn is_read(path: &str) -> bool {
    path == "Cargo.toml" || path.ends_with(".rs") && !path.ends_with("/shapes.rs")
}

fn of_file(path: &str, text: &str) -> BTreeSet<String> {
    if !path.ends_with(".rs") {
        return text.lines().map(|line| format!("{path}: {line}")).collect();
    }
    let mut facts = BTreeSet::new();
    for item in Emitted::of_file(path, text).items() {
        of_item(item, &mut facts);
    }
    facts
}

fn of_item(item: &Item, facts: &mut BTreeSet<String>) {
    let path = &item.path;
    let public = if item.is_public { "pub " } else { "" };
    facts.insert(format!("{path}: {public}{}", item.kind));
    if item.members.is_empty() {
        facts.insert(format!("{path}: {}", item.code));
    }
    about(path, &item.docs, &item.attributes, facts);
    for member in &item.members {
        of_member(path, member, facts);
    }
}

fn of_member(owner: &str, member: &Member, facts: &mut BTreeSet<String>) {
    let path = format!("{owner}.{}", member.name);
    let public = if member.is_public { "pub " } else { "" };
    facts.insert(format!("{path}: {public}{}", member.signature));
    about(&path, &member.docs, &member.attributes, facts);
    // The field of a type is a fact already; that its reader copies it adds nothing.
    let copies = |text: &str| {
        let copied = text.split_once(": wire.");
        copied.is_some_and(|(field, copied)| field == copied)
    };
    for statement in member.statements.iter().filter(|text| !copies(text)) {
        facts.insert(format!("{path} {{ {statement} }}"));
    }
}

fn about(path: &str, docs: &str, attributes: &[String], facts: &mut BTreeSet<String>) {
    for attribute in attributes {
        facts.insert(format!("{path} #[{attribute}]"));
    }
    // Provenance is a paragraph of its own, also within a list. An example follows from the signature.
    let docs = docs.replace("\n- ", "\n\n- ").replace("\n**", "\n\n**");
    let paragraphs = docs.split("\n\n").map(str::trim);
    for paragraph in paragraphs.filter(|text| !text.starts_with("```")) {
        let paragraph = paragraph.replace('\n', " ");
        if !paragraph.is_empty() {
            facts.insert(format!("{path} /// {paragraph}"));
        }
    }
}

/// Whether a fact is the provenance of a place, which repeats the override.
fn is_provenance(fact: &str) -> bool {
    fact.contains(" /// **")
}
